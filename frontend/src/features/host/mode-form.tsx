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
  const groupMode = group ? (group.mode_effective === "observe" ? "Observe only" : "Remediation on") : "Unknown";
  return (
    <FormBody form={form} label="Save">
      <p>
        Group {visible(host.group_name)}: {groupMode}. A host can be stricter than its group, not less strict. A file named{" "}
        <code>observe-only</code> next to the runner blocks all changes, whatever is set here.
      </p>
      <Radio.Group label="Mode" {...form.getInputProps("mode")}>
        <div style={{ display: "grid", gap: 10, marginTop: 8 }}>
          <Radio value="" label={`Inherit from group (${groupMode})`} />
          <Radio value="observe" label="Observe only" />
        </div>
      </Radio.Group>
    </FormBody>
  );
}
