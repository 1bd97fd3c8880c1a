import { Link } from "@tanstack/react-router";
import { BriefChart } from "@/entities/counters/brief-chart";
import { useCharts } from "@/entities/counters/queries";
import { measured } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";
import { worst } from "./labels";

const HOURS = 24;

/**
 * The counter of the symptom over the last day, else the retransmits, so that a problem is seen beside what it does to the
 * traffic. Of several adapters or volumes the worst is drawn.
 */
export function ProblemCounters({ hostId, series }: { hostId: string; series: string[] }) {
  const charts = useCharts({ host: [hostId], series, hours: HOURS });
  return (
    <QueryPanel
      query={charts}
      height={130}
      isEmpty={(data) => !data.series.some((line) => line.statistics.readings > 0)}
      empty={<p className="dim">No counters in the last {HOURS} hours.</p>}
    >
      {(data) => {
        const line = worst(data.series);
        if (!line) return null;
        return (
          <section aria-label="Counters">
            <p className="dim small" style={{ margin: "10px 0 0" }}>
              <Link to="/performance" search={{ host: [hostId], series: [line.id], hours: HOURS }} className="link">
                {visible(line.label)}
              </Link>
              , {HOURS} h, now {measured(line.statistics.latest, line.unit)}
            </p>
            <BriefChart data={data} line={line} height={100} />
          </section>
        );
      }}
    </QueryPanel>
  );
}
