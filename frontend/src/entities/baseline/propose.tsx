import { Button, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useProposeBaseline } from "./queries";

interface ProposeBaselineProps {
  /** One of both. */
  hostId?: string;
  groupId?: number;
  /** What it is for, in the title: a host's or a group's name. */
  about: string;
  label?: string;
  isMain?: boolean;
}

/** Asks an approver to accept the present configuration as the baseline. Nothing is changed on any host. */
export function ProposeBaseline({ hostId, groupId, about, label = "Propose as baseline", isMain = false }: ProposeBaselineProps) {
  return (
    <FormDialog
      title={`Baseline of ${about}`}
      opener={(open) => (
        <Button variant={isMain ? "filled" : "default"} onClick={open}>
          {label}
        </Button>
      )}
    >
      {(close) => <ProposalForm hostId={hostId} groupId={groupId} close={close} />}
    </FormDialog>
  );
}

function ProposalForm({ hostId, groupId, close }: { hostId: string | undefined; groupId: number | undefined; close: () => void }) {
  const propose = useProposeBaseline();
  const form = useActForm({
    initialValues: { reason: "", ticket: "" },
    send: ({ reason, ticket }) =>
      propose.mutateAsync({ host_id: hostId ?? null, group_id: groupId ?? null, reason: reason.trim(), ticket: ticket.trim() }),
    whenDone: () => {
      notifications.show({ title: "Baseline proposed", message: "An approver of the group will review it." });
      close();
    },
  });
  return (
    <FormBody form={form} label="Propose baseline" isDisabled={form.values.reason.trim().length < 3}>
      <p className="dim small">
        {hostId
          ? "After another person accepts it, every check-in is compared with the host's current configuration."
          : "Each host's current configuration becomes its baseline. Hosts added later have no baseline until you propose one."}
      </p>
      <Textarea label="Reason" data-autofocus autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput label="Ticket" description="Required if the group requires tickets." {...form.getInputProps("ticket")} />
    </FormBody>
  );
}
