import type { JobDetail, JobEvent } from "@/entities/job/types";
import { timeOfDay } from "@/shared/lib/time";
import { LazyTimeChart } from "@/shared/ui/charts/lazy-time-chart";
import { useZone } from "@/shared/ui/time-ago";
import { pathPoints, unreadSpans, withGaps } from "./events";
import styles from "./jobs.module.css";
import { signed } from "./labels";

/** Healthy paths over the time of the job, as the host itself counted them, above the floor. */
export function PathCount({ job, events }: { job: JobDetail; events: JobEvent[] }) {
  const zone = useZone();
  const points = pathPoints(events);
  const counts = points.flatMap(([, count]) => (count === null ? [] : [count]));
  const takesPath = job.steps.some((step) => signed(step).adapters.length > 0);
  const before = Math.max(0, ...job.steps.map((step) => signed(step).health_floor));
  const failed = points.length - counts.length;
  const takes = new Set(job.steps.flatMap((step) => (signed(step).adapters.length > 0 ? [step.number] : [])));
  const ended = job.finished_at === null ? Date.now() : Date.parse(job.finished_at);
  const spans = unreadSpans(events, takes, ended);
  const seconds = Math.round(spans.reduce((sum, [since, until]) => sum + until - since, 0) / 1000);
  return (
    <section className="section" aria-label="Paths">
      <h2>
        Paths <span className="dim">healthy paths of the volume with the fewest, at each reading</span>
      </h2>
      {counts.length === 0 ? (
        <p className="dim">
          {points.length > 0
            ? "The host couldn't report its paths."
            : job.started_at === null
              ? "Path readings start with the job."
              : "No path readings in this job."}
        </p>
      ) : (
        <>
          <LazyTimeChart
            title={`Healthy paths since ${timeOfDay(new Date(points[0]?.[0] ?? 0).toISOString(), zone)}: between ${Math.min(...counts)} and ${Math.max(...counts)}, floor ${job.floor}${seconds > 0 ? `, unknown for ${seconds} s` : ""}`}
            series={[{ id: "paths", label: "healthy paths", unit: "", points: withGaps(points, spans) }]}
            to={Math.max(points.at(-1)?.[0] ?? 0, ...spans.map(([, until]) => until))}
            unread={spans}
            height={150}
            zone={zone}
            domain={[0, Math.max(...counts, before) + 1]}
            isStepped
            floor={takesPath ? { at: job.floor, label: "floor" } : undefined}
          />
          <p className={`dim small ${styles.caption}`}>
            Lowest {Math.min(...counts)}, latest {counts.at(-1)}.{" "}
            {takesPath
              ? `Each volume needs ${before} paths before a step that takes one down, and keeps at least ${job.floor} (the floor).`
              : "No step of this job takes a path down."}
            {failed > 0 ? ` ${failed} of ${points.length} readings failed and leave gaps.` : ""} Between readings, the line repeats the last
            value.
            {seconds > 0 ? ` Hatched: unknown for ${seconds} s while a step took an adapter down.` : ""}
          </p>
        </>
      )}
    </section>
  );
}
