import { Select } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DEFAULT_HOURS, RANGES } from "@/entities/counters/ranges";
import type { FleetCell, FleetCharts, FleetFigure } from "@/entities/counters/types";
import { useGroupChoices } from "@/entities/group/queries";
import { query } from "@/shared/api/client";
import { count, measured, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Disclose } from "@/shared/ui/disclose";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { DetectorTest } from "./detector-test";
import styles from "./performance.module.css";
import type { PerformanceSearch, SORTS } from "./search";
import { Sparkline } from "./sparkline";

const BY = [
  { value: "cluster", label: "Cluster" },
  { value: "group", label: "Group" },
  { value: "host", label: "Host" },
];

const SORT_LABELS: Record<(typeof SORTS)[number], string> = {
  wrong: "Most symptoms",
  retransmits: "TCP retransmits",
  drops: "Dropped packets",
  errors: "Packets with errors",
  pauses: "Pause frames",
  latency: "Latency",
  throughput: "Throughput",
  operations: "Operations",
  cpu: "CPU",
  name: "Name",
};

/** Longest range for which hours of hosts are kept. */
const FLEET_RANGES = RANGES.filter(({ value }) => Number(value) >= 6 && Number(value) <= 720);

interface FleetProps {
  search: PerformanceSearch;
  setSearch: PatchSearch<PerformanceSearch>;
}

/** The fleet as small charts on common scales, worst first; each leads to its hosts, a host to its charts. */
export function Fleet({ search, setSearch }: FleetProps) {
  const hours = Math.min(search.hours ?? DEFAULT_HOURS, 24 * 31);
  const { by, group, cluster, sort } = search;
  const fleet = query.useQuery(
    "get",
    "/api/v1/performance/fleet",
    { params: { query: { by, group, cluster, sort, hours } } },
    { placeholderData: keepPreviousData, refetchInterval: 60_000 },
  );
  const groups = useGroupChoices();
  const isOther = !FLEET_RANGES.some((one) => one.value === String(hours));
  return (
    <>
      <div className={styles.filters}>
        <Select
          label="Show by"
          size="xs"
          w={110}
          allowDeselect={false}
          data={BY}
          value={cluster === undefined ? (by ?? "cluster") : "host"}
          onChange={(chosen) =>
            setSearch({ by: chosen === "cluster" ? undefined : (chosen as PerformanceSearch["by"]), cluster: undefined })
          }
        />
        <Select
          label="Group"
          size="xs"
          w={190}
          searchable={groups.length > 8}
          data={[{ value: "", label: "All groups" }, ...groups.slice(1)]}
          value={group === undefined ? "" : String(group)}
          onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined })}
        />
        <Select
          label="Sort by"
          size="xs"
          w={170}
          allowDeselect={false}
          data={Object.entries(SORT_LABELS).map(([value, label]) => ({ value, label }))}
          value={sort ?? "wrong"}
          onChange={(chosen) => setSearch({ sort: chosen === "wrong" ? undefined : (chosen as PerformanceSearch["sort"]) })}
        />
        <Select
          label="Range"
          size="xs"
          w={140}
          allowDeselect={false}
          data={isOther ? [...FLEET_RANGES, { value: String(hours), label: `Last ${hours} hours` }] : FLEET_RANGES}
          value={String(hours)}
          onChange={(chosen) =>
            setSearch({
              hours: chosen === null || Number(chosen) === DEFAULT_HOURS ? undefined : Number(chosen),
              from: undefined,
              to: undefined,
            })
          }
        />
      </div>
      {cluster !== undefined ? (
        <p className={styles.back}>
          <Link to="/performance" search={{ ...search, cluster: undefined }} className="link">
            All clusters
          </Link>{" "}
          <span className="dim">/ {visible(cluster || "No cluster")}</span>
        </p>
      ) : null}
      <QueryPanel
        query={fleet}
        height={520}
        lines={14}
        isEmpty={(data) => data.cells.length === 0}
        empty={
          <Empty title="No hosts here">
            No hosts match these filters. Choose another group, or enrol hosts: counters arrive with their check-ins.
          </Empty>
        }
      >
        {(data) => (
          <>
            <Cells data={data} search={search} />
            <Disclose label="How often these limits raised an alarm">{() => <DetectorTest group={group} />}</Disclose>
          </>
        )}
      </QueryPanel>
    </>
  );
}

