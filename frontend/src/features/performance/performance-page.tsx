import { Link } from "@tanstack/react-router";
import { ChartsView } from "@/entities/counters/charts-view";
import { useCharts } from "@/entities/counters/queries";
import { RangeControls } from "@/entities/counters/range-controls";
import { fixed, rangeQuery } from "@/entities/counters/ranges";
import { CsvDownload } from "@/entities/person/csv-download";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Fleet } from "./fleet";
import { Picker } from "./picker";
import type { PerformanceSearch } from "./search";

interface PerformancePageProps {
  search: PerformanceSearch;
  setSearch: PatchSearch<PerformanceSearch>;
}

/** What the hosts report of their traffic: the fleet with its symptoms, or chosen counters of chosen hosts. */
export function PerformancePage({ search, setSearch }: PerformancePageProps) {
  const isFleet = search.host === undefined && search.series === undefined;
  return isFleet ? (
    <>
      <div className="page-head">
        <h1>Performance</h1>
        <span className="dim">Symptoms of the fleet, worst first</span>
      </div>
      <Fleet search={search} setSearch={setSearch} />
    </>
  ) : (
    <HostCharts search={search} setSearch={setSearch} />
  );
}

function HostCharts({ search, setSearch }: PerformancePageProps) {
  const request = { host: search.host, series: search.series, compare: search.compare, ...rangeQuery(search) };
  const charts = useCharts(request);
  const names = charts.data?.hosts.map((host) => visible(host.name)) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>
          <Link to="/performance" search={(before) => ({ hours: before.hours })} className="link">
            Performance
          </Link>{" "}
          <span className="dim">
            / {names.slice(0, 3).join(", ")}
            {names.length > 3 ? ` and ${names.length - 3} more` : ""}
          </span>
        </h1>
        <div className="end">
          <RangeControls range={search} setRange={setSearch} shown={charts.data} />
        </div>
      </div>
      <QueryPanel query={charts} height={620} lines={14}>
        {(data) => (
          <>
            <Picker data={data} search={search} setSearch={setSearch} />
            <p className="dim small">
              <TimeAgo at={data.from} form="exact" /> to <TimeAgo at={data.to} form="exact" />. Drag over a chart to zoom.{" "}
              <CsvDownload table="performance/charts.csv" about="these charts" filters={request} />
            </p>
            {data.series.length === 0 ? (
              <Empty title="No counters yet">
                Counters arrive with each check-in; charts need at least two. Raw data is kept for 48 hours, aggregated data for 2 years.
              </Empty>
            ) : (
              <ChartsView data={data} isByHost={search.layout === "hosts"} onZoom={(from, to) => setSearch(fixed(from, to))} />
            )}
          </>
        )}
      </QueryPanel>
    </>
  );
}
