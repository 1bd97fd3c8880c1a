import { Link } from "@tanstack/react-router";
import { BriefChart } from "@/entities/counters/brief-chart";
import { useCharts } from "@/entities/counters/queries";
import { measured } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";

const HOURS = 24;

/** The retransmits of the host over the last day, so that a problem is seen beside what it does to the traffic. */
export function ProblemCounters({ hostId }: { hostId: string }) {
  const charts = useCharts({ host: [hostId], series: [`${hostId}~host/:tcp_retransmit_percent`], hours: HOURS });
  return (
    <QueryPanel
      query={charts}
      height={130}
      isEmpty={(data) => !data.series.some((line) => line.statistics.readings > 0)}
      empty={<p className="dim">No counters in the last {HOURS} hours.</p>}
    >
      {(data) => {
        const line = data.series[0];
        if (!line) return null;
        return (
          <section aria-label="Counters">
            <p className="dim small" style={{ margin: "10px 0 0" }}>
              <Link to="/performance" search={{ host: [hostId], hours: HOURS }} className="link">
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
