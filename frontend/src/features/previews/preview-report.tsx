import { Link } from "@tanstack/react-router";
import { CsvDownload } from "@/entities/person/csv-download";
import type { Run, RunFigures, RunHost } from "@/entities/preview/types";
import { count, NO_DATA, plural, signed } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty, Failed, QueryPanel, type QueryState } from "@/shared/ui/query-panel";
import { FindingStatusLabel } from "./finding-status-label";
import styles from "./previews.module.css";
import { useRunHosts } from "./queries";
import { RunProgress } from "./run-progress";

/** A preview: how far it is, then what would change, in a sentence, by rule, by group and host by host. */
export function PreviewReport({ run }: { run: QueryState<Run> }) {
  return (
    <div style={{ marginTop: 18 }}>
      <QueryPanel query={run} height={300} lines={8}>
        {(data) =>
          data.state === "failed" ? (
            <Failed error={new Error(data.error)} />
          ) : data.figures ? (
            <Preview run={data} figures={data.figures} />
          ) : (
            <RunProgress run={data} />
          )
        }
      </QueryPanel>
    </div>
  );
}

function Preview({ run, figures }: { run: Run; figures: RunFigures }) {
  return (
    <>
      <p className={styles.summary} role="status">
        <span className="strong">{sentence(figures)}</span> Preview only.
      </p>
      <div className={styles.figures}>
        <Figure name="New failures" value={count(figures.newly_failing)} more={`on ${plural(figures.newly_failing_hosts, "host")}`} />
        <Figure
          name="Resolved failures"
          value={count(figures.no_longer_failing)}
          more={`on ${plural(figures.no_longer_failing_hosts, "host")}`}
        />
        <Figure
          name="Average score"
          value={`${figures.before.mean ?? NO_DATA} → ${figures.after.mean ?? NO_DATA}`}
          more={`median ${figures.before.median ?? NO_DATA} → ${figures.after.median ?? NO_DATA}`}
        />
        <Figure
          name="Newly capped at 59"
          value={count(figures.newly_capped)}
          more={`${count(figures.no_longer_capped)} no longer capped`}
        />
        {figures.in_grace > 0 ? (
          <Figure name="Failing in grace period" value={count(figures.in_grace)} more="counted when it ends" />
        ) : null}
        {figures.newly_undecided > 0 ? (
          <Figure name="Excluded by conflicts" value={count(figures.newly_undecided)} more="findings awaiting a resolution" />
        ) : null}
      </div>
      <Rules figures={figures} />
      <Groups figures={figures} />
      <Hosts run={run} />
    </>
  );
}

