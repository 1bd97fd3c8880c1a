import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { CsvDownload } from "@/entities/person/csv-download";
import { usePreviewRun } from "@/entities/preview/queries";
import type { Run, RunFigures, RunHost } from "@/entities/preview/types";
import { dateFieldIn, fromDateField, toDateField } from "@/shared/lib/date-field";
import { count, NO_DATA, percent, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel, statusText } from "@/shared/ui/status";
import { useZone } from "@/shared/ui/time-ago";
import { MovedGroups, PastBanner } from "./past-banner";
import styles from "./previews.module.css";
import { useRunHosts, useStartPastRun, useVersionChoices } from "./queries";
import { RunProgress } from "./run-progress";
import type { PastSearch } from "./search";

/** The fleet as it was on any date, evaluated by what was in force then or by other versions. */
export function PastPage({ search, setSearch }: { search: PastSearch; setSearch: PatchSearch<PastSearch> }) {
  const run = usePreviewRun(search.run);
  return (
    <>
      <div className="page-head">
        <h1>Past state of the fleet</h1>
      </div>
      {search.run !== undefined && run.data?.kind === "past" ? (
        <PastBanner at={run.data.as_of} of={run.data.group.name} chosen={run.data.chosen.map((one) => `${one.pack} ${one.version}`)}>
          <Link to="/" search={run.data.group.id === 1 ? {} : { group: run.data.group.id }} className="link">
            Back to now
          </Link>
        </PastBanner>
      ) : null}
      <Ask key={`${search.at}${search.group}`} search={search} setSearch={setSearch} />
      {search.run === undefined ? (
        <Empty title="Choose a date">Hosts are evaluated from the configurations and waivers of that date. Nothing is changed.</Empty>
      ) : (
        <QueryPanel query={run} height={420} lines={10}>
          {(data) =>
            data.state === "failed" ? (
              <Failed error={new Error(data.error)} />
            ) : data.figures ? (
              <Then run={data} figures={data.figures} versions={search.version ?? []} />
            ) : (
              <RunProgress run={data} />
            )
          }
        </QueryPanel>
      )}
    </>
  );
}

function Ask({ search, setSearch }: { search: PastSearch; setSearch: PatchSearch<PastSearch> }) {
  const groups = useGroupChoices();
  const versions = useVersionChoices();
  const ask = useStartPastRun();
  const zone = useZone();
  const [at, setAt] = useState(toDateField(search.at, zone));
  const group = search.group === undefined ? groups[0]?.value : String(search.group);
  const instant = fromDateField(at, zone);
  return (
    <form
      className={styles.form}
      style={{ marginBottom: 22 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (instant === undefined || group === undefined) return;
        ask.mutate(
          { at: instant, group: Number(group), versions: search.version ?? [] },
          { onSuccess: (run) => setSearch({ at: instant, run: run.id }) },
        );
      }}
    >
      <TextInput
        size="xs"
        type="datetime-local"
        label={`Date and time (${zoneLabel(zone, instant === undefined ? undefined : new Date(instant))})`}
        max={dateFieldIn(0, zone)}
        value={at}
        onChange={(event) => setAt(event.currentTarget.value)}
      />
      <Select
        size="xs"
        label="Group (including subgroups)"
        searchable={groups.length > 8}
        data={groups}
        value={group ?? null}
        onChange={(value) => setSearch({ group: value ? Number(value) : undefined, run: undefined })}
      />
      <MultiSelect
        className={styles.grow}
        size="xs"
        label="Pack versions"
        placeholder={search.version ? undefined : "Active at that time"}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Active at that time" }}
        data={versions}
        value={(search.version ?? []).map(String)}
        onChange={(chosen) => setSearch({ version: chosen.length > 0 ? chosen.map(Number) : undefined, run: undefined })}
      />
      <Button type="submit" size="xs" variant="filled" disabled={instant === undefined || group === undefined} loading={ask.isPending}>
        View
      </Button>
      {ask.error ? <Failed error={ask.error} /> : null}
    </form>
  );
}

const STATUSES = [
  ["pass", "pass"],
  ["fail", "fail"],
  ["unknown", "unknown"],
  ["waived", "waived"],
  ["excluded", "excluded"],
  ["not_applicable", "not_applicable"],
] as const;

