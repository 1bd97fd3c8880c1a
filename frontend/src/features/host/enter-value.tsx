import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import type { HostSetting } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";

// The host's newest sections are read again in the background; by then its checks say what became of the value.
const JUDGED_AGAIN_MS = 4000;

/** Enters a setting that the host cannot tell, such as the frame size of an offload engine, or takes it back. */
export function EnterValue({ hostId, item }: { hostId: string; item: HostSetting }) {
  const [isOpen, dialog] = useDisclosure(false);
  const isEntered = item.state === "value";
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={dialog.open} aria-label={`Enter ${item.label} of ${item.subject.label}`}>
        {isEntered ? "Change" : "Enter"}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={`${item.label} of ${visible(item.subject.label)}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <EnterForm hostId={hostId} item={item} isEntered={isEntered} close={dialog.close} />
      </Modal>
    </>
  );
}

function EnterForm({ hostId, item, isEntered, close }: { hostId: string; item: HostSetting; isEntered: boolean; close: () => void }) {
  const client = useQueryClient();
  const choices = item.choices ?? [];
  const [text, setText] = useState(isEntered ? String(item.value ?? "") : "");
  const save = useMutation({
    mutationFn: (value: string | null) =>
      api.PATCH("/api/v1/hosts/{host_id}", { params: { path: { host_id: hostId } }, body: { entered: { [item.address]: value } } }),
    onSuccess: async (_, value) => {
      notifications.show({ message: value === null ? "Taken back. The host is judged again." : "Noted. The host is judged again." });
      close();
      await client.invalidateQueries();
      setTimeout(() => void client.invalidateQueries(), JUDGED_AGAIN_MS);
    },
  });
  return (
    <div style={{ display: "grid", gap: 14 }}>
      <p>
        {item.key === "cluster"
          ? "The host does not know its cluster; enter its name as vCenter shows it, or add the vCenter under Admin, Collection. "
          : "Only the vendor's own tool shows this value. Enter what it shows there. "}
        Your name is kept beside it in the audit trail. Nothing is changed on the host.
      </p>
      {choices.length > 0 ? (
        <Select label={item.label} data={choices} value={text || null} onChange={(chosen) => setText(chosen ?? "")} allowDeselect={false} />
      ) : (
        <TextInput
          label={item.label}
          description={item.unit ? `In ${item.unit}.` : undefined}
          inputMode={item.key === "cluster" ? "text" : "numeric"}
          value={text}
          onChange={(event) => setText(item.key === "cluster" ? event.currentTarget.value : event.currentTarget.value.trim())}
        />
      )}
      {save.error ? <Failed error={save.error} /> : null}
      <div style={{ display: "flex", gap: 8, justifyContent: "flex-end" }}>
        {isEntered ? (
          <Button variant="default" onClick={() => save.mutate(null)} disabled={save.isPending}>
            Take back
          </Button>
        ) : null}
        <Button variant="filled" disabled={text === ""} onClick={() => save.mutate(text)} loading={save.isPending}>
          Save
        </Button>
      </div>
    </div>
  );
}
