import { Textarea, TextInput } from "@mantine/core";
import type { HostDetail } from "@/entities/host/types";
import { fromDateField } from "@/shared/lib/date-field";
import { zoneLabel } from "@/shared/lib/time";
import { FormBody } from "@/shared/ui/form-dialog";
import { useZone } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { useHoldHost } from "./queries";

/** Blocks jobs on one host; evaluation goes on, and whoever opens the host sees who holds it and why. */
export function HoldForm({ host, close }: { host: HostDetail; close: () => void }) {
  const hold = useHoldHost(host.id);
  const zone = useZone();
  const form = useActForm({
    initialValues: { reason: host.hold?.reason ?? "", until: "" },
    send: ({ reason, until }) => {
      return hold.mutateAsync({ reason: reason.trim(), until: fromDateField(until, zone) ?? null });
    },
    whenDone: close,
  });
  const end = fromDateField(form.values.until, zone);
  const missing =
    form.values.reason.trim().length < 3
      ? "Enter a reason"
      : end !== undefined && Date.parse(end) <= Date.now()
        ? "Choose a time in the future"
        : "";
  return (
    <FormBody form={form} label="Put on hold" missing={missing}>
      <p>
        Jobs don't start on this host and its notifications are muted. Rules are still evaluated. A running job stops after its current
        step.
      </p>
      <Textarea label="Reason" data-autofocus autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput
        label={`Until (${zoneLabel(zone)})`}
        description="Leave empty to hold until released."
        type="datetime-local"
        {...form.getInputProps("until")}
      />
    </FormBody>
  );
}
