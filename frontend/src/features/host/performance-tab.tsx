import { MultiSelect, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ChartsView } from "@/entities/counters/charts-view";
import { useCharts } from "@/entities/counters/queries";
import { RangeControls } from "@/entities/counters/range-controls";
import { fixed, rangeQuery } from "@/entities/counters/ranges";
import { WatchCounters } from "@/entities/counters/watch-counters";
import { CsvDownload } from "@/entities/person/csv-download";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./host.module.css";
import type { HostSearch } from "./search";

/** Lines a person can still tell apart. */
const MOST = 8;

interface PerformanceTabProps {
  isFromBundle: boolean;
  hostId: string;
  name: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

/** The counters of one host; several hosts beside one another are on the Performance page. */
export function PerformanceTab(props: PerformanceTabProps) {
  const { hostId, name, isFromBundle, search, setSearch } = props;
  return (
    <>
      {isFromBundle ? null : <WatchCounters host={{ id: hostId, name }} shown={search.watch} show={(watch) => setSearch({ watch })} />}
      <StoredCounters {...props} />
    </>
  );
}

/** What arrived with check-ins. */
function StoredCounters({ hostId, isFromBundle, search, setSearch }: PerformanceTabProps) {
  const range = { hours: search.hours, from: search.from, to: search.to };
  const series = search.series?.map((one) => `${hostId}~${one}`);
  const request = { host: [hostId], series, compare: search.compare, ...rangeQuery(range) };
  const charts = useCharts(request);
  return (
    <QueryPanel
      query={charts}
      height={460}
      lines={10}
      isEmpty={(data) => (data.hosts[0]?.choices.length ?? 0) === 0}
      empty={
        isFromBundle ? (
          <Empty title="No counters">A support bundle has no counters. They arrive with the check-ins of an agent.</Empty>
        ) : (
          <Empty title="No counters yet">
            Counters arrive with each check-in; charts need at least two. Raw data is kept for 48 hours, aggregated data for 2 years.
          </Empty>
        )
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
              data={data.hosts[0]?.choices.map((one) => ({ value: one.id, label: visible(one.label) })) ?? []}
              value={data.series.map((line) => line.id.slice(line.id.indexOf("~") + 1))}
              onChange={(chosen) => setSearch({ series: chosen.length > 0 ? chosen : undefined })}
            />
            <Select
              label="Compare with"
              size="xs"
              w={150}
              placeholder="Nothing"
              clearable
              clearButtonProps={{ "aria-label": "Compare with nothing" }}
              data={[
                { value: "week", label: "The week before" },
                { value: "peers", label: "Cluster peers" },
              ]}
              value={search.compare ?? null}
              onChange={(chosen) => setSearch({ compare: (chosen ?? undefined) as HostSearch["compare"] })}
            />
            <RangeControls range={range} setRange={setSearch} shown={data} />
            <CsvDownload table="performance/charts.csv" about="these counters" filters={request} />
          </div>
          {data.series.length === 0 ? (
            <Empty title="No data for these counters in this range" />
          ) : (
            <ChartsView data={data} onZoom={(from, to) => setSearch(fixed(from, to))} />
          )}
          <p className="dim small" style={{ marginTop: 10 }}>
            <TimeAgo at={data.from} form="exact" /> to <TimeAgo at={data.to} form="exact" />. Drag over a chart to zoom.{" "}
            <Link
              to="/performance"
              search={{ host: [hostId], series, compare: search.compare, hours: search.hours, from: search.from, to: search.to }}
              className="link"
            >
              Compare with other hosts
            </Link>
          </p>
        </>
      )}
    </QueryPanel>
  );
}
