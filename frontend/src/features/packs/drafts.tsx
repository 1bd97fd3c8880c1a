import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { useDiscard, useDrafts } from "./queries";

/** Packs that were uploaded and not published; nothing is drawn where there is none. */
export function Drafts() {
  const drafts = useDrafts(true);
  const discard = useDiscard();
  if (!drafts.data || drafts.data.length === 0) return null;
  return (
    <section className="section" aria-label="Drafts" style={{ marginBottom: 30 }}>
      <h2>
        Drafts <span className="dim">uploaded, not published</span>
      </h2>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">pack</th>
              <th scope="col">version</th>
              <th scope="col" className="num">
                rules
              </th>
              <th scope="col">uploaded</th>
              <th scope="col">state</th>
              <th scope="col">
                <span className="hidden-visually">acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {drafts.data.map((draft) => (
              <tr key={draft.id}>
                <td>
                  <Link
                    to="/packs/$pack"
                    params={{ pack: draft.pack }}
                    search={{ draft: draft.id, old: draft.previous_version_id ?? undefined }}
                    className="link"
                  >
                    {visible(draft.title)}
                  </Link>
                  <div className="dim small">{visible(draft.source)}</div>
                </td>
                <td className="mono">{draft.version}</td>
                <td className="num">{count(draft.rules)}</td>
                <td>
                  <Instant at={draft.made_at} />
                </td>
                <td>{draft.obstacle ? <Outcome status="warn">{draft.obstacle}</Outcome> : <Outcome status="pass">in order</Outcome>}</td>
                <td className="num">
                  <Button
                    size="compact-xs"
                    aria-label={`Discard the draft of ${draft.pack} ${draft.version}`}
                    loading={discard.isPending && discard.variables === draft.id}
                    onClick={() => discard.mutate(draft.id)}
                  >
                    Discard
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}
