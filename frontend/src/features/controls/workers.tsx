import type { ExecutorActivity } from "@/entities/controls/types";
import { useJobs } from "@/entities/job/queries";
import type { JobRow } from "@/entities/job/types";
import { visible } from "@/shared/lib/text";
import { useNow } from "@/shared/lib/use-now";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./controls.module.css";
import { ACTIVE_WITHIN_S, workerState } from "./labels";
import { useWorkers } from "./queries";

const QUEUED = { state: ["QUEUED"] };

/** The processes that change hosts, and when each last took a task. */
export function Workers() {
  const workers = useWorkers();
  const queued = useJobs(QUEUED);
  const now = useNow(5_000);
  const waiting = (queued.data?.pages ?? []).flatMap((page) => page.items).filter((job) => isLong(job, now)).length;
  return (
    <section className={styles.part} aria-label="Workers">
      <div className={styles.bar}>
        <h2>Workers</h2>
        <span className="dim small">Healthy workers pick up ready jobs within seconds</span>
      </div>
      <QueryPanel
        query={workers}
        height={90}
        lines={3}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty
            title={waiting > 0 ? "Jobs are queued but no worker has been active for 24 hours" : "No worker active in the last 24 hours"}
          >
            {waiting > 0 ? "Check that an executor worker is running. Run plumbline doctor for details." : "No jobs were due."}
          </Empty>
        }
      >
        {(data) => <DataTable columns={columnsOf(waiting, now)} rows={data} rowKey={(one) => `${one.worker} ${one.queue}`} />}
      </QueryPanel>
    </section>
  );
}

const columnsOf = (waiting: number, now: Date): Column<ExecutorActivity>[] => [
  { head: "Worker", className: "mono", cell: (one) => visible(one.worker) },
  { head: "Queue", cell: (one) => visible(one.queue) },
  {
    head: "State",
    cell: (one) => {
      const state = workerState(one.heard_at, waiting, now);
      return <StatusLabel status={state.status}>{state.label}</StatusLabel>;
    },
  },
  { head: "Last active", className: "nowrap", cell: (one) => <TimeAgo at={one.heard_at} /> },
];

const isLong = (job: JobRow, now: Date): boolean => now.getTime() - Date.parse(job.state_at) > ACTIVE_WITHIN_S * 1000;
