import type { JobDetail, JobEvent } from "@/entities/job/types";
import { timeOfDay } from "@/shared/lib/time";
import { LazyTimeChart } from "@/shared/ui/charts/lazy-time-chart";
import { useZone } from "@/shared/ui/time-ago";
import { pathPoints } from "./events";
import styles from "./jobs.module.css";
import { signed } from "./labels";

/** Healthy paths over the time of the job, as the host itself counted them, above the floor. */
export function PathCount({ job, events }: { job: JobDetail; events: JobEvent[] }) {
  const zone = useZone();
  const points = pathPoints(events);
  const counts = points.flatMap(([, count]) => (count === null ? [] : [count]));
  const takesPath = job.steps.some((step) => signed(step).adapters.length > 0);
  const before = Math.max(0, ...job.steps.map((step) => signed(step).health_floor));
  const unread = points.length - counts.length;
  return (
    <section className="section" aria-label="Paths">
      <h2>
        Paths <span className="dim">healthy paths of the SAN volume that has fewest, each time the host was asked</span>
      </h2>
      {counts.length === 0 ? (
        <p className="dim">
          {points.length > 0
            ? "The host was asked and could not count its paths."
            : job.started_at === null
              ? "The host is asked for its paths when the job begins."
              : "No step of this job has asked the host for its paths."}
        </p>
      ) : (
        <>
          <LazyTimeChart
            title={`Healthy paths from ${timeOfDay(new Date(points[0]?.[0] ?? 0).toISOString(), zone)} on: between ${Math.min(...counts)} and ${Math.max(...counts)}, floor ${job.floor}`}
            series={[{ id: "paths", label: "healthy paths", unit: "", points }]}
            height={150}
            zone={zone}
            domain={[0, Math.max(...counts, before) + 1]}
            isStepped
            floor={takesPath ? { at: job.floor, label: "floor" } : undefined}
          />
          <p className={`dim small ${styles.caption}`}>
            {Math.min(...counts)} at the fewest, {counts.at(-1)} at the last reading.{" "}
            {takesPath
              ? `Before a step takes a path each volume has ${before}, and ${job.floor} stays while it does (the floor).`
              : "No step of this job takes a path."}
            {unread > 0 ? ` ${unread} of ${points.length} readings could not count them and leave a gap.` : ""} Between two readings nothing
            is known: the line holds the last count.
          </p>
        </>
      )}
    </section>
  );
}
