import { Textarea } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useSetStopSwitch, useStopSwitch } from "@/entities/controls/queries";
import type { StopSwitch } from "@/entities/controls/types";
import type { Session } from "@/entities/person/types";
import { visible } from "@/shared/lib/text";
import { HoldButton } from "@/shared/ui/hold-button";
import { Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./controls.module.css";

/** The one switch for the whole installation, and who pulled it. */
export function StopSwitchPanel({ can }: { can: Session["can"] }) {
  const stopSwitch = useStopSwitch();
  return (
    <QueryPanel query={stopSwitch} height={96} lines={3}>
      {(data) => (
        <section className={styles.switch} data-stopped={data.is_stopped || undefined} aria-label="Stop everything">
          <div>
            <h2>
              {headline(data)}
              <StatusLabel status={data.is_stopped ? "excluded" : "pass"}>{data.is_stopped ? "stopped" : "not stopped"}</StatusLabel>
            </h2>
            <Since state={data} />
            <p className="dim small">{meaning(data)}</p>
            {isAfterRestore(data) ? (
              <p className="small">
                <Link to="/jobs" search={{ show: "open" }} className="link">
                  Look at the jobs that were open
                </Link>
              </p>
            ) : null}
          </div>
          <Pull key={String(data.is_stopped)} state={data} can={can} />
        </section>
      )}
    </QueryPanel>
  );
}

const isAfterRestore = (state: StopSwitch): boolean => state.is_stopped && state.cause === "restore";

function headline(state: StopSwitch): string {
  if (isAfterRestore(state)) return "Paused: restored from a backup";
  return state.is_stopped ? "Everything is stopped" : "Jobs may run";
}

function meaning(state: StopSwitch): string {
  if (isAfterRestore(state))
    return "The backup is older than the hosts: what it shows as waiting may have run since. Nothing is sent to any host until an admin starts again; then each open job first asks its host what holds, and skips or asks about whatever a person changed meanwhile.";
  return state.is_stopped
    ? "No job begins. Those that ran ended at their next step boundary; what was changed by then stands and is listed on each job."
    : "Stopping lets no job begin and ends those that run at their next step boundary. A step that has begun is finished or undone, never left.";
}

function Since({ state }: { state: StopSwitch }) {
  if (!state.is_stopped && !state.reason) return <p>Nobody has stopped anything.</p>;
  const by = isAfterRestore(state) ? "" : state.changed_by ? ` by ${visible(state.changed_by)}` : "";
  return (
    <p>
      {state.is_stopped ? "Since " : "Released "}
      <TimeAgo at={state.changed_at} />
      {by}
      {state.reason ? `: ${visible(state.reason)}` : ""}
    </p>
  );
}

function Pull({ state, can }: { state: StopSwitch; can: Session["can"] }) {
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const set = useSetStopSwitch();
  const mayNot = isAfterRestore(state)
    ? can.release_restore
      ? ""
      : "Only an admin of the whole tree starts again after a restore. Ask one."
    : state.is_stopped && can.stop_everything && !can.release_stop
      ? "An operator of the root group starts again: the stop holds jobs of every group."
      : can.stop_everything
        ? ""
        : "Operators stop and start; your roles hold no such right.";
  if (mayNot) return <p className="dim small">{mayNot}</p>;
  const isMissing = reason.trim().length < 3;
  const send = () => {
    setAsked(true);
    if (isMissing) field.current?.focus();
    else set.mutate({ is_stopped: !state.is_stopped, is_restored: isAfterRestore(state), reason: reason.trim() });
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
