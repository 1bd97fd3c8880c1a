import { Disclose } from "@/shared/ui/disclose";
import { QueryPanel } from "@/shared/ui/query-panel";
import { ChartsView } from "./charts-view";
import { type ChartRequest, useCharts } from "./queries";

/** Counters beside what a page is about, read when somebody opens them. `emptyText`: what is said where none were reported. */
export function ShowCounters({ request, emptyText }: { request: ChartRequest; emptyText: string }) {
  return (
    <div>
      <Disclose label="Show counters">{() => <Opened request={request} emptyText={emptyText} />}</Disclose>
    </div>
  );
}

function Opened({ request, emptyText }: { request: ChartRequest; emptyText: string }) {
  const charts = useCharts(request);
  return (
    <QueryPanel
      query={charts}
      height={300}
      isEmpty={(data) => data.series.every((line) => line.statistics.readings === 0)}
      empty={<p className="dim">{emptyText}</p>}
    >
      {(data) => <ChartsView data={data} height={140} isBrief />}
    </QueryPanel>
  );
}
