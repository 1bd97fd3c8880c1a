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
  if (plan.state === "AWAITING_APPROVAL" && !plan.may.includes("approve"))
    return "It waits for an approver who did not ask for it. Whoever may approve sees the same page with Approve and Refuse.";
  if (plan.state === "AWAITING_APPROVAL") return `Reason: ${plan.reason}`;
  if (plan.state === "PLANNED") return "Its author asks for approval.";
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
        label="Reason, read by the approver and the auditor"
        required
        withAsterisk={false}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </form>
  );
}

const REASON = { label: "Reason, kept in the audit trail", missing: "Say why first." };

function Approve({ plan, work }: { plan: PlanDetail; work: PlannedWork | null }) {
  const approve = useApprove(plan.id);
  const steps = work?.hosts.reduce((sum, host) => sum + host.steps.length, 0) ?? 0;
  return (
    <ActionDialog
      title="Approve the whole plan"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Approve …
        </Button>
      )}
      identity={confirmIdentity}
      hasBack
      onConfirm={({ password }) => approve.mutateAsync(password)}
    >
      <p>
        You sign {plural(steps, "step")} on {plural(work?.hosts.length ?? 0, "host")} in this order, each with the value that it was planned
        from, the one that it sets and the way back, {plan.window_id === null ? "at any time" : "inside its maintenance window"} until{" "}
        <TimeAgo at={plan.not_after} form="exact" />. For 24 hours after each job anybody who may operate these hosts can undo it under the
        same signature. A host whose values changed meanwhile is skipped.
      </p>
      <p className="dim small">
        hash <CopyableText text={plan.digest} shown={shortDigest(plan.digest)} label="plan hash" />
      </p>
    </ActionDialog>
  );
}

function Refuse({ plan }: { plan: PlanDetail }) {
  const refuse = useRefuse(plan.id);
  return (
    <ActionDialog
      title="Refuse the plan"
      size="lg"
      opener={(open) => <Button onClick={open}>Refuse …</Button>}
      reason={REASON}
      hasBack
      onConfirm={({ reason }) => refuse.mutateAsync(reason)}
    >
      <p>Nothing of it runs. Its author reads the reason, and can plan again on fresh facts.</p>
    </ActionDialog>
  );
}

function Withdraw({ plan }: { plan: PlanDetail }) {
  const withdraw = useWithdraw(plan.id);
  return (
    <ActionDialog
      title="Withdraw the plan"
      size="lg"
      opener={(open) => <Button onClick={open}>Withdraw …</Button>}
      reason={REASON}
      hasBack
      onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
    >
      <p>Nothing of it runs. What is to be done can be planned again at any time.</p>
    </ActionDialog>
  );
}

function Stop({ plan }: { plan: PlanDetail }) {
  const stop = useStop(plan.id);
  return (
    <ActionDialog
      title="Stop the plan"
      size="lg"
      opener={(open) => <Button onClick={open}>Stop …</Button>}
      reason={REASON}
      hasBack
      onConfirm={({ reason }) => stop.mutateAsync(reason)}
    >
      <p>Each job ends at its next step: what is confirmed stands and can be undone, what has not begun never begins.</p>
    </ActionDialog>
  );
}

function Resume({ plan }: { plan: PlanDetail }) {
  const resume = useResume(plan.id);
  return (
    <ActionDialog
      title="Go on with the plan"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Go on …
        </Button>
      )}
      reason={REASON}
      hasBack
      onConfirm={({ reason }) => resume.mutateAsync(reason)}
    >
      <p>It paused: {plan.state_words}. The next hosts begin although that happened.</p>
    </ActionDialog>
  );
}

function BreakGlass({ plan }: { plan: PlanDetail }) {
  const breakGlass = useBreakGlass(plan.id);
  return (
    <ActionDialog
      title="Break the glass"
      size="lg"
      opener={(open) => <Button onClick={open}>Break the glass …</Button>}
      reason={REASON}
      identity={confirmIdentity}
      hasBack
      onConfirm={breakGlass.mutateAsync}
    >
      <p>
        {plan.break_glass_by
          ? `${plan.break_glass_by} asked for it. With you as the second admin the plan runs at once, without an approver.`
          : "Two admins run a plan without an approver. You are the first: nothing runs before a second one joins."}{" "}
        It raises an alarm, and somebody who had no part in it has to review it.
      </p>
    </ActionDialog>
  );
}

/** What was run without an approver is looked at afterwards, by somebody who had no part in it. */
function Review({ plan }: { plan: PlanDetail }) {
  const review = useReview(plan.id);
  return (
    <ActionDialog
      title="Note the review"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Review …
        </Button>
      )}
      reason={REASON}
      hasBack
      onConfirm={({ reason }) => review.mutateAsync(reason)}
    >
      <p>
        {plan.approval?.approver} and {plan.approval?.second} ran this plan without an approver. Say what you looked at and whether it was
        right; the alarm above every page ends with it.
      </p>
    </ActionDialog>
  );
}

/** Running at once under a standing approval, where one covers this group; the API checks that it covers every step. */
function UnderStanding({ plan }: { plan: PlanDetail }) {
  const standing = useStandingApprovals();
  const run = useRunUnderStanding(plan.id);
  const usable = (standing.data ?? []).filter((one) => one.is_in_force);
  const [first] = usable;
  if (first === undefined) return null;
  return (
    <ActionDialog
      title={`Run under “${first.name}”`}
      size="lg"
      opener={(open) => <Button onClick={open}>Run now …</Button>}
      hasBack
      onConfirm={() => run.mutateAsync(first.id)}
    >
      <p>
        {first.signer} signed in advance that such a fix may run at once, one host at a time, until{" "}
        <TimeAgo at={first.expires_at} form="exact" />. It is refused if one step lies outside.
      </p>
    </ActionDialog>
  );
}
