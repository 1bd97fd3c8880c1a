import { Button, Select, Textarea } from "@mantine/core";
import { useAcknowledge, useReleaseProblem, useSnooze } from "@/entities/problem/queries";
import type { OnCallProblem } from "@/entities/problem/types";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";

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
      {note.is_mine ? "You" : visible(note.by)}
      {note.kind === "snoozed" ? " snoozed until" : ", until"} <TimeAgo at={note.until} form="moment" />
      {note.kind === "snoozed" ? `: ${visible(note.reason)}` : ""}
    </>
  );
}

/** Taking it on, putting it off, and taking that back. */
export function NoteActs({ problem }: { problem: OnCallProblem }) {
  const acknowledge = useAcknowledge(problem.key);
  const release = useReleaseProblem(problem.key);
  const may = new Set(problem.may);
  const isOwn = problem.note?.kind === "acknowledged" && problem.note.is_mine;
  return (
    <>
      {may.has("acknowledge") && !isOwn ? (
        <Button onClick={() => acknowledge.mutate(undefined)} loading={acknowledge.isPending}>
          {problem.note ? "Take over" : "Acknowledge"}
        </Button>
      ) : null}
      {may.has("release") ? (
        <Button onClick={() => release.mutate(undefined)} loading={release.isPending}>
          {problem.note?.kind === "snoozed" ? "Unsnooze" : "Unacknowledge"}
        </Button>
      ) : null}
      {may.has("snooze") ? <Snooze problem={problem} /> : null}
      {acknowledge.error ? <Failed error={acknowledge.error} /> : null}
      {release.error ? <Failed error={release.error} /> : null}
    </>
  );
}

function Snooze({ problem }: { problem: OnCallProblem }) {
  return (
    <FormDialog title="Snooze problem" opener={(open) => <Button onClick={open}>Snooze…</Button>}>
      {(close) => <SnoozeForm problem={problem} close={close} />}
    </FormDialog>
  );
}

function SnoozeForm({ problem, close }: { problem: OnCallProblem; close: () => void }) {
  const snooze = useSnooze(problem.key);
  const form = useActForm({
    initialValues: { hours: "1", reason: "" },
    send: ({ hours, reason }) =>
      snooze.mutateAsync({ until: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString(), reason: reason.trim() }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Snooze" missing={form.values.reason.trim().length < 3 ? "Enter a reason" : ""}>
      <p>It reopens at the end of the snooze, or earlier if it gets worse. Your name and reason are visible to everyone.</p>
      <Select label="Snooze for" data={SPANS} allowDeselect={false} {...form.getInputProps("hours")} />
      <Textarea label="Reason (saved in the audit log)" autosize minRows={2} {...form.getInputProps("reason")} />
    </FormBody>
  );
}