/** The one sentence: "37 new failures on 12 hosts, 4 resolved on 3 hosts; average score 88 → 84; newly capped 2". */
function sentence(figures: RunFigures): string {
  const parts: string[] = [];
  if (figures.newly_failing > 0)
    parts.push(`${plural(figures.newly_failing, "new failure")} on ${plural(figures.newly_failing_hosts, "host")}`);
  if (figures.no_longer_failing > 0)
    parts.push(`${count(figures.no_longer_failing)} resolved on ${plural(figures.no_longer_failing_hosts, "host")}`);
  if (figures.in_grace > 0) parts.push(`${plural(figures.in_grace, "failure")} in the grace period`);
  if (parts.length === 0) parts.push("No change in failures");
  const change = figures.before.mean !== null && figures.after.mean !== null ? figures.after.mean - figures.before.mean : null;
  const score = change === null ? "" : `; average score ${figures.before.mean} → ${figures.after.mean} (${signed(change)})`;
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

const RULES: Column<RunFigures["rules"][number]>[] = [
  {
    head: "Rule",
    cell: (rule) => (
      <>
        {visible(rule.title)} <span className="dim mono small">{rule.rule}</span>
      </>
    ),
  },
  { head: "New failures", isNumber: true, cell: (rule) => count(rule.newly_failing) },
  { head: "Hosts", isNumber: true, cell: (rule) => count(rule.newly_failing_hosts) },
  { head: "Resolved", isNumber: true, cell: (rule) => count(rule.no_longer_failing) },
  { head: "Hosts", isNumber: true, cell: (rule) => count(rule.no_longer_failing_hosts) },
];

function Rules({ figures }: { figures: RunFigures }) {
  const rules = figures.rules.filter((rule) => rule.newly_failing + rule.no_longer_failing > 0);
  if (rules.length === 0) return null;
  return (
    <section aria-label="By rule">
      <h3>By rule</h3>
      <DataTable columns={RULES} rows={rules} rowKey={(rule) => `${rule.pack}/${rule.rule}`} />
    </section>
  );
}

const GROUPS: Column<RunFigures["groups"][number]>[] = [
  { head: "Group", className: "strong", cell: (group) => group.name },
  { head: "Hosts", isNumber: true, cell: (group) => count(group.hosts) },
  { head: "Changed", isNumber: true, cell: (group) => count(group.hosts_changed) },
  { head: "New failures", isNumber: true, cell: (group) => count(group.newly_failing) },
  { head: "Resolved", isNumber: true, cell: (group) => count(group.no_longer_failing) },
  {
    head: "Score",
    isNumber: true,
    className: "nowrap",
    cell: (group) => (
      <>
        {group.score_before ?? NO_DATA} → {group.score_after ?? NO_DATA}
      </>
    ),
  },
];

function Groups({ figures }: { figures: RunFigures }) {
  const groups = figures.groups.filter((group) => group.hosts > 0);
  if (groups.length < 2) return null;
  return (
    <section aria-label="By group" style={{ marginTop: 18 }}>
      <h3>By group</h3>
      <DataTable columns={GROUPS} rows={groups} rowKey={(group) => group.id} />
    </section>
  );
}

function Hosts({ run }: { run: Run }) {
  const pages = usePages(useRunHosts(run.id));
  return (
    <section aria-label="Changed hosts" style={{ marginTop: 18 }}>
      <div className="row">
        <h3>
          Changed hosts <span className="dim">{pages.first ? count(pages.first.total) : ""}</span>
        </h3>
        <CsvDownload table={`judging-runs/${run.id}/hosts.csv`} about="these hosts" />
      </div>
      <PagedList pages={pages} height={220} lines={6} empty={<Empty title="No host changes" />}>
        {(rows) => rows.map((row) => <HostChange key={row.host.id} row={row} />)}
      </PagedList>
    </section>
  );
}

const CHANGES: Column<RunHost["changes"][number]>[] = [
  { head: "Rule", cell: (change) => visible(change.title) },
  { head: "Item", className: "dim", cell: (change) => visible(change.subject.label) },
  { head: "Now", cell: (change) => <FindingStatusLabel status={change.before} /> },
  { head: "After", cell: (change) => <FindingStatusLabel status={change.after} /> },
];

function HostChange({ row }: { row: RunHost }) {
  return (
    <details className={styles.host}>
      <summary>
        <span className="strong">{visible(row.host.name)}</span> <span className="dim">{row.group}</span>{" "}
        <span>
          {row.score_before ?? NO_DATA} → {row.score_after ?? NO_DATA}
        </span>{" "}
        <span className="dim">
          {row.newly_failing > 0 ? plural(row.newly_failing, "new failure") : ""}
          {row.no_longer_failing > 0 ? `${row.newly_failing > 0 ? ", " : ""}${row.no_longer_failing} resolved` : ""}
          {!row.capped_before && row.capped_after ? ", newly capped" : ""}
          {row.capped_before && !row.capped_after ? ", no longer capped" : ""}
        </span>
      </summary>
      <DataTable columns={CHANGES} rows={row.changes} rowKey={(change) => `${change.rule}${change.subject.kind}${change.subject.id}`} />
      <Link to="/hosts/$hostId" params={{ hostId: row.host.id }} className="link small">
        View {visible(row.host.name)}
      </Link>
    </details>
  );
}
