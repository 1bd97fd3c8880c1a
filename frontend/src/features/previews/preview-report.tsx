import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Run, RunFigures, RunHost } from "@/entities/pack/types";
import { Download } from "@/entities/person/csv-download";
import styles from "@/features/packs/packs.module.css";
import { api } from "@/shared/api/client";
import { count, NO_DATA, plural, signed } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, type Loading, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome, type Status } from "@/shared/ui/status";

/** A preview: how far it is, then what would change, in a sentence, by rule, by group and host by host. */
export function RunView({ run }: { run: Loading<Run> }) {
  return (
    <div style={{ marginTop: 18 }}>
      <Panel query={run} height={300} lines={8}>
        {(data) =>
          data.state === "failed" ? (
            <Failed error={new Error(data.error)} />
          ) : data.figures ? (
            <Preview run={data} figures={data.figures} />
          ) : (
            <AtWork run={data} />
          )
        }
      </Panel>
    </div>
  );
}

/** How far a run is. It goes on whether or not anybody looks. */
export function AtWork({ run }: { run: Run }) {
  const share = run.hosts_total > 0 ? run.hosts_done / run.hosts_total : 0;
  return (
    <div role="status" aria-live="polite">
      <Outcome status="running">
        {run.state === "queued" ? "waiting for its turn" : `${count(run.hosts_done)} of ${plural(run.hosts_total, "host")} judged`}
      </Outcome>
      <div className={styles.bar} style={{ marginTop: 8 }} aria-hidden="true">
        <span style={{ width: `${Math.round(share * 100)}%` }} />
      </div>
      <p className="dim small">It goes on without this page; the address of this page finds it again.</p>
    </div>
  );
}

function Preview({ run, figures }: { run: Run; figures: RunFigures }) {
  return (
    <>
      <p className={styles.said} role="status">
        <span className="strong">{sentence(figures)}</span> Nothing has taken effect.
      </p>
      <div className={styles.figures}>
        <Figure name="newly failing" value={count(figures.newly_failing)} more={`on ${plural(figures.newly_failing_hosts, "host")}`} />
        <Figure
          name="no longer failing"
          value={count(figures.no_longer_failing)}
          more={`on ${plural(figures.no_longer_failing_hosts, "host")}`}
        />
        <Figure
          name="score, mean of hosts"
          value={`${figures.before.mean ?? NO_DATA} → ${figures.after.mean ?? NO_DATA}`}
          more={`median ${figures.before.median ?? NO_DATA} → ${figures.after.median ?? NO_DATA}`}
        />
        <Figure
          name="newly capped at 59"
          value={count(figures.newly_capped)}
          more={`${count(figures.no_longer_capped)} no longer capped`}
        />
        {figures.in_grace > 0 ? <Figure name="fail, but in grace" value={count(figures.in_grace)} more="count when grace ends" /> : null}
        {figures.newly_undecided > 0 ? (
          <Figure name="set aside by a conflict" value={count(figures.newly_undecided)} more="findings that wait for a decision" />
        ) : null}
      </div>
      <Rules figures={figures} />
      <Groups figures={figures} />
      <Hosts run={run} />
    </>
  );
}

/** The one sentence: "+37 fail on 12 hosts, −4; mean score 88 → 84; newly capped 2". */
export function sentence(figures: RunFigures): string {
  const parts: string[] = [];
  if (figures.newly_failing > 0) parts.push(`+${count(figures.newly_failing)} fail on ${plural(figures.newly_failing_hosts, "host")}`);
  if (figures.no_longer_failing > 0)
    parts.push(`−${count(figures.no_longer_failing)} on ${plural(figures.no_longer_failing_hosts, "host")}`);
  if (figures.in_grace > 0) parts.push(`${plural(figures.in_grace, "failure")} in grace`);
  if (parts.length === 0) parts.push("no finding begins or ceases to fail");
  const change = figures.before.mean !== null && figures.after.mean !== null ? figures.after.mean - figures.before.mean : null;
  const score = change === null ? "" : `; mean score ${figures.before.mean} → ${figures.after.mean} (${signed(change)})`;
  const capped = figures.newly_capped > 0 ? `; newly capped ${count(figures.newly_capped)}` : "";
  return `${parts.join(", ")}${score}${capped}.`;
}

function Figure({ name, value, more }: { name: string; value: string; more: string }) {
  return (
    <div className={styles.figure}>
      <span className="dim small">{name}</span>
      <strong>{value}</strong>
      <span className="dim small">{more}</span>
    </div>
  );
}

