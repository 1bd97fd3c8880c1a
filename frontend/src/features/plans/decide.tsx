import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useStandingApprovals } from "@/entities/controls/queries";
import { confirmIdentity } from "@/entities/person/confirm-identity";
import { useRunUnderStanding, useSubmit, useWithdraw } from "@/entities/plan/queries";
import type { PlanDetail, PlannedWork } from "@/entities/plan/types";
import { plural, shortDigest } from "@/shared/lib/format";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { CopyableText } from "@/shared/ui/copy-button";
import { Failed } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Adjust } from "./adjust";
import { CopyMenu } from "./copy-menu";
import styles from "./plans.module.css";
import { useApprove, useBreakGlass, useRefuse, useResume, useReview, useStop } from "./queries";
import { TakeOut } from "./take-out";

/** The foot of a plan: what this person may do with it now. What somebody else must do is explained. */
export function Decide({ plan, work }: { plan: PlanDetail; work: PlannedWork | null }) {
  const may = new Set(plan.may);
  const hasWork = work !== null && work.hosts.length > 0;
  const hasCommands = hasWork || (work?.without_job ?? []).length > 0;
  return (
    <div className={styles.foot}>
      {may.has("submit") ? <Ask plan={plan} /> : <p className="dim">{waitsFor(plan)}</p>}
      <div className={styles.buttons}>
        {hasCommands ? <CopyMenu planId={plan.id} /> : null}
        {may.has("submit") && hasWork ? <Adjust plan={plan} work={work} /> : null}
        {may.has("submit") && hasWork && work.hosts.length > 1 ? <TakeOut plan={plan} work={work} /> : null}
        {may.has("run_under_standing") ? <UnderStanding plan={plan} /> : null}
        {may.has("withdraw") ? <Withdraw plan={plan} /> : null}
        {may.has("break_glass") ? <BreakGlass plan={plan} /> : null}
        {may.has("review") ? <Review plan={plan} /> : null}
        {may.has("stop") ? <Stop plan={plan} /> : null}
        {may.has("resume") ? <Resume plan={plan} /> : null}
        {may.has("refuse") ? <Refuse plan={plan} /> : null}
        {may.has("approve") ? <Approve plan={plan} work={work} /> : null}
        {may.has("submit") ? (
          <Button type="submit" form="ask-for-approval" variant="filled">
            Request approval
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function waitsFor(plan: PlanDetail): string {
  if (plan.state === "AWAITING_APPROVAL" && !plan.may.includes("approve")) return "Waiting for an approver other than the requester.";
  if (plan.state === "AWAITING_APPROVAL") return `Reason: ${plan.reason}`;
  if (plan.state === "PLANNED") return "The author can request approval.";
  return plan.reason ? `Reason: ${plan.reason}` : "";
}

function Ask({ plan }: { plan: PlanDetail }) {
  const submit = useSubmit(plan.id);
  const [reason, setReason] = useState(plan.reason);
  return (
    <form
      id="ask-for-approval"
      onSubmit={(event) => {
        event.preventDefault();
        submit.mutate(reason.trim());
      }}
    >
      {submit.error ? <Failed error={submit.error} /> : null}
      <TextInput
        label="Reason (shown to the approver and in the audit log)"
        required
        withAsterisk={false}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </form>
  );
}

const REASON = { label: "Reason (saved in the audit log)", missing: "Enter a reason" };

function Approve({ plan, work }: { plan: PlanDetail; work: PlannedWork | null }) {
  const approve = useApprove(plan.id);
  const steps = work?.hosts.reduce((sum, host) => sum + host.steps.length, 0) ?? 0;
  return (
    <ActionDialog
      title="Approve plan"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Approve…
        </Button>
      )}
      identity={confirmIdentity}
      onConfirm={({ password }) => approve.mutateAsync(password)}
    >
      <p>
        You approve {plural(steps, "step")} on {plural(work?.hosts.length ?? 0, "host")}, exactly as shown: current value, new value and
        undo value, {plan.window_id === null ? "at any time" : "in its maintenance window"} until{" "}
        <TimeAgo at={plan.not_after} form="exact" />. For 24 hours after each job, any operator of these hosts can undo it under this
        approval. Hosts whose values have changed are skipped.
      </p>
      <p className="dim small">
        Hash <CopyableText text={plan.digest} shown={shortDigest(plan.digest)} label="plan hash" />
      </p>
    </ActionDialog>
  );
}

function Refuse({ plan }: { plan: PlanDetail }) {
  const refuse = useRefuse(plan.id);
  return (
    <ActionDialog
      title="Reject plan"
      size="lg"
      opener={(open) => <Button onClick={open}>Reject…</Button>}
      reason={REASON}
      onConfirm={({ reason }) => refuse.mutateAsync(reason)}
    >
      <p>Nothing runs. The author sees your reason and can create a new plan.</p>
    </ActionDialog>
  );
}

function Withdraw({ plan }: { plan: PlanDetail }) {
  const withdraw = useWithdraw(plan.id);
  return (
    <ActionDialog
      title="Withdraw plan"
      size="lg"
      opener={(open) => <Button onClick={open}>Withdraw…</Button>}
      reason={REASON}
      onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
    >
      <p>Nothing runs. You can plan again at any time.</p>
    </ActionDialog>
  );
}

function Stop({ plan }: { plan: PlanDetail }) {
  const stop = useStop(plan.id);
  return (
    <ActionDialog
      title="Stop plan"
      size="lg"
      opener={(open) => <Button onClick={open}>Stop…</Button>}
      reason={REASON}
      onConfirm={({ reason }) => stop.mutateAsync(reason)}
    >
      <p>Each job stops after its current step. Completed steps remain and can be undone. Remaining jobs don't start.</p>
    </ActionDialog>
  );
}

function Resume({ plan }: { plan: PlanDetail }) {
  const resume = useResume(plan.id);
  return (
    <ActionDialog
      title="Resume plan"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Resume…
        </Button>
      )}
      reason={REASON}
      onConfirm={({ reason }) => resume.mutateAsync(reason)}
    >
      <p>The plan paused: {plan.state_words}. Resuming starts the next hosts anyway.</p>
    </ActionDialog>
  );
}

