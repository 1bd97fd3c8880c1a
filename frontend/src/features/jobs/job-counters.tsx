import { Link } from "@tanstack/react-router";
import { ChartsView } from "@/entities/counters/charts-view";
import { useCharts } from "@/entities/counters/queries";
import { WatchCounters } from "@/entities/counters/watch-counters";
import type { JobDetail } from "@/entities/job/types";
import { QueryPanel } from "@/shared/ui/query-panel";

const HOUR_MS = 3_600_000;

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** The host's counters from an hour before the job to an hour after it, with the job among the marks. */
export function JobCounters({ job }: { job: JobDetail }) {
  const began = job.started_at === null ? null : Date.parse(job.started_at);
  const to = job.finished_at === null ? undefined : iso(Date.parse(job.finished_at) + HOUR_MS);
  const from = began === null ? undefined : iso(began - HOUR_MS);
  // Up to now where the hour after the job is not over yet.
  const isOver = to !== undefined && Date.parse(to) < Date.now();
  const range = { from, to: isOver ? to : undefined };
  const charts = useCharts({ host: [job.host.id], ...range }, began !== null);
  if (began === null) return null;
  return (
    <section className="section" aria-label="Counters">
      <h2>
        Counters{" "}
        <span className="dim">
          from one hour before to one hour after.{" "}
          <Link to="/performance" search={{ host: [job.host.id], ...range, compare: `job:${job.id}` }} className="link">
            Compare with before the job
          </Link>
        </span>
      </h2>
      <WatchCounters host={job.host} job={job.id} />
      <QueryPanel
        query={charts}
        height={220}
        isEmpty={(data) => data.series.every((line) => line.statistics.readings === 0)}
        empty={<p className="dim">The host sent no counters at that time.</p>}
      >
        {(data) => <ChartsView data={data} height={160} isBrief />}
      </QueryPanel>
    </section>
  );
}
