import { Button } from "@mantine/core";
import type { Change } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { exact, moment } from "@/shared/lib/time";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { Instant, useZone } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./host.module.css";
import { useChanges } from "./queries";
import { stateLines } from "./timeline";

/** Lines shown before the list says the rest. */
const MOST_LINES = 14;

export function TimelineTab({ hostId }: { hostId: string }) {
  const pages = useChanges(hostId);
  const changes = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel
      query={pages}
      height={420}
      lines={12}
      isEmpty={() => changes.length === 0}
      empty={
        <Empty title="Nothing has changed since this host was enrolled.">
          A setting that differs from the check-in before stands here, with the likely cause.
        </Empty>
      }
    >
      {() => (
        <>
          <Lines changes={changes} />
          <section className="section" aria-label="Changes">
            <h2>
              Changes <span className="dim">newest first</span>
            </h2>
            <table className="data">
              <thead>
                <tr>
                  <th scope="col">when</th>
                  <th scope="col">setting</th>
                  <th scope="col">old and new</th>
                  <th scope="col" className="on-desk">
                    likely cause
                  </th>
                  <th scope="col" className="num on-desk">
                    check-in
                  </th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.id}>
                    <td className="nowrap">
                      <Instant at={change.at} form="moment" />
                    </td>
                    <td>
                      {visible(change.subject.label)} {change.label}
                    </td>
                    <td>
                      <FromTo from={change.old} to={change.new} />
                    </td>
                    <td className="on-desk">
                      {change.cause_detail ? (
                        visible(change.cause_detail)
                      ) : (
                        <span className="dim">{change.cause.replaceAll("_", " ") || "not known"}</span>
                      )}
                    </td>
                    <td className="num dim on-desk">{change.seq}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {pages.hasNextPage ? (
              <Button mt={12} onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                Show older changes
              </Button>
            ) : null}
          </section>
        </>
      )}
    </Panel>
  );
}

function Lines({ changes }: { changes: Change[] }) {
  const zone = useZone();
  const oldest = changes.at(-1);
  if (!oldest) return null;
  const to = Date.now();
  const start = Date.parse(oldest.at);
  const from = start - Math.max(3_600_000, (to - start) * 0.08);
  const lines = stateLines(changes, from, to, MOST_LINES);
  return (
    <section className="section" style={{ marginTop: 16 }} aria-label="Values over time">
      <h2>
        Values over time{" "}
        <span className="dim">
          {moment(new Date(from).toISOString(), zone)} to now{lines.length === MOST_LINES ? "; the rest stands in the list" : ""}
        </span>
      </h2>
      <div className={styles.strip}>
        {lines.map((line) => (
          <div key={line.key} style={{ display: "contents" }}>
            <div>{visible(line.label)}</div>
            <div
              className={styles.spans}
              role="img"
              aria-label={line.spans.map((span) => `${span.text} from ${exact(new Date(span.from).toISOString(), zone)}`).join("; ")}
            >
              {line.spans.map((span) => (
                <span
                  key={span.from}
                  style={{ flexGrow: span.to - span.from, flexBasis: 0 }}
                  title={`${visible(span.text)}, from ${exact(new Date(span.from).toISOString(), zone)}`}
                >
                  {visible(span.text)}
                </span>
              ))}
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
