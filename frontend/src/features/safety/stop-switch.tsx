import { Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { useSetStopSwitch, useStopSwitch } from "@/api/safety";
import type { Session, StopSwitch } from "@/api/types";
import { HoldButton } from "@/components/hold-button";
import { Instant } from "@/components/instant";
import { Outcome } from "@/components/outcome";
import { Failed, Panel } from "@/components/panel";
import { visible } from "@/lib/text";
import styles from "./safety.module.css";

/** The one switch for the whole installation, and who pulled it. */
export function StopSwitchPanel({ can }: { can: Session["can"] }) {
  const stopSwitch = useStopSwitch();
  return (
    <Panel query={stopSwitch} height={96} lines={3}>
      {(data) => (
        <section className={styles.switch} data-stopped={data.is_stopped || undefined} aria-label="Stop everything">
          <div>
            <h2>
              {data.is_stopped ? "Everything is stopped" : "Jobs may run"}
              <Outcome status={data.is_stopped ? "excluded" : "pass"}>{data.is_stopped ? "stopped" : "not stopped"}</Outcome>
            </h2>
            <Since state={data} />
            <p className="dim small">
              {data.is_stopped
                ? "No job begins. Those that ran ended at their next step boundary; what was changed by then stands and is listed on each job."
                : "Stopping lets no job begin and ends those that run at their next step boundary. A step that has begun is finished or undone, never left."}
            </p>
          </div>
          <Pull key={String(data.is_stopped)} state={data} can={can} />
        </section>
      )}
    </Panel>
  );
}

function Since({ state }: { state: StopSwitch }) {
  if (!state.is_stopped && !state.reason) return <p>Nobody has stopped anything.</p>;
  return (
    <p>
      {state.is_stopped ? "Since " : "Released "}
      <Instant at={state.changed_at} />
      {state.changed_by ? ` by ${visible(state.changed_by)}` : state.cause === "restore" ? " by a restore" : ""}
      {state.reason ? `: ${visible(state.reason)}` : ""}
    </p>
  );
}

function Pull({ state, can }: { state: StopSwitch; can: Session["can"] }) {
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const set = useSetStopSwitch();
  const isAfterRestore = state.is_stopped && state.cause === "restore";
  const mayNot = !can.stop_everything
    ? "Operators stop and start; your roles hold no such right."
    : isAfterRestore && !can.release_restore
      ? "Stopped by a restore: an admin looks at the open jobs first and starts again."
      : "";
  if (mayNot) return <p className="dim small">{mayNot}</p>;
  const isMissing = reason.trim().length < 3;
  const send = () => {
    setAsked(true);
    if (isMissing) field.current?.focus();
    else set.mutate({ is_stopped: !state.is_stopped, reason: reason.trim() });
  };
  return (
    <div className={styles.pull}>
      <Textarea
        label={state.is_stopped ? "Why it is safe to start again" : "Why"}
        description="Kept in the audit trail, and shown on every page while everything is stopped."
        ref={field}
        error={isAsked && isMissing ? "Say why first; a few words do." : undefined}
        autosize
        minRows={1}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {set.error ? <Failed error={set.error} /> : null}
      <HoldButton act={state.is_stopped ? "Start again" : "Stop everything"} onHeld={send} isBusy={set.isPending} isWide>
        {state.is_stopped ? "Hold to start again" : "Hold to stop everything"}
      </HoldButton>
    </div>
  );
}
