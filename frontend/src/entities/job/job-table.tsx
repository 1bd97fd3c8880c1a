import { Link } from "@tanstack/react-router";
import { NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { useNow } from "@/shared/lib/use-now";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { TimeAgo } from "@/shared/ui/time-ago";
import { JobStateBadge, ranFor } from "./job-state-badge";
import styles from "./job-table.module.css";
import type { JobRow } from "./types";

interface JobTableProps {
  rows: JobRow[];
  /** Left out on a host's own page. */
  hasHost?: boolean;
  /** Left out on a plan's own page, where the wave stands instead. */
  hasPlan?: boolean;
}

/** Jobs as a table, and as cards where it has no room. Each leads to its own page. */
export function JobTable({ rows, hasHost = true, hasPlan = true }: JobTableProps) {
  const now = useNow(5000);
  return (
    <DataTable
      label="Jobs"
      columns={columnsOf(now)}
      hidden={[hasHost ? "" : "host", hasPlan ? "wave" : "plan"]}
      rows={rows}
      rowKey={(job) => job.id}
      card={(job) => <JobCard job={job} hasHost={hasHost} hasPlan={hasPlan} now={now} />}
    />
  );
}

const columnsOf = (now: Date): Column<JobRow>[] => [
  {
    head: "Job",
    id: "job",
    isNumber: true,
    cell: (job) => (
      <Link to="/jobs/$jobId" params={{ jobId: String(job.id) }} className="link" aria-label={jobName(job)}>
        {job.id}
      </Link>
    ),
  },
  {
    head: "Host",
    id: "host",
    cell: (job) => (
      <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
        {visible(job.host.name)}
      </Link>
    ),
  },
  {
    head: "State",
    className: styles.words,
    cell: (job) => (
      <>
        <JobStateBadge job={job} />
        <StateReason job={job} />
      </>
    ),
  },
  { head: "Steps", isNumber: true, cell: (job) => stepsText(job) },
  {
    head: "Plan",
    id: "plan",
    cell: (job) => (
      <>
        <Link to="/remediate/$planId" params={{ planId: String(job.plan_id) }} className={`link ${styles.target}`}>
          {visible(job.plan_title) || `Plan ${job.plan_id}`}
        </Link>
        {job.kind === "undo" ? <Undoes job={job} /> : null}
      </>
    ),
  },
  { head: "Wave", id: "wave", isNumber: true, cell: (job) => (job.kind === "undo" ? <Undoes job={job} /> : job.wave) },
  { head: "Started by", cell: (job) => visible(job.requested_by) || NO_DATA },
  { head: "State since", className: "nowrap", cell: (job) => <TimeAgo at={job.state_at} /> },
  {
    head: "Duration",
    isNumber: true,
    className: "nowrap",
    cell: (job) => ranFor(job, now) ?? <span title="Not started">{NO_DATA}</span>,
  },
];

function JobCard({ job, hasHost, hasPlan, now }: { job: JobRow; hasHost: boolean; hasPlan: boolean; now: Date }) {
  const ran = ranFor(job, now);
  return (
    <>
      <div className={styles.head}>
        <Link to="/jobs/$jobId" params={{ jobId: String(job.id) }} className={styles.name} aria-label={jobName(job)}>
          {hasHost ? visible(job.host.name) : `Job ${job.id}`}
        </Link>
        <span className="dim nowrap">
          <TimeAgo at={job.state_at} />
        </span>
      </div>
      <div>
        <JobStateBadge job={job} />
        <StateReason job={job} />
      </div>
      <div className={styles.facts}>
        <span>
          {job.kind === "undo"
            ? `Undo of job ${job.undoes_id}`
            : hasPlan
              ? visible(job.plan_title) || `Plan ${job.plan_id}`
              : `Wave ${job.wave}`}
        </span>
        <span>{stepsText(job)} steps</span>
        <span>{visible(job.requested_by)}</span>
        {ran ? <span>Duration: {ran}</span> : null}
      </div>
    </>
  );
}

const jobName = (job: JobRow): string => `Job ${job.id}${job.kind === "undo" ? ": undo" : ""} on ${visible(job.host.name)}`;

const stepsText = (job: JobRow): string => `${job.steps_done} of ${job.steps_total}`;

/** Why it stands as it does, where its state alone does not say it. */
function StateReason({ job }: { job: JobRow }) {
  const reason = job.state_words === job.state_label ? "" : job.state_words;
  // "pending: reboot" stands in the words as well, where there are any.
  const effect = job.effect && !reason.includes(job.effect) ? job.effect : "";
  if (!reason && !effect) return null;
  return <div className="dim small">{visible([reason, effect].filter(Boolean).join("; "))}</div>;
}

function Undoes({ job }: { job: JobRow }) {
  return (
    <div className="dim small">
      Undo of{" "}
      <Link to="/jobs/$jobId" params={{ jobId: String(job.undoes_id) }} className={`link ${styles.target}`}>
        job {job.undoes_id}
      </Link>
    </div>
  );
}
