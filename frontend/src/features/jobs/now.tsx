import { Link } from "@tanstack/react-router";
import { isOpen } from "@/entities/job/queries";
import type { JobDetail, JobEvent } from "@/entities/job/types";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { age } from "@/shared/lib/time";
import { useNow } from "@/shared/lib/use-now";
import { CopyableText } from "@/shared/ui/copy-button";
import { TimeAgo } from "@/shared/ui/time-ago";
import type { Following } from "./follow";
import styles from "./jobs.module.css";
import { leftFindings, nextActs, presentText, signed } from "./labels";

/** The current step, and when the host last answered. */
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
            {last ? `Last update ${lastEvent(last.at, now)}` : "No update yet"} · {FOLLOWING[following]}
            {job.state === "RUNNING" && job.lease_until !== null && Date.parse(job.lease_until) < now.getTime()
              ? " · no worker assigned; the next one resumes from the host's actual state"
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
                · next check <TimeAgo at={job.next_try_at} />
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
  opening: "Connecting…",
  live: "Live",
  polling: "Live updates lost, polling every 3 s",
  over: "Finished",
};

/** How a finished job was verified: by a check-in from after its last step, never by an exit code. */
function Ended({ job }: { job: JobDetail }) {
  const at = <TimeAgo at={job.finished_at} form="exact" />;
  if (job.state === "SUCCEEDED")
    return (
      <>
        Finished {at}, verified by {job.verified_by ? <CheckIn of={job.verified_by} /> : "the host's check-in"}.{" "}
        <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
          View host
        </Link>
      </>
    );
  if (job.state === "RESOLVED")
    return (
      <>
        Resolved {at} by {visible(job.resolved_by)}
      </>
    );
  if (job.verified_by)
    return (
      <>
        Finished {at}; last check-in: <CheckIn of={job.verified_by} />
      </>
    );
  return <>Finished {at}</>;
}

/** The check-in that verified it, by the host's own number. */
function CheckIn({ of }: { of: NonNullable<JobDetail["verified_by"]> }) {
  return (
    <>
      check-in{" "}
      <CopyableText text={`${of.epoch}/${of.seq} sha256:${of.digest}`} shown={`${of.epoch}/${of.seq}`} label="check-in number and digest" />
      , received <TimeAgo at={of.received_at} form="exact" />
    </>
  );
}

/** The paths that the volumes keep during the current step. */
function Floor({ job }: { job: JobDetail }) {
  const step = job.steps.find((one) => ["INTENT", "IN_FLIGHT", "UNKNOWN", "APPLIED"].includes(one.state));
  if (step === undefined || signed(step).adapters.length === 0) return null;
  const worst = signed(step).forecast.volumes?.[0];
  return (
    <>
      {" "}
      · {worst ? `${worst.before - worst.during} of ${worst.before} paths down meanwhile, ` : ""}
      at least {plural(job.floor, "path")} per volume {job.floor === 1 ? "stays" : "stay"} up
    </>
  );
}

/** What the user does next. */
export function Next({ job, canPlan }: { job: JobDetail; canPlan: boolean }) {
  const acts = nextActs(job);
  const left = job.kind === "change" && !isOpen(job) ? leftFindings(job) : [];
  if (acts.length === 0) return null;
  return (
    <section className={styles.next} aria-label="Next steps">
      <h2>Next steps</h2>
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
          reason={`Remaining work of job ${job.id}`}
          label="Plan remaining work"
          about={`job ${job.id}`}
        />
      ) : null}
    </section>
  );
}
