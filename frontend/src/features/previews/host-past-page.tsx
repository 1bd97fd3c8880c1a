import { Button, MultiSelect, SegmentedControl, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { query } from "@/shared/api/client";
import { dateFieldIn, fromDateField, toDateField } from "@/shared/lib/date-field";
import { count, NO_DATA, percent, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { Verbatim } from "@/shared/ui/verbatim";
import { FindingStatusLabel } from "./finding-status-label";
import { MovedGroups, PastBanner, PastBundleLine } from "./past-banner";
import styles from "./previews.module.css";
import { useVersionChoices } from "./queries";
import type { HostPastSearch } from "./search";
import type { HostPast } from "./types";

interface HostPastPageProps {
  hostId: string;
  search: HostPastSearch;
  setSearch: PatchSearch<HostPastSearch>;
}

/** One host as it was on any date, with the current status of each finding. */
export function HostPastPage({ hostId, search, setSearch }: HostPastPageProps) {
  const at = Number.isNaN(Date.parse(search.at ?? "")) ? undefined : search.at;
  const past = query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/past",
    { params: { path: { host_id: hostId }, query: { at: at ?? "", version: search.version } } },
    { enabled: at !== undefined },
  );
  return (
    <>
      <Ask key={at} search={search} setSearch={setSearch} />
      {at === undefined ? (
        <Empty
          title="Choose a date"
          action={
            <Link to="/hosts/$hostId" params={{ hostId }} className="link">
              Back to current state
            </Link>
          }
        >
          The host is evaluated from its configuration and waivers of that date.
        </Empty>
      ) : (
        <QueryPanel query={past} height={480} lines={12}>
          {(data) => <Then data={data} search={search} setSearch={setSearch} />}
        </QueryPanel>
      )}
    </>
  );
}

function Ask({ search, setSearch }: { search: HostPastSearch; setSearch: PatchSearch<HostPastSearch> }) {
  const versions = useVersionChoices();
  const zone = useZone();
  const [at, setAt] = useState(toDateField(search.at, zone));
  const instant = fromDateField(at, zone);
  return (
    <form
      className={styles.form}
      style={{ marginBottom: 18 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (instant !== undefined) setSearch({ at: instant });
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
        onChange={(chosen) => setSearch({ version: chosen.length > 0 ? chosen.map(Number) : undefined })}
      />
      <Button type="submit" size="xs" variant="filled" disabled={instant === undefined}>
        View
      </Button>
    </form>
  );
}

function Then({ data, search, setSearch }: { data: HostPast; search: HostPastSearch; setSearch: PatchSearch<HostPastSearch> }) {
  const chosen = data.versions.filter((one) => one.is_chosen).map((one) => `${one.pack} ${one.version}`);
  const back = (
    <Link to="/hosts/$hostId" params={{ hostId: data.host.id }} className="link">
      Back to now
    </Link>
  );
  return (
    <>
      <div className="page-head">
        <h1>{visible(data.host.name)}</h1>
        {data.group ? <span className="dim">in {data.group} at the time</span> : null}
      </div>
      <PastBanner at={data.as_of} of={data.host.name} chosen={chosen}>
        {back}
      </PastBanner>
      {data.from_bundle ? <PastBundleLine bundle={data.from_bundle} /> : null}
      <MovedGroups groups={data.moved_groups} />
      {data.absent ? (
        <Empty title={`No data: ${data.absent}.`}>Choose another date.</Empty>
      ) : (
        <>
          <Figures data={data} />
          <Findings data={data} search={search} setSearch={setSearch} />
        </>
      )}
    </>
  );
}

function Figures({ data }: { data: HostPast }) {
  return (
    <>
      <div className={styles.figures}>
        <div className={styles.figure}>
          <span className="dim small">Score then</span>
          <strong>{data.score ?? NO_DATA}</strong>
          <span className="dim small">now {data.score_now ?? NO_DATA}</span>
        </div>
        <div className={styles.figure}>
          <span className="dim small">Failing then</span>
          <strong>{count(data.counts.fail ?? 0)}</strong>
          <span className="dim small">{plural(data.counts.unknown ?? 0, "unknown", "unknown")}</span>
        </div>
        <div className={styles.figure}>
          <span className="dim small">Active waivers then</span>
          <strong>{count(data.waivers)}</strong>
          <span className="dim small">{plural(data.counts.waived ?? 0, "finding")}</span>
        </div>
        <div className={styles.figure}>
          <span className="dim small">Coverage</span>
          <strong>{percent(data.rule_coverage)}</strong>
          <span className="dim small">{data.from_bundle ? "of its bundle" : <Received at={data.configuration_at} />}</span>
        </div>
      </div>
      {data.capped_by ? <p className="dim">Capped: {visible(data.capped_by)}</p> : null}
      <p className="dim small">
        Evaluated with {data.versions.map((one) => `${one.pack} ${one.version}${one.is_chosen ? " (chosen)" : ""}`).join(", ")}.
      </p>
    </>
  );
}

function Received({ at }: { at: string | null }) {
  return (
    <>
      configuration of <TimeAgo at={at} form="exact" />
    </>
  );
}

const FINDINGS: Column<HostPast["items"][number]>[] = [
  {
    head: "Finding",
    cell: (item) => (
      <>
        {visible(item.headline)}
        <div className="dim small">
          {item.headline === item.title ? "" : `${visible(item.title)}, `}
          {item.pack}
        </div>
      </>
    ),
  },
  { head: "Item", className: "dim", cell: (item) => visible(item.subject.label) },
  {
    head: "Then",
    cell: (item) => (
      <>
        <StatusLabel status={item.standing} />
        {item.standing === "pass" || item.reason === "" ? null : <div className="dim small">{visible(item.reason)}</div>}
      </>
    ),
  },
  { head: "Now", cell: (item) => <FindingStatusLabel status={item.now} /> },
  { head: "Observed then", cell: (item) => <Verbatim of={item.observed} /> },
  { head: "Expected", cell: (item) => <Verbatim of={item.expected} /> },
];

function Findings({ data, search, setSearch }: { data: HostPast; search: HostPastSearch; setSearch: PatchSearch<HostPastSearch> }) {
  const show = search.show ?? "changed";
  const told = data.items.filter((item) => item.standing !== "not_applicable" || (item.now !== "" && item.now !== "not_applicable"));
  const changed = told.filter((item) => item.now !== item.standing);
  const rows = show === "all" ? told : changed;
  return (
    <section className="section" aria-label="Findings at that time">
      <div className="row" style={{ justifyContent: "space-between" }}>
        <h2>Findings at that time</h2>
        <SegmentedControl
          size="xs"
          aria-label="Show"
          value={show}
          onChange={(value) => setSearch({ show: value === "all" ? "all" : undefined }, true)}
          data={[
            { value: "changed", label: `Changed since (${changed.length})` },
            { value: "all", label: `All applicable (${told.length})` },
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <Empty title="No findings have changed since" />
      ) : (
        <DataTable columns={FINDINGS} rows={rows} rowKey={(item) => `${item.pack}/${item.rule}/${item.subject.kind}/${item.subject.id}`} />
      )}
    </section>
  );
}
