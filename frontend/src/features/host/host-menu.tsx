import { ActionIcon, Menu, Select, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import type { HostDetail } from "@/entities/host/types";
import type { Session } from "@/entities/person/types";
import { TicketDraft } from "@/entities/ticket/create-ticket";
import { Dialog } from "@/shared/ui/dialog";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { HoldForm } from "./hold-form";
import { MergeHost, MergeSubject } from "./merge-forms";
import { ModeForm } from "./mode-form";
import { useRetireHost, useUpdateHost } from "./queries";
import { STATE_ACTS, type StateAct, StateActForm, stateActsOf } from "./state-acts";

interface HostFormProps {
  host: HostDetail;
  close: () => void;
}

/** What people do to a host's place in the fleet: a hold and its alarm by operators, the rest by admins. No act changes a setting of the host. */
export function HostMenu({ host, can }: { host: HostDetail; can: Partial<Session["can"]> }) {
  const [shown, setShown] = useState<keyof typeof FORMS | null>(null);
  const close = () => setShown(null);
  const [act, setAct] = useState<StateAct | null>(null);
  const isAdmin = can.enrol ?? false;
  const canHold = (can.hold_hosts ?? false) && host.state === "active";
  const acts = stateActsOf(host, can);
  const canSend = (can.send_tickets ?? false) && host.state !== "retired";
  if (!isAdmin && !canHold && !canSend && acts.length === 0) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canSend ? <Menu.Item onClick={() => setShown("ticket")}>Create ticket…</Menu.Item> : null}
          {canHold ? <Menu.Item onClick={() => setShown("hold")}>{host.hold ? "Edit hold…" : "Put on hold…"}</Menu.Item> : null}
          {isAdmin ? <Menu.Item onClick={() => setShown("place")}>Change group and tags…</Menu.Item> : null}
          {acts.map((one) => (
            <Menu.Item key={one} onClick={() => setAct(one)}>
              {STATE_ACTS[one].item}
            </Menu.Item>
          ))}
          {isAdmin && host.state !== "retired" ? (
            <>
              {can.manage_hosts && !host.from_bundle ? <Menu.Item onClick={() => setShown("mode")}>Change mode…</Menu.Item> : null}
              <Menu.Item onClick={() => setShown("part")}>Record a replaced part…</Menu.Item>
              <Menu.Item onClick={() => setShown("merge")}>Merge with previous host record…</Menu.Item>
              <Menu.Item onClick={() => setShown("retire")}>Retire host…</Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Dialog title={act ? STATE_ACTS[act].title(host.name) : ""} isOpen={act !== null} close={() => setAct(null)}>
        {act ? <StateActForm host={host} act={act} close={() => setAct(null)} /> : null}
      </Dialog>
      {Object.entries(FORMS).map(([name, { title, Form }]) => (
        <Dialog key={name} title={title(host.name)} isOpen={shown === name} close={close}>
          <Form host={host} close={close} />
        </Dialog>
      ))}
    </>
  );
}

function PlaceForm({ host, close }: HostFormProps) {
  const update = useUpdateHost(host.id);
  const choices = useGroupChoices();
  const form = useActForm({
    initialValues: { group: String(host.group_id), tags: host.tags.join(" ") },
    send: ({ group, tags }) => update.mutateAsync({ group_id: Number(group), tags: tags.split(/[\s,]+/).filter(Boolean) }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Save">
      <Select
        label="Group"
        description="Permissions, packs and mode are inherited from the group."
        searchable
        data={choices}
        {...form.getInputProps("group")}
      />
      <TextInput label="Tags" description="Separate with spaces. Tags grant no permissions." {...form.getInputProps("tags")} />
    </FormBody>
  );
}

function RetireForm({ host, close }: HostFormProps) {
  const retire = useRetireHost(host.id);
  const form = useActForm({
    initialValues: { reason: "", name: "" },
    send: ({ reason }) => retire.mutateAsync(reason),
    whenDone: () => {
      notifications.show({ message: `${host.name} retired. Its check-ins are now rejected.` });
      close();
    },
  });
  const { name, reason } = form.values;
  const missing = name !== host.name ? "Type the host name to confirm" : reason.trim().length < 3 ? "Enter a reason" : "";
  return (
    <FormBody form={form} label="Retire host" missing={missing}>
      <p>
        The host is removed from fleet figures and its check-ins are rejected. Its history is kept. The reason is recorded in the audit log.
      </p>
      <Textarea label="Reason" autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput label={`Type ${host.name} to confirm`} autoComplete="off" {...form.getInputProps("name")} />
    </FormBody>
  );
}

/** The dialogs of the menu. */
const TicketForm = ({ host, close }: HostFormProps) => <TicketDraft about={{ host_ids: [host.id] }} close={close} />;

const FORMS = {
  ticket: { title: (name: string) => `Create ticket about ${name}`, Form: TicketForm },
  hold: { title: (name: string) => `Put ${name} on hold`, Form: HoldForm },
  mode: { title: (name: string) => `Change mode of ${name}`, Form: ModeForm },
  part: { title: (name: string) => `Record a replaced part of ${name}`, Form: MergeSubject },
  merge: { title: (name: string) => `Merge ${name} with a previous host record`, Form: MergeHost },
  place: { title: (name: string) => `Change group and tags of ${name}`, Form: PlaceForm },
  retire: { title: (name: string) => `Retire ${name}`, Form: RetireForm },
};
