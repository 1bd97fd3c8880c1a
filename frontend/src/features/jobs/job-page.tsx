import { Link } from "@tanstack/react-router";
import { isOpen } from "@/api/jobs";
import { ApiProblem } from "@/api/problem";
import type { JobDetail, JobEvent, Session } from "@/api/types";
import { Instant, useNow } from "@/components/instant";
import { JobState, ranFor } from "@/components/job-state";
import { Empty, Panel } from "@/components/panel";
import { PlanFix } from "@/components/plan-fix";
import type { PatchSearch } from "@/lib/patch";
import { visible } from "@/lib/text";
import { age } from "@/lib/time";
import { Acts } from "./acts";
import { type Following, useJobEvents } from "./follow";
import styles from "./jobs.module.css";
import { Log } from "./log";
import { PathCount } from "./path-count";
import { useJob } from "./queries";
import type { JobSearch } from "./search";
import { Steps } from "./steps";
import { leftFindings, nextActs, presentWords } from "./words";

interface JobPageProps {
  jobId: number;
  search: JobSearch;
  setSearch: PatchSearch<JobSearch>;
  can: Partial<Session["can"]>;
}

/** One job: where it stands, what it does to the paths, what each step did, and every line of what happened. */
export function JobPage({ jobId, search, setSearch, can }: JobPageProps) {
  const job = useJob(jobId);
  if (job.data === undefined && job.error instanceof ApiProblem && job.error.status === 404) {
    return (
      <>
        <h1>No such job</h1>
        <Empty
          title="No job of your groups has this number."
          action={
            <Link to="/jobs" className="link">
              To the list of jobs
            </Link>
          }
        />
      </>
    );
  }
  return (
    <Panel query={job} height={560} lines={14}>
      {(data) => <Followed job={data} search={search} setSearch={setSearch} can={can} />}
    </Panel>
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
        <JobState job={job} />
        <span>
          {job.kind === "undo" ? (
            <>
              takes back{" "}
              <Link to="/jobs/$jobId" params={{ jobId: String(job.undoes_id) }} className="link">
                job {job.undoes_id}
              </Link>{" "}
              of{" "}
            </>
          ) : (
            "of "
          )}
          <Link to="/remediate/$planId" params={{ planId: String(job.plan_id) }} className="link">
            {visible(job.plan_title) || `plan ${job.plan_id}`}
          </Link>
        </span>
        <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
          the host
        </Link>
        <span>begun by {visible(job.requested_by)}</span>
        {job.started_at ? (
          <span>
            at <Instant at={job.started_at} form="moment" />
            {ran ? `, ${isOpen(job) ? "running for" : "ran for"} ${ran}` : ""}
          </span>
        ) : null}
        <span>
          {job.steps_done} of {job.steps_total} steps done
        </span>
        {["WAITING", "QUEUED", "RUNNING"].includes(job.state) ? (
          <span>
            nothing of it begins after <Instant at={job.not_after} form="moment" />
          </span>
        ) : null}
      </div>
    </header>
  );
}

/** The present step in plain words, and when something was heard last: never a turning wheel without a time. */
function Now({ job, events, following }: { job: JobDetail; events: JobEvent[]; following: Following }) {
  const now = useNow(1000);
  const last = events.at(-1);
  return (
    <section className={styles.now} aria-label="Now" data-open={isOpen(job) || undefined}>
      <p className={styles.words} role="status">
        {visible(presentWords(job))}
      </p>
      <p className="dim small">
        {isOpen(job) ? (
          <>
            {last ? `heard ${heard(last.at, now)}` : "nothing heard yet"} · {FOLLOWING[following]}
            {job.state === "RUNNING" && job.lease_until !== null && Date.parse(job.lease_until) < now.getTime()
              ? " · no worker has it now: the next one goes on from where the host says that it stands"
              : ""}
            {job.next_try_at && Date.parse(job.next_try_at) > now.getTime() ? (
              <>
                {" "}
                · looked at again <Instant at={job.next_try_at} />
              </>
            ) : null}
          </>
        ) : (
          <Ended job={job} />
        )}
      </p>
    </section>
  );
}

const heard = (at: string, now: Date): string => {
  const words = age(at, now);
  return words === "just now" ? words : `${words} ago`;
};

const FOLLOWING: Record<Following, string> = {
  opening: "connecting",
  live: "live",
  polling: "the live connection is away, asked every 3 s",
  over: "ended",
};

/** How an ended job was verified. An exit code never is: only a check-in that the host made afterwards. */
function Ended({ job }: { job: JobDetail }) {
  const at = <Instant at={job.finished_at} form="exact" />;
  if (job.state === "SUCCEEDED")
    return (
      <>
        Ended {at}, by the host's own check-in and never by an exit code.{" "}
        <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
          What it shows
        </Link>
      </>
    );
  if (job.state === "RESOLVED")
    return (
      <>
        Settled {at} by {visible(job.resolved_by)}
      </>
    );
  return <>Ended {at}</>;
}

/** What a person does next. */
function Next({ job, canPlan }: { job: JobDetail; canPlan: boolean }) {
  const acts = nextActs(job);
  const left = job.kind === "change" && !isOpen(job) ? leftFindings(job) : [];
  if (acts.length === 0) return null;
  return (
    <section className={styles.next} aria-label="What to do next">
      <h2>What to do next</h2>
      {acts.length === 1 ? (
        <p>{visible(acts[0] ?? "")}</p>
      ) : (
        <ol>
          {acts.map((act) => (
            <li key={act}>{visible(act)}</li>
          ))}
        </ol>
      )}
      {left.length > 0 && canPlan ? (
        <PlanFix
          wanted={{
            findings: left.map((one) => ({
              host_id: one.host,
              pack: one.pack,
              rule: one.rule,
              subject_kind: one.subject_kind,
              subject_id: one.subject_id,
            })),
          }}
          reason={`what job ${job.id} left undone`}
          label="Plan the rest again"
          about={`job ${job.id}`}
        />
      ) : null}
    </section>
  );
}