function Rules({ figures }: { figures: RunFigures }) {
  const rules = figures.rules.filter((rule) => rule.newly_failing + rule.no_longer_failing > 0);
  if (rules.length === 0) return null;
  return (
    <section aria-label="By rule">
      <h3>By rule</h3>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">rule</th>
              <th scope="col" className="num">
                newly failing
              </th>
              <th scope="col" className="num">
                hosts
              </th>
              <th scope="col" className="num">
                no longer
              </th>
              <th scope="col" className="num">
                hosts
              </th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <tr key={`${rule.pack}/${rule.rule}`}>
                <td>
                  {visible(rule.title)} <span className="dim mono small">{rule.rule}</span>
                </td>
                <td className="num">{count(rule.newly_failing)}</td>
                <td className="num">{count(rule.newly_failing_hosts)}</td>
                <td className="num">{count(rule.no_longer_failing)}</td>
                <td className="num">{count(rule.no_longer_failing_hosts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

function Groups({ figures }: { figures: RunFigures }) {
  const groups = figures.groups.filter((group) => group.hosts > 0);
  if (groups.length < 2) return null;
  return (
    <section aria-label="By group" style={{ marginTop: 18 }}>
      <h3>By group</h3>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">group</th>
              <th scope="col" className="num">
                hosts
              </th>
              <th scope="col" className="num">
                that change
              </th>
              <th scope="col" className="num">
                newly failing
              </th>
              <th scope="col" className="num">
                no longer
              </th>
              <th scope="col" className="num">
                score
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id}>
                <td className="strong">{group.name}</td>
                <td className="num">{count(group.hosts)}</td>
                <td className="num">{count(group.hosts_changed)}</td>
                <td className="num">{count(group.newly_failing)}</td>
                <td className="num">{count(group.no_longer_failing)}</td>
                <td className="num nowrap">
                  {group.score_before ?? NO_DATA} → {group.score_after ?? NO_DATA}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

/** The hosts of a run, page by page. */
export function useRunHosts(run: number) {
  return useInfiniteQuery({
    queryKey: ["get", "/api/v1/judging-runs/{run_id}/hosts", run] as const,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.GET("/api/v1/judging-runs/{run_id}/hosts", {
        params: { path: { run_id: run }, query: { after: pageParam, limit: 50 } },
        signal,
      });
      if (!answer.data) throw new TypeError("the list of hosts had no body");
      return answer.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

function Hosts({ run }: { run: Run }) {
  const pages = useRunHosts(run.id);
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-label="Hosts that change" style={{ marginTop: 18 }}>
      <div className="row">
        <h3>
          Hosts that change <span className="dim">{pages.data ? count(pages.data.pages[0]?.total) : ""}</span>
        </h3>
        <Download table={`judging-runs/${run.id}/hosts.csv`} about="these hosts" />
      </div>
      <Panel query={pages} height={220} lines={6} isEmpty={() => rows.length === 0} empty={<Empty title="Nothing changes on any host." />}>
        {() => (
          <>
            {rows.map((row) => (
              <HostChange key={row.host.id} row={row} />
            ))}
            {pages.hasNextPage ? (
              <Button mt={10} size="xs" onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                Show more
              </Button>
            ) : null}
          </>
        )}
      </Panel>
    </section>
  );
}

const STATUS: Record<string, Status> = {
  pass: "pass",
  fail: "fail",
  unknown: "unknown",
  not_applicable: "not_applicable",
  waived: "waived",
  excluded: "excluded",
  advice: "advice",
};

export function Word({ word }: { word: string }) {
  const status = STATUS[word];
  return status ? <Outcome status={status} /> : <span className="dim">not judged</span>;
}

function HostChange({ row }: { row: RunHost }) {
  return (
    <details className={styles.card} style={{ padding: "7px 0" }}>
      <summary>
        <span className="strong">{visible(row.host.name)}</span> <span className="dim">{row.group}</span>{" "}
        <span>
          {row.score_before ?? NO_DATA} → {row.score_after ?? NO_DATA}
        </span>{" "}
        <span className="dim">
          {row.newly_failing > 0 ? `+${row.newly_failing} fail` : ""}
          {row.no_longer_failing > 0 ? ` −${row.no_longer_failing}` : ""}
          {!row.capped_before && row.capped_after ? ", newly capped" : ""}
          {row.capped_before && !row.capped_after ? ", no longer capped" : ""}
        </span>
      </summary>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">rule</th>
              <th scope="col">subject</th>
              <th scope="col">now</th>
              <th scope="col">then</th>
            </tr>
          </thead>
          <tbody>
            {row.changes.map((change) => (
              <tr key={`${change.rule}${change.subject.kind}${change.subject.id}`}>
                <td>{visible(change.title)}</td>
                <td className="dim">{visible(change.subject.label)}</td>
                <td>
                  <Word word={change.before} />
                </td>
                <td>
                  <Word word={change.after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <Link to="/hosts/$hostId" params={{ hostId: row.host.id }} className="link small">
        {visible(row.host.name)} as it stands now
      </Link>
    </details>
  );
}
