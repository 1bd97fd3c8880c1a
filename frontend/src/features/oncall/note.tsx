import { Button, Modal, Select, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useAcknowledge, useReleaseProblem, useSnooze } from "@/entities/problem/queries";
import type { OnCallProblem } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./oncall.module.css";

const HOUR_MS = 3_600_000;
const SPANS = [
  { value: "1", label: "1 hour" },
  { value: "4", label: "4 hours" },
  { value: "8", label: "8 hours" },
  { value: "24", label: "1 day" },
  { value: "72", label: "3 days" },
  { value: "167", label: "1 week" },
];

/** Who is at it, or who put it off and why, and until when. */
export function NoteLine({ note }: { note: NonNullable<OnCallProblem["note"]> }) {
  return (
    <>
      {note.is_mine ? "you" : visible(note.by)}
      {note.kind === "snoozed" ? ` put it off: ${visible(note.reason)},` : ","} until <Instant at={note.until} form="moment" />
    </>
  );
}

/** Taking it on, putting it off, and taking that back. */
export function NoteActs({ problem }: { problem: OnCallProblem }) {
  const acknowledge = useAcknowledge(problem.key);
  const release = useReleaseProblem(problem.key);
  const may = new Set(problem.may);
  const isMine = problem.note?.kind === "acknowledged" && problem.note.is_mine;
  return (
    <>
      {may.has("acknowledge") && !isMine ? (
        <Button onClick={() => acknowledge.mutate(undefined)} loading={acknowledge.isPending}>
          {problem.note ? "Take it over" : "Acknowledge"}
        </Button>
      ) : null}
      {may.has("release") ? (
        <Button onClick={() => release.mutate(undefined)} loading={release.isPending}>
          {problem.note?.kind === "snoozed" ? "Wake it now" : "Give it back"}
        </Button>
      ) : null}
      {may.has("snooze") ? <Snooze problem={problem} /> : null}
      {acknowledge.error ? <Failed error={acknowledge.error} /> : null}
      {release.error ? <Failed error={release.error} /> : null}
    </>
  );
}

function Snooze({ problem }: { problem: OnCallProblem }) {
  const snooze = useSnooze(problem.key);
  const [isOpen, dialog] = useDisclosure(false);
  const [hours, setHours] = useState("1");
  const [reason, setReason] = useState("");
  const close = () => {
    snooze.reset();
    dialog.close();
  };
  const isMissing = reason.trim().length < 3;
  return (
    <>
      <Button onClick={dialog.open}>Snooze …</Button>
      <Modal opened={isOpen} onClose={close} title="Put it off" closeButtonProps={{ "aria-label": "Close" }}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (isMissing) return;
            const until = new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
            snooze.mutate({ until, reason: reason.trim() }, { onSuccess: close });
          }}
        >
          <p>It comes back at its time, or sooner if it gets worse. Everybody sees who put it off, and why.</p>
          <Select label="For" data={SPANS} value={hours} onChange={(value) => setHours(value ?? "1")} allowDeselect={false} />
          <Textarea
            label="Reason, kept in the audit trail"
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {snooze.error ? <Failed error={snooze.error} /> : null}
          {isMissing ? <span className="dim small">Say why first.</span> : null}
          <div className="row">
            <Button type="submit" variant="filled" disabled={isMissing} loading={snooze.isPending}>
              Put it off
            </Button>
            <Button onClick={close}>Back</Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
