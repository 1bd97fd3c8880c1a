import { Link } from "@tanstack/react-router";
import { measured } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { LazyTimeChart } from "@/shared/ui/charts/lazy-time-chart";
import { QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { useCounters } from "./queries";

/** The first counter of the host over two days, beside the findings. */
export function CounterAside({ hostId }: { hostId: string }) {
  const counters = useCounters(hostId, 48, undefined);
  const zone = useZone();
  return (
    <section aria-label="Counters">
      <QueryPanel
        query={counters}
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
          const first = data.series.find((one) => one.name.includes("retrans")) ?? data.series[0];
          if (!first) return null;
          const isBare = !first.points.some(([, figure]) => figure !== null);
          const last = first.points.findLast(([, figure]) => figure !== null)?.[1];
          return (
            <>
              <h2>
                <Link to="/hosts/$hostId" params={{ hostId }} search={{ tab: "performance" }} className="link">
                  {visible(first.label)}
                </Link>
                <span className="dim">, 48 h{isBare ? "" : `, now ${measured(last, first.unit)}`}</span>
              </h2>
              {isBare ? (
                <p className="dim">No data yet. Rates need two check-ins.</p>
              ) : (
                <LazyTimeChart
                  title={`${first.label} over 48 hours, now ${measured(last, first.unit)}`}
                  height={116}
                  zone={zone}
                  series={[{ ...first, points: pairs(first.points) }]}
                  markers={data.markers}
                />
              )}
              {data.markers.slice(-2).map((marker) => (
                <p key={`${marker.at}${marker.label}`} className="dim small">
                  <TimeAgo at={marker.at} form="moment" />: {visible(marker.label)}
                </p>
              ))}
            </>
          );
        }}
      </QueryPanel>
    </section>
  );
}

/** The API writes a point as a pair; its type says list. */
export const pairs = (points: readonly (readonly (number | null)[])[]): [number, number | null][] =>
  points.map(([at, figure]) => [at ?? 0, figure ?? null]);
