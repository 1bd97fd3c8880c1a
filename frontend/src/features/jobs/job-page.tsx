import { Link } from "@tanstack/react-router";
import { JobStateBadge, ranFor } from "@/entities/job/job-state-badge";
import { isOpen } from "@/entities/job/queries";
import type { JobDetail } from "@/entities/job/types";
import type { Session } from "@/entities/person/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { useNow } from "@/shared/lib/use-now";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Acts } from "./acts";
import { Effect } from "./effect";
import { useJobEvents } from "./follow";
import { JobCounters } from "./job-counters";
import styles from "./jobs.module.css";
import { Log } from "./log";
import { Next, Now } from "./now";
import { PathCount } from "./path-count";
import { useJob } from "./queries";
import type { JobSearch } from "./search";
import { Steps } from "./steps";

interface JobPageProps {
  jobId: number;
  search: JobSearch;
  setSearch: PatchSearch<JobSearch>;
  can: Partial<Session["can"]>;
}

/** One job: its state, its effect on the paths, the result of each step, and the log. */
export function JobPage({ jobId, search, setSearch, can }: JobPageProps) {
  const job = useJob(jobId);
  if (isMissing(job)) {
    return <NotFound what="job" title="Job not found" to="/jobs" />;
  }
  return (
    <QueryPanel query={job} height={560} lines={14}>
      {(data) => <Followed job={data} search={search} setSearch={setSearch} can={can} />}
    </QueryPanel>
  );
}

function Followed({ job, search, setSearch, can }: Omit<JobPageProps, "jobId"> & { job: JobDetail }) {
  const { events, following } = useJobEvents(job.id, job.last_event);
  return (
    <>
      <Head job={job} />
      <Now job={job} events={events} following={following} />
      <Acts job={job} />
      <Next job={job} canPlan={can.draft_plans ?? false} />
      <PathCount job={job} events={events} />
      <Steps job={job} />
      <Effect jobId={job.id} isFinished={job.finished_at !== null} />
      <JobCounters job={job} />
      <Log job={job} events={events} following={following} search={search} setSearch={setSearch} />
    </>
  );
}

function Head({ job }: { job: JobDetail }) {
  const now = useNow(5000);
  const ran = ranFor(job, now);
  return (
    <header>
      <h1>
        {job.kind === "undo" ? "Undo on" : "Change on"} {visible(job.host.name)}
      </h1>
      <div className={styles.line}>
        <JobStateBadge job={job} />
        <span>
          {job.kind === "undo" ? (
            <>
              Undoes{" "}
              <Link to="/jobs/$jobId" params={{ jobId: String(job.undoes_id) }} className="link">
                job {job.undoes_id}
              </Link>{" "}
              of{" "}
            </>
          ) : (
            "Part of "
          )}
          <Link to="/remediate/$planId" params={{ planId: String(job.plan_id) }} className="link">
            {visible(job.plan_title) || `Plan ${job.plan_id}`}
          </Link>
        </span>
        <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
          View host
        </Link>
        <span>Started by {visible(job.requested_by)}</span>
        {job.started_at ? (
          <span>
            Started <TimeAgo at={job.started_at} form="moment" />
            {ran ? `, ${isOpen(job) ? "running for" : "ran for"} ${ran}` : ""}
          </span>
        ) : null}
        <span>
          {job.steps_done} of {job.steps_total} steps done
        </span>
        {["WAITING", "QUEUED", "RUNNING"].includes(job.state) ? (
          <span>
            Must start by <TimeAgo at={job.not_after} form="moment" />
          </span>
        ) : null}
      </div>
    </header>
  );
}