function BreakGlass({ plan }: { plan: PlanDetail }) {
  const breakGlass = useBreakGlass(plan.id);
  return (
    <ActionDialog
      title="Run without an approver (break-glass)"
      size="lg"
      opener={(open) => <Button onClick={open}>Break-glass…</Button>}
      reason={REASON}
      identity={confirmIdentity}
      onConfirm={breakGlass.mutateAsync}
    >
      <p>
        {plan.break_glass_by
          ? `${plan.break_glass_by} requested this. If you confirm as second admin, the plan runs now without an approver.`
          : "Two admins can run a plan without an approver. You are the first. Nothing runs until a second admin confirms."}{" "}
        This sends an alert and must be reviewed by someone not involved.
      </p>
    </ActionDialog>
  );
}

/** A plan that ran without an approver is reviewed by someone who was not involved. */
function Review({ plan }: { plan: PlanDetail }) {
  const review = useReview(plan.id);
  return (
    <ActionDialog
      title="Record review"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Review…
        </Button>
      )}
      reason={REASON}
      onConfirm={({ reason }) => review.mutateAsync(reason)}
    >
      <p>
        {plan.approval?.approver} and {plan.approval?.second} ran this plan without an approver. Describe what you checked and whether it
        was justified. This clears the banner.
      </p>
    </ActionDialog>
  );
}

/** Running now under a standing approval, where one covers this group; the API checks that it covers every step. */
function UnderStanding({ plan }: { plan: PlanDetail }) {
  const standing = useStandingApprovals();
  const run = useRunUnderStanding(plan.id);
  const usable = (standing.data ?? []).filter((one) => one.is_in_force);
  const [first] = usable;
  if (first === undefined) return null;
  return (
    <ActionDialog
      title={`Run under standing approval “${first.name}”`}
      size="lg"
      opener={(open) => <Button onClick={open}>Run now…</Button>}
      onConfirm={() => run.mutateAsync(first.id)}
    >
      <p>
        {first.signer} pre-approved fixes like this, one host at a time, until <TimeAgo at={first.expires_at} form="exact" />. The run is
        rejected if any step is not covered.
      </p>
    </ActionDialog>
  );
}
