import { Button, Checkbox, Select } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { causeLabel } from "@/entities/host/labels";
import { CsvDownload } from "@/entities/person/csv-download";
import { query } from "@/shared/api/client";
import { count } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Baselines } from "./baselines";
import { Changes } from "./changes";
import styles from "./drift.module.css";
import { referenceLabel, unknownText } from "./labels";
import { CAUSES, type DriftSearch } from "./search";
import type { DriftPage as Drift } from "./types";

/** Hosts named above the list. */
const MOST_NAMED = 5;

const PERIODS = [
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
  { value: "2160", label: "Last 90 days" },
];

interface DriftPageProps {
  search: DriftSearch;
  setSearch: PatchSearch<DriftSearch>;
}

/** What changed in the fleet, compared with the standard, the baseline, the cluster peers and the stored configuration. */
export function DriftPage({ search, setSearch }: DriftPageProps) {
  const tab = search.tab ?? "changes";
  const hours = search.hours ?? 168;
  const filters = { group: search.group, hours, cause: search.cause, host: search.host };
  const drift = query.useQuery(
    "get",
    "/api/v1/drift",
    { params: { query: { ...filters, unread: search.unread === "yes" ? true : undefined } } },
    { placeholderData: keepPreviousData, refetchInterval: 60_000 },
  );
  const groups = useGroupChoices();
  const choices = [{ value: "", label: "All groups" }, ...groups.slice(1)];
  return (
    <>
      <div className="page-head">
        <h1>Drift</h1>
        <span className="dim small">{drift.data ? <Times data={drift.data} /> : null}</span>
        <div className="end">
          <Select
            aria-label="Period"
            size="xs"
            w={150}
            data={PERIODS}
            value={PERIODS.some((one) => one.value === String(hours)) ? String(hours) : null}
            onChange={(chosen) => setSearch({ hours: chosen === null || chosen === "168" ? undefined : Number(chosen) })}
          />
          <Select
            aria-label="Group"
            size="xs"
            w={180}
            searchable={choices.length > 8}
            data={choices}
            value={search.group === undefined ? "" : String(search.group)}
            onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined })}
          />
        </div>
      </div>
      <QueryPanel query={drift} height={84} lines={3}>
        {(data) => <Clocks data={data} group={search.group} />}
      </QueryPanel>
      <nav className={styles.tabs} aria-label="Changes and baselines">
        {(["changes", "baselines"] as const).map((one) => (
          <Link
            key={one}
            to="/drift"
            search={(before) => ({ group: before.group, hours: before.hours, host: search.host, tab: one === "changes" ? undefined : one })}
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{ "aria-current": undefined }}
            aria-current={tab === one ? "page" : undefined}
          >
            {one === "changes" ? "Changes" : "Baselines"}
          </Link>
        ))}
      </nav>
      {tab === "baselines" ? (
        <Baselines search={search} setSearch={setSearch} groupName={drift.data?.group_name ?? ""} />
      ) : (
        <>
          <div className={styles.filterRow}>
            <Filters causes={drift.data?.causes ?? []} search={search} setSearch={setSearch} />
            <CsvDownload table="drift.csv" about="these changes" filters={{ ...filters, unread: search.unread === "yes" || undefined }} />
          </div>
          {search.host && drift.data ? <OnlyHosts hosts={drift.data.only_hosts} clear={() => setSearch({ host: undefined })} /> : null}
          <QueryPanel
            query={drift}
            height={420}
            lines={12}
            isEmpty={(data) => data.groups.length === 0}
            empty={
              <Empty title="No changes in this period">
                {search.cause || search.host
                  ? "No changes match these filters. Clear a filter or choose a longer period."
                  : "Setting changes between check-ins appear here. What happened together is one row."}
              </Empty>
            }
          >
            {(data) => <Changes data={data} search={search} setSearch={setSearch} />}
          </QueryPanel>
        </>
      )}
    </>
  );
}

/** The time of the counts, and that of the changes, which in large groups are put together some time before. */
function Times({ data }: { data: Drift }) {
  return (
    <>
      <TimeAgo at={data.as_of} form="exact" />
      {data.changes_as_of === data.as_of ? null : (
        <>
          , changes as of <TimeAgo at={data.changes_as_of} />
        </>
      )}
    </>
  );
}

/** The hosts that the list is about, where it came from a selection. */
function OnlyHosts({ hosts, clear }: { hosts: Drift["only_hosts"]; clear: () => void }) {
  const named = hosts.slice(0, MOST_NAMED);
  return (
    <p className={styles.onlyHosts}>
      <span>
        {hosts.length === 0 ? "None of these hosts is in your groups." : "Events on "}
        {named.map((host, at) => (
          <Fragment key={host.id}>
            {at > 0 ? ", " : ""}
            <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
              {visible(host.name)}
            </Link>
          </Fragment>
        ))}
        {hosts.length > named.length ? ` and ${count(hosts.length - named.length)} more` : ""}
      </span>
      <Button size="compact-sm" onClick={clear}>
        Show all hosts
      </Button>
    </p>
  );
}

function Clocks({ data, group }: { data: Drift; group: number | undefined }) {
  const within = group === undefined ? {} : { group: [group] };
  return (
    <dl className={styles.clocks} aria-label="Hosts with drift, by type">
      {data.clocks.map((one) => {
        const { title, says } = referenceLabel(one.clock);
        return (
          <div key={one.clock}>
            <dt>{title}</dt>
            <dd>
              <Link
                to="/hosts"
                search={{ ...within, drift: [one.clock as "standard" | "baseline" | "peers" | "persisted"] }}
                className={styles.figure}
                aria-label={`${count(one.drift)} hosts: ${title}`}
              >
                {count(one.drift)}
              </Link>{" "}
              <span className="dim">of {count(data.hosts)} hosts</span>
            </dd>
            <dd className="dim small">
              {one.clock === "baseline" && data.hosts > 0 && one.unknown === data.hosts ? (
                <>
                  No baseline yet.{" "}
                  <Link to="/drift" search={(before) => ({ group: before.group, hours: before.hours, tab: "baselines" })} className="link">
                    Propose one
                  </Link>{" "}
                  for an approver to accept.
                </>
              ) : (
                `${says}${one.unknown > 0 ? `; ${unknownText(one.clock, one.unknown)}` : ""}`
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Filters({ causes, search, setSearch }: { causes: Drift["causes"]; search: DriftSearch; setSearch: PatchSearch<DriftSearch> }) {
  const known = new Map(causes.map((one) => [one.cause, one.count]));
  const shown = CAUSES.filter((cause) => known.has(cause) || search.cause?.includes(cause));
  return (
    <fieldset className={styles.filters}>
      <legend>{shown.length > 0 ? "Likely cause" : "Show"}</legend>
      {shown.map((cause) => (
        <button
          key={cause}
          type="button"
          aria-pressed={search.cause?.includes(cause) ?? false}
          onClick={() => setSearch({ cause: toggled(search.cause, cause) as DriftSearch["cause"] })}
        >
          {causeLabel(cause)} <span className="dim num">{count(known.get(cause) ?? 0)}</span>
        </button>
      ))}
      <Checkbox
        size="xs"
        label="Include settings that became readable or unreadable"
        checked={search.unread === "yes"}
        onChange={(event) => setSearch({ unread: event.currentTarget.checked ? "yes" : undefined })}
      />
    </fieldset>
  );
}
