import { Radio } from "@mantine/core";
import { useGroups } from "@/entities/group/queries";
import type { HostDetail } from "@/entities/host/types";
import { visible } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useUpdateHost } from "./queries";

/** Whether this host follows its group or is only observed: stricter than the group, never laxer. */
export function ModeForm({ host, close }: { host: HostDetail; close: () => void }) {
  const update = useUpdateHost(host.id);
  const group = useGroups().data?.find((one) => one.id === host.group_id);
  const form = useActForm({
    initialValues: { mode: host.mode ?? "" },
    send: ({ mode }) => update.mutateAsync({ mode: mode === "observe" ? "observe" : null }),
    whenDone: close,
  });
  const groupMode = group ? (group.mode_effective === "observe" ? "observe only" : "remediation allowed") : "not known";
  return (
    <FormBody form={form} label="Save">
      <p>
        The group {visible(host.group_name)}: {groupMode}. A host may be stricter than its group, never laxer; a file{" "}
        <code>observe-only</code> beside the runner on the host refuses every change as well, whatever is set here.
      </p>
      <Radio.Group label="This host" {...form.getInputProps("mode")}>
        <div style={{ display: "grid", gap: 10, marginTop: 8 }}>
          <Radio value="" label={`as its group: ${groupMode}`} />
          <Radio value="observe" label="observe only" />
        </div>
      </Radio.Group>
    </FormBody>
  );
}