function Cells({ data, search }: { data: FleetCharts; search: PerformanceSearch }) {
  const tops = new Map<string, number>();
  for (const cell of data.cells) {
    for (const figure of cell.figures) {
      tops.set(figure.name, Math.max(tops.get(figure.name) ?? figure.limit ?? 0, figure.highest ?? 0));
    }
  }
  const wrong = data.cells.filter((cell) => cell.symptoms.length > 0).length;
  return (
    <>
      <p className="dim small">
        {wrong > 0 ? `${count(wrong)} of ${count(data.total)} show symptoms.` : `No symptoms in ${count(data.total)}.`} Each symptom has one
        scale in all small charts. Dashed: its limit.{" "}
        {data.total > data.cells.length
          ? `The first ${count(data.cells.length)} are shown; choose a group or another order to see others.`
          : ""}
      </p>
      <ul className={styles.grid}>
        {data.cells.map((cell) => (
          <li key={cell.key} className={styles.cell} data-wrong={cell.symptoms.length > 0 || undefined}>
            <Cell cell={cell} tops={tops} search={search} />
          </li>
        ))}
      </ul>
      <ul className="dim small" aria-label="Limits" style={{ margin: "14px 0 0", paddingLeft: 18 }}>
        {data.limits.map((limit) => (
          <li key={limit.name}>
            {measured(limit.value, limit.unit)}: {limit.label} ({limit.source})
          </li>
        ))}
      </ul>
    </>
  );
}

function Cell({ cell, tops, search }: { cell: FleetCell; tops: Map<string, number>; search: PerformanceSearch }) {
  const id = cell.key.slice(cell.key.indexOf(":") + 1);
  return (
    <article aria-label={visible(cell.label)}>
      <h2>
        {cell.kind === "host" ? (
          <Link to="/performance" search={{ hours: search.hours, host: [id] }} className="link">
            {visible(cell.label)}
          </Link>
        ) : cell.kind === "cluster" ? (
          <Link to="/performance" search={{ ...search, cluster: cell.label }} className="link">
            {visible(cell.label)}
          </Link>
        ) : (
          <Link to="/performance" search={{ ...search, group: Number(id), by: "host" }} className="link">
            {visible(cell.label)}
          </Link>
        )}
      </h2>
      <p className={`dim small ${styles.where}`}>
        {[visible(cell.where), cell.kind === "host" ? "" : reporting(cell)].filter(Boolean).join(", ")}
        {cell.kind === "host" && cell.hosts_reporting === 0 ? " No counters in this range." : ""}
      </p>
      {cell.symptoms.length > 0 ? (
        <ul className={styles.symptoms}>
          {cell.figures
            .filter((figure) => figure.is_over)
            .map((figure) => (
              <li key={figure.label}>
                <StatusLabel status="fail">{`${figure.label} up to ${measured(figure.highest, figure.unit)}`}</StatusLabel>
              </li>
            ))}
        </ul>
      ) : null}
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden-visually">Symptom</span>
            </th>
            <th scope="col">
              <span className="hidden-visually">Course</span>
            </th>
            <th scope="col">Mean</th>
            <th scope="col">Highest</th>
          </tr>
        </thead>
        <tbody>
          {cell.figures.filter(isShown).map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{figure.label}</th>
              <td className={styles.line}>
                <Sparkline values={figure.values} top={tops.get(figure.name) ?? 1} limit={figure.limit} />
              </td>
              <td>{figure.mean === null ? NO_DATA : measured(figure.mean, figure.unit)}</td>
              <td className={figure.is_over ? styles.over : "dim"} style={{ paddingLeft: 8 }}>
                {figure.highest === null ? NO_DATA : measured(figure.highest, figure.unit)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

/** Errors are rare: they have a line only where there are some. */
const isShown = (figure: FleetFigure) =>
  !["errors", "operations"].includes(figure.name) || (figure.name === "errors" && (figure.highest ?? 0) > 0);

const reporting = (cell: FleetCell) =>
  cell.hosts_reporting === cell.hosts
    ? plural(cell.hosts, "host")
    : `${count(cell.hosts_reporting)} of ${plural(cell.hosts, "host")} reporting`;
