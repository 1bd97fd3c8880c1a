import { Button, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { DecideBaseline } from "@/entities/baseline/decide";
import { DifferenceTable } from "@/entities/baseline/difference-table";
import { ProposeBaseline } from "@/entities/baseline/propose";
import { useBaseline } from "@/entities/baseline/queries";
import type { BaselineDetail, BaselineRow } from "@/entities/baseline/types";
import { useGroups } from "@/entities/group/queries";
import { CsvDownload } from "@/entities/person/csv-download";
import { query } from "@/shared/api/client";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./drift.module.css";
import { STATE } from "./labels";
import type { DriftSearch } from "./search";

interface BaselinesProps {
  search: DriftSearch;
  setSearch: PatchSearch<DriftSearch>;
  groupName: string;
}

export function Baselines({ search, setSearch, groupName }: BaselinesProps) {
  if (search.baseline !== undefined) return <Proposal id={search.baseline} close={() => setSearch({ baseline: undefined })} />;
  return <List search={search} setSearch={setSearch} groupName={groupName} />;
}

const STATES = [{ value: "", label: "Any state" }, ...Object.entries(STATE).map(([value, { label }]) => ({ value, label }))];

const columnsOf = (search: DriftSearch): Column<BaselineRow>[] => [
  {
    head: "Scope",
    cell: (row) => (
      <Link to="/drift" search={{ ...search, tab: "baselines", baseline: row.id }} className="link">
        {scopeOf(row)}
      </Link>
    ),
  },
  {
    head: "State",
    className: "nowrap",
    cell: (row) => <StatusLabel status={STATE[row.state].status}>{STATE[row.state].label}</StatusLabel>,
  },
  {
    head: "Proposed",
    className: "nowrap",
    cell: (row) => (
      <>
        <TimeAgo at={row.proposed_at} /> <span className="dim">by {visible(row.proposed_by)}</span>
      </>
    ),
  },
  { head: "Reason", cell: (row) => visible(row.reason) },
];

function List({ search, setSearch, groupName }: BaselinesProps) {
  const list = query.useQuery("get", "/api/v1/baselines", { params: { query: { state: search.state } } });
  const groups = useGroups();
  const group = search.group ?? groups.data?.[0]?.id;
  return (
    <section aria-label="Baselines">
      <div className={styles.acts}>
        <Select
          aria-label="State"
          size="xs"
          w={190}
          data={STATES}
          value={search.state ?? ""}
          onChange={(chosen) => setSearch({ state: (chosen || undefined) as DriftSearch["state"] })}
        />
        <span className="dim small" style={{ flex: "1 1 150px" }}>
          {list.data && list.data.waiting > 0 ? `${plural(list.data.waiting, "proposal")} pending approval` : "No pending proposals"}
        </span>
        <CsvDownload table="baselines.csv" about="these baselines" filters={{ state: search.state }} />
        {list.data?.may_propose && group !== undefined && groupName ? (
          <ProposeBaseline groupId={group} about={groupName} label={`Propose baselines for ${groupName}`} />
        ) : null}
      </div>
      <QueryPanel
        query={list}
        height={280}
        lines={8}
        isEmpty={(data) => data.items.length === 0}
        empty={
          <Empty title={search.state ? "No proposals in this state" : "No baselines yet"}>
            A baseline is a host's accepted configuration. An operator proposes it for a host or a group; another person with the approver
            role accepts it. Later differences show as drift.
          </Empty>
        }
      >
        {(data) => <DataTable columns={columnsOf(search)} rows={data.items} rowKey={(row) => row.id} />}
      </QueryPanel>
    </section>
  );
}

const scopeOf = (row: BaselineRow): string => {
  const hosts = row.host ? visible(row.host.name) : `${visible(row.group_name)}, ${plural(row.hosts, "host")}`;
  return row.settings ? `${plural(row.settings, "setting")} on ${hosts}` : hosts;
};

function Proposal({ id, close }: { id: number; close: () => void }) {
  const baseline = useBaseline(id);
  return (
    <section aria-label={`Proposal ${id}`}>
      <Button size="compact-sm" variant="subtle" onClick={close}>
        All baselines
      </Button>
      <QueryPanel query={baseline} height={360} lines={10}>
        {(data) => <Detail data={data} />}
      </QueryPanel>
    </section>
  );
}

function Detail({ data }: { data: BaselineDetail }) {
  const isOpen = data.state === "proposed";
  const inShort = bySummary(data.changes, isOpen);
  return (
    <>
      <h2 className={styles.title}>
        {scopeOf(data)} <StatusLabel status={STATE[data.state].status}>{STATE[data.state].label}</StatusLabel>
      </h2>
      <p>
        {visible(data.reason)}{" "}
        <span className="dim">
          Proposed by {visible(data.proposed_by)} <TimeAgo at={data.proposed_at} />
          {data.ticket ? `, ticket ${visible(data.ticket)}` : ""}
          {data.decided_at ? (
            <>
              ; {STATE[data.state].label.toLowerCase()} by {visible(data.decided_by)} <TimeAgo at={data.decided_at} />
              {data.decided_reason ? `: ${visible(data.decided_reason)}` : ""}
            </>
          ) : null}
        </span>
      </p>
      <DecideBaseline baseline={data} />
      {inShort.map(([words, hosts]) => (
        <p key={words}>
          {plural(hosts.length, "host")}: <span className="dim">{words}</span>:{" "}
          {hosts.map((host, at) => (
            <span key={host.id}>
              {at > 0 ? ", " : ""}
              <Link to="/hosts/$hostId" params={{ hostId: host.id }} search={{ tab: "baseline" }} className="link">
                {visible(host.name)}
              </Link>
            </span>
          ))}
        </p>
      ))}
      {data.changes
        .filter((one) => isListed(one, isOpen))
        .map((one) => (
          <section key={one.host.id} className="section" aria-label={one.host.name}>
            <h3>
              <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} search={{ tab: "baseline" }} className="link">
                {visible(one.host.name)}
              </Link>{" "}
              <span className="dim">{changeText(one)}</span>
            </h3>
            {one.has_changed_since && isOpen ? (
              <p className="dim small">The host has changed since the proposal. Accepting uses the configuration as proposed.</p>
            ) : null}
            {one.differences.length > 0 ? <DifferenceTable items={one.differences} /> : null}
            {one.more > 0 ? <p className="dim small">and {count(one.more)} more settings</p> : null}
          </section>
        ))}
      {data.hosts_not_shown > 0 ? (
        <p className="dim">
          and {count(data.hosts_not_shown)} more {data.hosts_not_shown === 1 ? "host" : "hosts"}
        </p>
      ) : null}
    </>
  );
}

/** Listed host by host; the others are one line for what they have in common. */
const isListed = (one: BaselineDetail["changes"][number], isOpen: boolean): boolean =>
  one.differences.length > 0 || !one.is_readable || (one.has_changed_since && isOpen);

function bySummary(changes: BaselineDetail["changes"], isOpen: boolean): [string, { id: string; name: string }[]][] {
  const hostsOfChange = new Map<string, { id: string; name: string }[]>();
  for (const change of changes) {
    const text = changeText(change);
    if (!isListed(change, isOpen)) hostsOfChange.set(text, [...(hostsOfChange.get(text) ?? []), change.host]);
  }
  return [...hostsOfChange];
}

function changeText(one: BaselineDetail["changes"][number]): string {
  if (!one.is_readable) return "stored configuration can't be read";
  if (!one.has_baseline) return "first baseline (entire configuration)";
  if (one.differences.length === 0) return "no change from the current baseline";
  return differing(one.differences.length + one.more);
}

const differing = (settings: number): string =>
  settings === 1 ? "1 setting differs from the current baseline" : `${count(settings)} settings differ from the current baseline`;
