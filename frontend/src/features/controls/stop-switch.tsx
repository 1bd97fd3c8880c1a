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

/** The emergency stop of the whole installation, and who used it. */
export function StopSwitchPanel({ can }: { can: Session["can"] }) {
  const stopSwitch = useStopSwitch();
  return (
    <QueryPanel query={stopSwitch} height={96} lines={3}>
      {(data) => (
        <section className={styles.switch} data-stopped={data.is_stopped || undefined} aria-label="Emergency stop">
          <div>
            <h2>
              {headline(data)}
              <StatusLabel status={data.is_stopped ? "excluded" : "pass"}>{data.is_stopped ? "Jobs stopped" : "Jobs can run"}</StatusLabel>
            </h2>
            <Since state={data} />
            <p className="dim small">{meaning(data)}</p>
            {isAfterRestore(data) ? (
              <p className="small">
                <Link to="/jobs" search={{ show: "open" }} className="link">
                  View open jobs
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
  if (isAfterRestore(state)) return "Changes paused after restore";
  return state.is_stopped ? "Emergency stop is on" : "Emergency stop is off";
}

function meaning(state: StopSwitch): string {
  if (isAfterRestore(state))
    return "The backup may be older than the hosts: jobs shown as waiting may already have run. Nothing is sent until an admin resumes. Each open job then re-reads its host first and skips, or asks about, anything changed since.";
  return state.is_stopped
    ? "No jobs start. Running jobs stopped after their current step. Completed changes remain; see each job."
    : "When it is on, no new jobs start and running jobs stop after their current step. A step in progress is completed or rolled back.";
}

function Since({ state }: { state: StopSwitch }) {
  if (!state.is_stopped && !state.reason) return <p>Never used</p>;
  const by = isAfterRestore(state) ? "" : state.changed_by ? ` by ${visible(state.changed_by)}` : "";
  return (
    <p>
      {state.is_stopped ? "Since " : "Resumed "}
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
      : "Only an admin of the root group can resume after a restore."
    : state.is_stopped && can.stop_everything && !can.release_stop
      ? "Only an operator of the root group can resume jobs: the stop affects all groups."
      : can.stop_everything
        ? ""
        : "Only operators can use the emergency stop.";
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
        label={state.is_stopped ? "Why it's safe to resume" : "Reason"}
        description="Saved in the audit log and shown on every page while the stop is on."
        ref={field}
        error={isAsked && isMissing ? "Enter a reason" : undefined}
        autosize
        minRows={1}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {set.error ? <Failed error={set.error} /> : null}
      <HoldButton act={state.is_stopped ? "Resume jobs" : "Stop all jobs"} onHeld={send} isBusy={set.isPending} isWide>
        {state.is_stopped ? "Hold to resume jobs" : "Hold to stop all jobs"}
      </HoldButton>
    </div>
  );
}
