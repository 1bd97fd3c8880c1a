import { Button, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiProblem } from "@/shared/api/problem";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { useEndMarks, useMarkChanges } from "./event-queries";
import type { ChangeGroup } from "./types";

/** Shows changes apart from unplanned ones. Nothing is changed on any host, and findings stay as they are. */
export function MarkExpected({ changeIds }: { changeIds: number[] }) {
  return (
    <FormDialog
      title="Mark as expected"
      opener={(open) => (
        <Button size="compact-sm" onClick={open} disabled={changeIds.length === 0}>
          Mark as expected…
        </Button>
      )}
    >
      {(close) => <MarkForm changeIds={changeIds} close={close} />}
    </FormDialog>
  );
}

function MarkForm({ changeIds, close }: { changeIds: number[]; close: () => void }) {
  const mark = useMarkChanges();
  const form = useActForm({
    initialValues: { reason: "", ticket: "" },
    send: ({ reason, ticket }) => mark.mutateAsync({ change_ids: changeIds, reason: reason.trim(), ticket: ticket.trim() }),
    whenDone: () => {
      notifications.show({ message: `${plural(changeIds.length, "change")} marked as expected.` });
      close();
    },
  });
  return (
    <FormBody form={form} label={`Mark ${plural(changeIds.length, "change")}`} isDisabled={form.values.reason.trim().length < 3}>
      <p className="dim small">
        These changes move to “Expected changes” with your reason. Findings and baselines stay as they are. You can remove the mark at any
        time.
      </p>
      <Textarea label="Reason" data-autofocus autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput label="Ticket (optional)" {...form.getInputProps("ticket")} />
    </FormBody>
  );
}

interface RemoveMarksProps {
  markIds: readonly number[];
}

/** Ends marks: their changes count as unplanned again. */
export function RemoveMarks({ markIds }: RemoveMarksProps) {
  const end = useEndMarks();
  return (
    <Button
      size="compact-sm"
      loading={end.isPending}
      onClick={() =>
        end.mutate(markIds, {
          onError: (error) => notifications.show({ title: "Couldn't remove the mark", message: ApiProblem.of(error).message }),
        })
      }
    >
      {markIds.length === 1 ? "Remove mark" : `Remove ${markIds.length} marks`}
    </Button>
  );
}

/** Who marked an event as expected and why, and the way back. */
export function Mark({ mark, mayEnd }: { mark: NonNullable<ChangeGroup["mark"]>; mayEnd: boolean }) {
  return (
    <p>
      Marked as expected by {visible(mark.by)} <TimeAgo at={mark.at} />: {visible(mark.reason)}
      {mark.ticket ? <span className="dim">, ticket {visible(mark.ticket)}</span> : null}{" "}
      {mayEnd ? <RemoveMarks markIds={[mark.id]} /> : null}
    </p>
  );
}