function Then({ run, figures, versions }: { run: Run; figures: RunFigures; versions: number[] }) {
  const { after } = figures;
  return (
    <>
      <MovedGroups groups={run.moved_groups} />
      <div className={styles.figures}>
        <Figure name="Average score" value={after.mean ?? NO_DATA} more={`median ${after.median ?? NO_DATA}`} />
        <Figure
          name="Hosts evaluated"
          value={count(figures.hosts_judged)}
          more={`${plural(figures.hosts_absent, "host")} not present or without data`}
        />
        <Figure name="Coverage" value={percent(figures.rule_coverage)} more="of applicable rules" />
        <Figure name="Capped at 59" value={count(after.capped)} more="by a guardrail or missing paths" />
      </div>
      <section aria-label="Findings by status">
        <h2>Findings by status</h2>
        <div className="row" style={{ gap: 18 }}>
          {STATUSES.map(([key, status]) => (
            <StatusLabel key={key} status={status}>
              {count(figures.words[key] ?? 0)} {statusText(status).toLowerCase().replace("n/a", "N/A")}
            </StatusLabel>
          ))}
        </div>
      </section>
      <Bands bands={after.bands} />
      <ByRule figures={figures} />
      <Hosts run={run} versions={versions} />
    </>
  );
}

function Figure({ name, value, more }: { name: string; value: string | number; more: string }) {
  return (
    <div className={styles.figure}>
      <span className="dim small">{name}</span>
      <strong>{value}</strong>
      <span className="dim small">{more}</span>
    </div>
  );
}

/** Hosts by ten points of score; the table behind it is for who cannot see the bars. */
function Bands({ bands }: { bands: number[] }) {
  const most = Math.max(1, ...bands);
  const label = (index: number) => `${index * 10} to ${index === 9 ? 100 : index * 10 + 9}`;
  return (
    <section className="section" aria-label="Distribution">
      <h2>Hosts by score</h2>
      <div className={styles.bands} aria-hidden="true">
        {bands.map((hosts, index) => (
          <span key={label(index)} style={{ height: `${(100 * hosts) / most}%` }} title={`${label(index)}: ${hosts}`} />
        ))}
      </div>
      <p className="dim small">Bands of 10 points. Tallest bar: {plural(most, "host")}.</p>
      <ul className="hidden-visually">
        {bands.map((hosts, index) => (
          <li key={label(index)}>
            {label(index)}: {plural(hosts, "host")}
          </li>
        ))}
      </ul>
    </section>
  );
}

const RULES: Column<RunFigures["rules"][number]>[] = [
  { head: "Rule", cell: (rule) => visible(rule.title) },
  { head: "Pack", className: "dim", cell: (rule) => rule.pack },
  { head: "Hosts failing", isNumber: true, cell: (rule) => <StatusLabel status="fail">{count(rule.hosts.fail)}</StatusLabel> },
  { head: "Pass", isNumber: true, cell: (rule) => count(rule.hosts.pass ?? 0) },
  { head: "Unknown", isNumber: true, cell: (rule) => count(rule.hosts.unknown ?? 0) },
];

function ByRule({ figures }: { figures: RunFigures }) {
  const failing = figures.rules.filter((rule) => (rule.hosts.fail ?? 0) > 0);
  return (
    <section className="section" aria-label="Failing rules">
      <h2>
        Failing rules <span className="dim">{plural(failing.length, "rule")}</span>
      </h2>
      {failing.length === 0 ? (
        <p className="dim">No failing rules</p>
      ) : (
        <DataTable columns={RULES} rows={failing} rowKey={(rule) => `${rule.pack}/${rule.rule}`} />
      )}
    </section>
  );
}

const hostColumns = (at: string, version: number[] | undefined): Column<RunHost>[] => [
  {
    head: "Host",
    cell: (row) => (
      <Link to="/hosts/$hostId/past" params={{ hostId: row.host.id }} search={{ at, version }} className="link">
        {visible(row.host.name)}
      </Link>
    ),
  },
  { head: "Group at the time", cell: (row) => row.group },
  { head: "Score", isNumber: true, cell: (row) => row.score_after ?? NO_DATA },
  { head: "Fail", isNumber: true, cell: (row) => (row.absent ? NO_DATA : count(row.counts.fail ?? 0)) },
  { head: "Waived", isNumber: true, cell: (row) => (row.absent ? NO_DATA : count(row.counts.waived ?? 0)) },
  { head: "Note", className: "dim", cell: (row) => row.absent || row.capped_after },
];

function Hosts({ run, versions }: { run: Run; versions: number[] }) {
  const pages = usePages(useRunHosts(run.id));
  return (
    <section className="section" aria-label="Hosts">
      <div className="row">
        <h2>
          Hosts <span className="dim">{pages.first ? count(pages.first.total) : ""}</span>
        </h2>
        <CsvDownload table={`judging-runs/${run.id}/hosts.csv`} about="these hosts" />
      </div>
      <PagedList pages={pages} height={260} lines={7} empty={<Empty title="No hosts at that time" />}>
        {(rows) => (
          <DataTable
            columns={hostColumns(run.as_of, versions.length > 0 ? versions : undefined)}
            rows={rows}
            rowKey={(row) => row.host.id}
          />
        )}
      </PagedList>
    </section>
  );
}
