import { Button, Select, TextInput } from "@mantine/core";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import { useEnterValue } from "./queries";
import type { HostSetting } from "./types";

/** Enters a setting that the host doesn't report, such as the frame size of an offload engine, or takes it back. */
export function EnterValue({ hostId, item }: { hostId: string; item: HostSetting }) {
  const isEntered = item.state === "value";
  return (
    <FormDialog
      title={`${item.label} of ${visible(item.subject.label)}`}
      opener={(open) => (
        <Button size="compact-xs" variant="default" onClick={open} aria-label={`Enter ${item.label} of ${item.subject.label}`}>
          {isEntered ? "Edit value" : "Enter value"}
        </Button>
      )}
    >
      {(close) => <EnterForm hostId={hostId} item={item} isEntered={isEntered} close={close} />}
    </FormDialog>
  );
}

function EnterForm({ hostId, item, isEntered, close }: { hostId: string; item: HostSetting; isEntered: boolean; close: () => void }) {
  const enter = useEnterValue(hostId, item.address);
  const takeBack = useEnterValue(hostId, item.address);
  const choices = item.choices ?? [];
  const isCluster = item.key === "cluster";
  const form = useActForm({
    initialValues: { text: isEntered ? String(item.value ?? "") : "" },
    send: ({ text }) => enter.mutateAsync(isCluster ? text : text.trim()),
    whenDone: close,
  });
  const { text } = form.values;
  return (
    <FormBody
      form={form}
      label="Save"
      isDisabled={text.trim() === ""}
      more={
        isEntered ? (
          <Button loading={takeBack.isPending} disabled={form.isBusy} onClick={() => takeBack.mutate(null, { onSuccess: close })}>
            Clear value
          </Button>
        ) : null
      }
    >
      <p>
        {isCluster
          ? "ESXi doesn't report its cluster. Enter the name shown in vCenter, or add the vCenter in Admin > Collection. "
          : "Only the vendor's tool shows this value. Enter it here. "}
        Recorded with your name in the audit log. The host is not changed.
      </p>
      {choices.length > 0 ? (
        <Select label={item.label} data={choices} allowDeselect={false} {...form.getInputProps("text")} value={text || null} />
      ) : (
        <TextInput
          label={item.label}
          description={item.unit ? `In ${item.unit}.` : undefined}
          inputMode={isCluster ? "text" : "numeric"}
          {...form.getInputProps("text")}
        />
      )}
      {takeBack.error ? <Failed error={takeBack.error} /> : null}
    </FormBody>
  );
}
