import { MultiSelect, Select } from "@mantine/core";
import { CsvDownload } from "@/entities/person/csv-download";
import { measured } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { LazyTimeChart } from "@/shared/ui/charts/lazy-time-chart";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PropertyList } from "@/shared/ui/property-list";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { pairs } from "./counter-aside";
import styles from "./host.module.css";
import { useCounters } from "./queries";
import type { HostSearch } from "./search";

const RANGES = [
  { value: "6", label: "6 hours" },
  { value: "48", label: "48 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
  { value: "2160", label: "90 days" },
];

/** Lines a person can still tell apart. */
const MOST = 8;

type Counters = NonNullable<ReturnType<typeof useCounters>["data"]>;

interface PerformanceTabProps {
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

export function PerformanceTab({ hostId, search, setSearch }: PerformanceTabProps) {
  const hours = search.hours ?? 48;
  const counters = useCounters(hostId, hours, search.series);
  return (
    <QueryPanel
      query={counters}
      height={460}
      lines={10}
      isEmpty={(data) => data.available.length === 0}
      empty={
        <Empty title="No counters yet">
          Counters arrive with each check-in; charts need at least two. Raw data is kept for 48 hours, aggregated data for 2 years.
        </Empty>
      }
    >
      {(data) => (
        <>
          <div className={styles.filters}>
            <MultiSelect
              label="Counters"
              size="xs"
              miw={260}
              style={{ flex: "1 1 320px" }}
              maxValues={MOST}
              searchable
              hidePickedOptions
              clearButtonProps={{ "aria-label": "Reset counters" }}
              clearable={search.series !== undefined}
              data={data.available.map((one) => ({ value: one.id, label: visible(one.label) }))}
              value={data.series.map((one) => one.id)}
              onChange={(chosen) => setSearch({ series: chosen.length > 0 ? chosen : undefined })}
            />
            <Select
              label="Range"
              size="xs"
              w={130}
              data={RANGES}
              value={String(hours)}
              onChange={(chosen) => setSearch({ hours: chosen === null || chosen === "48" ? undefined : Number(chosen) })}
            />
            <CsvDownload
              table={`hosts/${hostId}/counters.csv`}
              about="these counters"
              filters={{ hours, series: search.series?.join(",") }}
            />
          </div>
          {data.series.length === 0 ? <Empty title="No data for these counters in this range" /> : <Charts data={data} />}
          <p className="dim small" style={{ marginTop: 10 }}>
            <TimeAgo at={data.from} form="exact" /> to <TimeAgo at={data.to} form="exact" />.{" "}
            {data.is_downsampled ? "Downsampled: minimum, maximum and shape are preserved." : "Full resolution."} Gaps mean no data.
          </p>
          {data.markers.length > 0 ? (
            <section className="section" aria-label="Events">
              <h2>Events in this range</h2>
              <PropertyList
                items={data.markers.map((marker) => ({
                  key: `${marker.at}${marker.label}`,
                  name: (
                    <span className="dim">
                      <TimeAgo at={marker.at} form="moment" />
                    </span>
                  ),
                  value: visible(marker.label),
                }))}
              />
            </section>
          ) : null}
        </>
      )}
    </QueryPanel>
  );
}

function Charts({ data }: { data: Counters }) {
  const zone = useZone();
  const units = [...new Set(data.series.map((one) => one.unit))];
  return (
    <>
      {units.map((unit) => {
        const ofUnit = data.series
          .filter((one) => one.unit === unit)
          .map((one) => ({ ...one, label: visible(one.label), points: pairs(one.points) }));
        return (
          <section key={unit} className="section" style={{ marginTop: 18 }} aria-label={ofUnit.map((one) => one.label).join(", ")}>
            <LazyTimeChart
              title={ofUnit.map((one) => one.label).join(", ")}
              series={ofUnit}
              markers={data.markers}
              height={220}
              zone={zone}
              syncId="host"
            />
            <Statistics series={ofUnit} />
          </section>
        );
      })}
    </>
  );
}

interface Statistic {
  id: string;
  label: string;
  unit: string;
  figures: number[];
  points: number;
  /** Its place among the lines of the chart, which says how it is drawn. */
  at: number;
}

const lineOf = (at: number) => ({ stroke: `var(--series-${(at % 8) + 1})`, strokeDasharray: ["0", "5 3", "2 2", "8 3 2 3"][at % 4] });
const mean = (figures: number[]) => (figures.length > 0 ? figures.reduce((sum, figure) => sum + figure, 0) / figures.length : null);

const STATISTICS: Column<Statistic>[] = [
  {
    head: "Counter",
    cell: (one) => (
      <>
        <svg width="22" height="8" viewBox="0 0 22 8" aria-hidden="true" style={{ marginRight: 8 }}>
          <path d="M0 4H22" strokeWidth="2" {...lineOf(one.at)} />
        </svg>
        {one.label}
      </>
    ),
  },
  { head: "Min", isNumber: true, cell: (one) => measured(one.figures.length > 0 ? Math.min(...one.figures) : null, one.unit) },
  { head: "Mean", isNumber: true, cell: (one) => measured(mean(one.figures), one.unit) },
  { head: "Max", isNumber: true, cell: (one) => measured(one.figures.length > 0 ? Math.max(...one.figures) : null, one.unit) },
  { head: "Latest", isNumber: true, cell: (one) => measured(one.figures.at(-1), one.unit) },
  { head: "Points", isNumber: true, cell: (one) => one.points },
];

function Statistics({ series }: { series: { id: string; label: string; unit: string; points: [number, number | null][] }[] }) {
  const rows = series.map(({ points, ...one }, at) => {
    const figures = points.flatMap(([, figure]) => (figure === null ? [] : [figure]));
    return { ...one, figures, points: figures.length, at };
  });
  return <DataTable columns={STATISTICS} rows={rows} rowKey={(one) => one.id} />;
}
