import { Button, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { plural } from "@/shared/lib/format";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useProposeBaseline } from "./queries";

interface ProposeBaselineProps {
  /** One of the three. */
  hostId?: string;
  groupId?: number;
  /** Only the present values of these changes' settings. */
  changeIds?: number[];
  /** What it is for, in the title: a host's or a group's name. */
  about: string;
  label?: string;
  isMain?: boolean;
  isDisabled?: boolean;
}

/** Asks an approver to accept the present configuration as the baseline. Nothing is changed on any host. */
export function ProposeBaseline({
  hostId,
  groupId,
  changeIds = [],
  about,
  label = "Propose as baseline",
  isMain = false,
  isDisabled = false,
}: ProposeBaselineProps) {
  return (
    <FormDialog
      title={changeIds.length > 0 ? `Accept ${plural(changeIds.length, "change")}` : `Baseline of ${about}`}
      opener={(open) => (
        <Button
          variant={isMain ? "filled" : "default"}
          size={changeIds.length > 0 || isDisabled ? "compact-sm" : undefined}
          disabled={isDisabled}
          onClick={open}
        >
          {label}
        </Button>
      )}
    >
      {(close) => <ProposalForm hostId={hostId} groupId={groupId} changeIds={changeIds} close={close} />}
    </FormDialog>
  );
}

interface ProposalFormProps {
  hostId: string | undefined;
  groupId: number | undefined;
  changeIds: number[];
  close: () => void;
}

function ProposalForm({ hostId, groupId, changeIds, close }: ProposalFormProps) {
  const propose = useProposeBaseline();
  const form = useActForm({
    initialValues: { reason: "", ticket: "" },
    send: ({ reason, ticket }) =>
      propose.mutateAsync({
        host_id: hostId ?? null,
        group_id: groupId ?? null,
        change_ids: changeIds,
        reason: reason.trim(),
        ticket: ticket.trim(),
      }),
    whenDone: () => {
      notifications.show({ title: "Baseline proposed", message: "An approver of the group will review it." });
      close();
    },
  });
  return (
    <FormBody form={form} label="Propose baseline" isDisabled={form.values.reason.trim().length < 3}>
      <p className="dim small">
        {changeIds.length > 0
          ? "After another person accepts it, only the current values of these settings join each host's baseline. Findings stay as they are. The acceptance can be withdrawn."
          : hostId
            ? "After another person accepts it, every check-in is compared with the host's current configuration."
            : "Each host's current configuration becomes its baseline. Hosts added later have no baseline until you propose one."}
      </p>
      <Textarea label="Reason" data-autofocus autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput label="Ticket" description="Required if the group requires tickets." {...form.getInputProps("ticket")} />
    </FormBody>
  );
}
