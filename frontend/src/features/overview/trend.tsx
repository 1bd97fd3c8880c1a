import { score } from "@/shared/lib/format";
import { day } from "@/shared/lib/time";
import { LazyTimeChart } from "@/shared/ui/charts/lazy-time-chart";
import { Empty } from "@/shared/ui/query-panel";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import styles from "./overview.module.css";
import type { Overview } from "./types";

export function Trend({ days, events }: { days: Overview["trend"]; events: Overview["events"] }) {
  const zone = useZone();
  const known = days.flatMap((one) => (one.score_mean === null ? [] : [one.score_mean]));
  const low = known.length > 0 ? Math.max(0, Math.floor((Math.min(...known) - 4) / 10) * 10) : 0;
  const points = (of: (one: Overview["trend"][number]) => number | null): [number, number | null][] =>
    days.map((one) => [Date.parse(`${one.day}T12:00:00Z`), of(one)]);
  return (
    <section aria-label="Score over time">
      <div className={styles.caption}>
        <h2>
          Score <span className="dim">average (solid), median (dashed)</span>
        </h2>
        {known.length > 1 ? <span className="dim small">axis {low}–100</span> : null}
      </div>
      {known.length > 1 ? (
        <>
          <LazyTimeChart
            title={`Fleet score by day from ${days[0]?.day} to ${days.at(-1)?.day}, now ${known.at(-1)}`}
            height={168}
            zone={zone}
            isDaily
            domain={[low, 100]}
            hasAxis={false}
            markers={events}
            series={[
              { id: "mean", label: "Average", unit: "", points: points((one) => one.score_mean) },
              { id: "median", label: "Median", unit: "", colour: "var(--ink-3)", points: points((one) => one.score_median) },
            ]}
          />
          {events.length > 0 ? (
            <ul className={styles.marks}>
              {events.slice(-4).map((event) => (
                <li key={`${event.at}${event.label}`}>
                  <TimeAgo at={event.at} form="moment" />: {event.label}
                </li>
              ))}
            </ul>
          ) : null}
          <table className="hidden-visually">
            <caption>Fleet score by day</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Average</th>
                <th scope="col">Median</th>
              </tr>
            </thead>
            <tbody>
              {days.slice(-14).map((one) => (
                <tr key={one.day}>
                  <th scope="row">{day(one.day, zone)}</th>
                  <td>{score(one.score_mean)}</td>
                  <td>{score(one.score_median)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      ) : (
        <Empty title="Trend starts after the first full day">
          The score is recorded at the end of each day. There is one day of data so far.
        </Empty>
      )}
    </section>
  );
}
