import { Link } from "@tanstack/react-router";
import { isOpen } from "@/entities/job/queries";
import type { JobDetail } from "@/entities/job/types";
import { QueryPanel } from "@/shared/ui/query-panel";
import { Acts } from "./acts";
import { useJobEvents } from "./follow";
import styles from "./jobs.module.css";
import { signed } from "./labels";
import { Next, Now } from "./now";
import { PathCount } from "./path-count";
import { useJob } from "./queries";
import { StepList } from "./steps";

interface JobCardProps {
  jobId: number;
  canPlan: boolean;
  /** Where the undo of this job is shown; without it the page of that job opens. */
  whenUndone?: (undo: number) => void;
}

/** A job on the page that started it: what it does now, its steps, the paths, and undo. */
export function JobCard({ jobId, canPlan, whenUndone }: JobCardProps) {
  const job = useJob(jobId);
  return (
    <QueryPanel query={job} height={420} lines={10}>
      {(data) => <Followed job={data} canPlan={canPlan} whenUndone={whenUndone} />}
    </QueryPanel>
  );
}

function Followed({ job, canPlan, whenUndone }: Omit<JobCardProps, "jobId"> & { job: JobDetail }) {
  const { events, following } = useJobEvents(job.id, job.last_event);
  return (
    <div className={styles.card}>
      <Now job={job} events={events} following={following} />
      <Acts job={job} whenUndone={whenUndone} isWide />
      <Next job={job} canPlan={canPlan} />
      <StepList steps={job.steps} />
      {job.steps.some((step) => signed(step).adapters.length > 0) ? <PathCount job={job} events={events} /> : null}
      <Link to="/jobs/$jobId" params={{ jobId: String(job.id) }} className={`link ${styles.whole}`}>
        {isOpen(job) ? "View job and log" : "View job, log and verification"}
      </Link>
    </div>
  );
}
