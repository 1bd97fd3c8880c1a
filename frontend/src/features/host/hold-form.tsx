import { Textarea, TextInput } from "@mantine/core";
import type { HostDetail } from "@/entities/host/types";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useHoldHost } from "./queries";

/** The moment that a field of date and time names, read as UTC; null where it is empty. */
const endOf = (until: string): number | null => (until === "" ? null : Date.parse(`${until}Z`));

/** Blocks jobs on one host; evaluation goes on, and whoever opens the host sees who holds it and why. */
export function HoldForm({ host, close }: { host: HostDetail; close: () => void }) {
  const hold = useHoldHost(host.id);
  const form = useActForm({
    initialValues: { reason: host.hold?.reason ?? "", until: "" },
    send: ({ reason, until }) => {
      const end = endOf(until);
      return hold.mutateAsync({ reason: reason.trim(), until: end === null ? null : new Date(end).toISOString() });
    },
    whenDone: close,
  });
  const end = endOf(form.values.until);
  const missing =
    form.values.reason.trim().length < 3 ? "Enter a reason" : end !== null && !(end > Date.now()) ? "Choose a time in the future" : "";
  return (
    <FormBody form={form} label="Put on hold" missing={missing}>
      <p>
        Jobs don't start on this host and its notifications are muted. Rules are still evaluated. A running job stops after its current
        step.
      </p>
      <Textarea label="Reason" data-autofocus autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput
        label="Until (UTC)"
        description="Leave empty to hold until released."
        type="datetime-local"
        {...form.getInputProps("until")}
      />
    </FormBody>
  );
}
