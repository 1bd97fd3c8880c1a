import { Link } from "@tanstack/react-router";
import { isOpen } from "@/entities/job/queries";
import type { JobDetail, JobEvent } from "@/entities/job/types";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { age } from "@/shared/lib/time";
import { CopyableText } from "@/shared/ui/copy-button";
import { TimeAgo, useNow } from "@/shared/ui/time-ago";
import type { Following } from "./follow";
import styles from "./jobs.module.css";
import { leftFindings, nextActs, presentText, signed } from "./labels";

/** The present step in plain words, and when the host last answered: never a turning wheel without a time. */
export function Now({ job, events, following }: { job: JobDetail; events: JobEvent[]; following: Following }) {
  const now = useNow(1000);
  const last = events.at(-1);
  return (
    <section className={styles.now} aria-label="Now" data-open={isOpen(job) || undefined}>
      <p className={styles.words} role="status">
        {visible(presentText(job))}
      </p>
      <p className="dim small">
        {isOpen(job) ? (
          <>
            {last ? `heard ${lastEvent(last.at, now)}` : "nothing heard yet"} · {FOLLOWING[following]}
            {job.state === "RUNNING" && job.lease_until !== null && Date.parse(job.lease_until) < now.getTime()
              ? " · no worker has it now: the next one goes on from where the host says that it stands"
              : ""}
            {job.state === "WAITING" && job.queued_at ? (
              <>
                {" "}
                · ready since <TimeAgo at={job.queued_at} />, approved until <TimeAgo at={job.not_after} form="exact" />
              </>
            ) : null}
            {job.next_try_at && Date.parse(job.next_try_at) > now.getTime() ? (
              <>
                {" "}
                · looked at again <TimeAgo at={job.next_try_at} />
              </>
            ) : null}
            <Floor job={job} />
          </>
        ) : (
          <Ended job={job} />
        )}
      </p>
    </section>
  );
}

const lastEvent = (at: string, now: Date): string => {
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
  const at = <TimeAgo at={job.finished_at} form="exact" />;
  if (job.state === "SUCCEEDED")
    return (
      <>
        Ended {at}, by {job.verified_by ? <CheckIn of={job.verified_by} /> : "the host's own check-in"} and never by an exit code.{" "}
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
  if (job.verified_by)
    return (
      <>
        Ended {at}, by <CheckIn of={job.verified_by} />
      </>
    );
  return <>Ended {at}</>;
}

/** The check-in whose word it was, as the host numbers it. */
function CheckIn({ of }: { of: NonNullable<JobDetail["verified_by"]> }) {
  return (
    <>
      the host's own check-in{" "}
      <CopyableText text={`${of.epoch}/${of.seq} sha256:${of.digest}`} shown={`${of.epoch}/${of.seq}`} label="check-in number and digest" />
      , received <TimeAgo at={of.received_at} form="exact" />,
    </>
  );
}

/** What the volumes keep while the step under way takes paths. */
function Floor({ job }: { job: JobDetail }) {
  const step = job.steps.find((one) => ["INTENT", "IN_FLIGHT", "UNKNOWN", "APPLIED"].includes(one.state));
  if (step === undefined || signed(step).adapters.length === 0) return null;
  const worst = signed(step).forecast.volumes?.[0];
  return (
    <>
      {" "}
      · {worst ? `takes ${worst.before - worst.during} of ${worst.before} paths meanwhile, ` : ""}
      {plural(job.floor, "path")} of each volume always {job.floor === 1 ? "stays" : "stay"}
    </>
  );
}

/** What a person does next. */
export function Next({ job, canPlan }: { job: JobDetail; canPlan: boolean }) {
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
        <PlanFixButton
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
