import { Link } from "@tanstack/react-router";
import { BriefChart } from "@/entities/counters/brief-chart";
import { useCharts } from "@/entities/counters/queries";
import { measured } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";

/** The first counter of the host over two days, beside the findings. */
export function CounterAside({ hostId }: { hostId: string }) {
  const charts = useCharts({ host: [hostId], hours: 48 });
  return (
    <section aria-label="Counters">
      <QueryPanel
        query={charts}
        height={150}
        isEmpty={(data) => data.series.length === 0}
        empty={
          <>
            <h2>Counters</h2>
            <p className="dim">No counters in the last 48 hours. They arrive with each check-in.</p>
          </>
        }
      >
        {(data) => {
          const line = data.series[0];
          if (!line) return null;
          const isBare = line.statistics.readings === 0;
          return (
            <>
              <h2>
                <Link to="/hosts/$hostId" params={{ hostId }} search={{ tab: "performance" }} className="link">
                  {visible(line.label)}
                </Link>
                <span className="dim">, 48 h{isBare ? "" : `, now ${measured(line.statistics.latest, line.unit)}`}</span>
              </h2>
              {isBare ? <p className="dim">No data yet. Rates need two check-ins.</p> : <BriefChart data={data} line={line} />}
              {data.marks.slice(-2).map((mark) => (
                <p key={`${mark.at}${mark.label}`} className="dim small">
                  <TimeAgo at={mark.at} form="moment" />: {visible(mark.label)}
                </p>
              ))}
            </>
          );
        }}
      </QueryPanel>
    </section>
  );
}
