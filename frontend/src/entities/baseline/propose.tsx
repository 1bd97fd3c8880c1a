import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { Failed } from "@/shared/ui/query-panel";
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
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant={isMain ? "filled" : "default"} onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={`Baseline of ${about}`} closeButtonProps={{ "aria-label": "Close" }}>
        <Form hostId={hostId} groupId={groupId} close={dialog.close} />
      </Modal>
    </>
  );
}

function Form({ hostId, groupId, close }: { hostId: string | undefined; groupId: number | undefined; close: () => void }) {
  const [reason, setReason] = useState("");
  const [ticket, setTicket] = useState("");
  const propose = useProposeBaseline();
  return (
    <form
      style={{ display: "grid", gap: 14 }}
      onSubmit={(event) => {
        event.preventDefault();
        propose.mutate(
          { host_id: hostId ?? null, group_id: groupId ?? null, reason: reason.trim(), ticket: ticket.trim() },
          {
            onSuccess: () => {
              notifications.show({ title: "Proposed", message: "An approver of the group decides on it." });
              close();
            },
          },
        );
      }}
    >
      <p className="dim small">
        {hostId
          ? "What the host is configured like now is held beside every later check-in, once somebody else has accepted it."
          : "Each host keeps its own present configuration as its baseline. Hosts that come later have none until you propose again."}
      </p>
      <Textarea
        label="Why this is how it should be"
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label="Ticket"
        description="Needed where the group asks for one."
        value={ticket}
        onChange={(event) => setTicket(event.currentTarget.value)}
      />
      {propose.error ? <Failed error={propose.error} /> : null}
      <Button type="submit" variant="filled" disabled={reason.trim().length < 3} loading={propose.isPending}>
        Propose
      </Button>
    </form>
  );
}
