import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ConflictCard, Decision } from "@/entities/pack/types";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import { type Status, StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./packs.module.css";
import { type DecisionStep, useDecisionStep } from "./queries";

const STATE: Record<Decision["state"], { status: Status; label: string }> = {
  proposed: { status: "warn", label: "Proposed" },
  active: { status: "pass", label: "Active" },
  refused: { status: "neutral", label: "Rejected" },
  withdrawn: { status: "neutral", label: "Withdrawn" },
  replaced: { status: "neutral", label: "Replaced" },
};

/** The rule that a resolution selects. */
function sideText(card: ConflictCard, holds: string): string {
  if (holds === card.first.demand) return `“${card.first.title}”`;
  if (holds === card.second.demand) return `“${card.second.title}”`;
  return "Neither";
}

/** The resolutions by group, with author and reason; open ones with what this user may do. */
export function DecisionList({ card, me, canDecide }: { card: ConflictCard; me: number | undefined; canDecide: boolean }) {
  const open = card.decisions.filter((decision) => decision.state === "proposed" || decision.state === "active");
  const over = card.decisions.filter((decision) => !open.includes(decision));
  return (
    <>
      {open.length > 0 ? (
        <ul className={styles.steps} style={{ margin: "16px 0" }} aria-label="Resolutions">
          {open.map((decision) => (
            <Line key={decision.id} card={card} decision={decision} me={me} canDecide={canDecide} />
          ))}
        </ul>
      ) : null}
      {over.length > 0 ? (
        <details>
          <summary>{over.length} earlier</summary>
          <ul className={styles.steps} style={{ margin: "8px 0 14px" }}>
            {over.map((decision) => (
              <Line key={decision.id} card={card} decision={decision} me={me} canDecide={false} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function Line({ card, decision, me, canDecide }: { card: ConflictCard; decision: Decision; me: number | undefined; canDecide: boolean }) {
  const state = STATE[decision.state];
  const isOwn = decision.proposed_by_id === me;
  const steps: DecisionStep[] =
    decision.state === "proposed"
      ? [...(canDecide && !isOwn ? (["approve", "refuse"] as const) : []), ...(isOwn ? (["withdraw"] as const) : [])]
      : decision.state === "active" && canDecide
        ? ["withdraw"]
        : [];
  return (
    <li>
      <div>
        <StatusLabel status={state.status}>{state.label}</StatusLabel> on <span className="strong">{decision.group.name}</span>:{" "}
        <span className="strong">{sideText(card, decision.holds)}</span>
        {decision.is_to_review ? <StatusLabel status="warn">One rule has changed since. Review again.</StatusLabel> : null}
      </div>
      <div className="dim small">
        “{visible(decision.reason)}” proposed by {decision.proposed_by} <TimeAgo at={decision.proposed_at} />
        {decision.decided_by ? `; ${decision.state === "refused" ? "rejected" : "approved"} by ${decision.decided_by}` : ""}
        {decision.decided_reason ? `: “${visible(decision.decided_reason)}”` : ""}
        {decision.ended_by ? `; ended by ${decision.ended_by}: “${visible(decision.end_reason)}”` : ""}
      </div>
      {decision.state === "proposed" && isOwn && canDecide ? (
        <div className="dim small">You proposed this. Another person must approve it.</div>
      ) : null}
      {steps.length > 0 ? <Steps decision={decision} steps={steps} /> : null}
    </li>
  );
}

const WORDS: Record<DecisionStep, string> = { approve: "Approve", refuse: "Reject", withdraw: "Withdraw" };

function Steps({ decision, steps }: { decision: Decision; steps: DecisionStep[] }) {
  const act = useDecisionStep();
  const [reason, setReason] = useState("");
  return (
    <div className={styles.form} style={{ marginTop: 6 }}>
      <TextInput
        className={styles.grow}
        size="xs"
        label={steps.includes("approve") ? "Reason (required to reject)" : "Reason"}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {steps.map((step) => (
        <Button
          key={step}
          size="xs"
          variant={step === "approve" ? "filled" : "default"}
          disabled={step !== "approve" && reason.trim().length < 3}
          loading={act.isPending && act.variables?.step === step}
          aria-label={`${WORDS[step]} the resolution for ${decision.group.name}`}
          onClick={() => act.mutate({ id: decision.id, step, reason: reason.trim() })}
        >
          {WORDS[step]}
        </Button>
      ))}
      {act.error ? <Failed error={act.error} /> : null}
    </div>
  );
}
