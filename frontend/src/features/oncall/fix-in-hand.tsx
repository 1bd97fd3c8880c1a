import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { planKey, usePlan, useRunUnderStanding, useSubmit, useWithdraw } from "@/entities/plan/queries";
import type { HostPlan, PlanDetail } from "@/entities/plan/types";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { HoldButton } from "@/shared/ui/hold-button";
import { Empty, Failed, LoadingSkeleton, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import { impactLine } from "./labels";
import styles from "./oncall.module.css";

export type DrawJob = (jobId: number, whenUndone: (undo: number) => void) => ReactNode;

interface FixInHandProps {
  planId: number;
  /** The standing approval that it may run under; none where an approver has to sign. */
  under: number | undefined;
  drawJob: DrawJob;
  leave: () => void;
}

/** The fix that this person has in hand: what it will do, the hold that starts it, then its job live, and its undo. */
export function FixInHand({ planId, under, drawJob, leave }: FixInHandProps) {
  const plan = usePlan(planId);
  return (
    <section className={styles.hand} aria-label="Current fix">
      <QueryPanel query={plan} height={260} lines={6}>
        {(data) => (
          <>
            <div className={styles.handHead}>
              <h2>{visible(data.title) || `Plan ${data.id}`}</h2>
              {data.job_rows.length > 0 ? (
                <Button size="compact-sm" onClick={leave}>
                  Close
                </Button>
              ) : null}
            </div>
            <Stage plan={data} under={under} drawJob={drawJob} leave={leave} />
          </>
        )}
      </QueryPanel>
    </section>
  );
}

function Stage({ plan, under, drawJob, leave }: Omit<FixInHandProps, "planId"> & { plan: PlanDetail }) {
  const client = useQueryClient();
  if (plan.state === "DRAFT" || plan.state === "PLANNING") {
    return (
      <>
        <p role="status">Reading the host's configuration and running pre-checks. This takes a few seconds.</p>
        <LoadingSkeleton height={160} lines={5} />
      </>
    );
  }
  // The newest job: an undo comes after the change that it takes back.
  const job = plan.job_rows.at(-1);
  if (job !== undefined) return drawJob(job.id, () => void client.invalidateQueries({ queryKey: planKey(plan.id) }));
  const part = plan.document?.hosts[0];
  if (part === undefined) return <Refused plan={plan} leave={leave} />;
  return (
    <>
      <Change part={part} />
      {plan.freezes.some((one) => one.is_on) ? (
        <p className={styles.gone}>
          Group {visible(plan.freezes.find((one) => one.is_on)?.group_name ?? "")} has a change freeze. The job starts when it ends.
        </p>
      ) : null}
      {plan.state === "PLANNED" ? (
        <Start plan={plan} under={under} leave={leave} />
      ) : (
        <p>{visible(`${plan.state_label}: ${plan.state_words}`)}</p>
      )}
      <p className="dim small">
        <Link to="/remediate/$planId" params={{ planId: String(plan.id) }} className={`link ${styles.target}`}>
          View full plan
        </Link>
      </p>
    </>
  );
}

function Change({ part }: { part: HostPlan }) {
  return (
    <>
      <ol className={styles.steps} aria-label="Steps">
        {part.steps.map((step) => (
          <li key={step.number}>
            <span className="strong">{visible(step.title)}</span>
            {step.elements.length > 1
              ? step.elements.map((one) => (
                  <div key={one.setting}>
                    {visible(one.label)} <FromTo from={one.shown_seen} to={one.shown_target} />
                  </div>
                ))
              : null}
          </li>
        ))}
      </ol>
      <p className="strong">{impactLine(part)}</p>
    </>
  );
}

function Start({ plan, under, leave }: { plan: PlanDetail; under: number | undefined; leave: () => void }) {
  const run = useRunUnderStanding(plan.id);
  const submit = useSubmit(plan.id);
  const withdraw = useWithdraw(plan.id);
  const canRun = under !== undefined && plan.may.includes("run_under_standing");
  return (
    <>
      {canRun ? (
        <HoldButton act="Start fix" isWide isBusy={run.isPending || run.isSuccess} onHeld={() => run.mutate(under)}>
          Hold for 2 s to start
        </HoldButton>
      ) : plan.may.includes("submit") ? (
        <Button variant="filled" fullWidth h={56} loading={submit.isPending} onClick={() => submit.mutate(plan.reason)}>
          Request approval
        </Button>
      ) : null}
      {run.error ? <Failed error={run.error} /> : null}
      {submit.error ? <Failed error={submit.error} /> : null}
      <p className="dim small">
        The result is verified by a new check-in. You can undo it for 24 hours. Valid until <TimeAgo at={plan.not_after} form="moment" />.
      </p>
      {plan.may.includes("withdraw") ? (
        <Button loading={withdraw.isPending} onClick={() => withdraw.mutate("discarded on the on-call page", { onSuccess: leave })}>
          Discard plan
        </Button>
      ) : null}
    </>
  );
}

function Refused({ plan, leave }: { plan: PlanDetail; leave: () => void }) {
  const refusals = plan.document?.refusals ?? [];
  return (
    <>
      <Empty title="Nothing to change">{refusals.length === 0 ? visible(plan.state_words) : null}</Empty>
      <ul className={styles.changes} aria-label="Why">
        {refusals.map((one) => (
          <li key={one.gate + one.words}>
            {visible(one.words)}.
            {one.command ? (
              <div className="dim">
                Check with <CopyableText text={one.command} label="command" />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      <Button onClick={leave}>Close</Button>
    </>
  );
}
