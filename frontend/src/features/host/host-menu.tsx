import { ActionIcon, Menu, Select, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import type { HostDetail } from "@/entities/host/types";
import type { Session } from "@/entities/person/types";
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
  if (!isAdmin && !canHold && acts.length === 0) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More for this host">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canHold ? <Menu.Item onClick={() => setShown("hold")}>{host.hold ? "Change the hold" : "Hold: no jobs here"}</Menu.Item> : null}
          {isAdmin ? <Menu.Item onClick={() => setShown("place")}>Group and tags</Menu.Item> : null}
          {acts.map((one) => (
            <Menu.Item key={one} onClick={() => setAct(one)}>
              {STATE_ACTS[one].item}
            </Menu.Item>
          ))}
          {isAdmin && host.state !== "retired" ? (
            <>
              {can.manage_hosts ? <Menu.Item onClick={() => setShown("mode")}>Mode</Menu.Item> : null}
              <Menu.Item onClick={() => setShown("part")}>A part was replaced</Menu.Item>
              <Menu.Item onClick={() => setShown("merge")}>Imaged anew: merge with its old self</Menu.Item>
              <Menu.Item onClick={() => setShown("retire")}>Retire</Menu.Item>
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
        description="Rights, packs and mode come from the group."
        searchable
        data={choices}
        {...form.getInputProps("group")}
      />
      <TextInput label="Tags" description="Apart by spaces; they carry no rights." {...form.getInputProps("tags")} />
    </FormBody>
  );
}

function RetireForm({ host, close }: HostFormProps) {
  const retire = useRetireHost(host.id);
  const form = useActForm({
    initialValues: { reason: "", name: "" },
    send: ({ reason }) => retire.mutateAsync(reason),
    whenDone: () => {
      notifications.show({ message: `${host.name} is retired. Its check-ins are refused from now on.` });
      close();
    },
  });
  const { name, reason } = form.values;
  const missing = name !== host.name ? "Type the host's name first." : reason.trim().length < 3 ? "Say why first." : "";
  return (
    <FormBody form={form} label="Retire the host" missing={missing}>
      <p>The host leaves the fleet's figures and its check-ins are refused. Its history stays. The reason is kept in the audit trail.</p>
      <Textarea label="Reason" autosize minRows={2} {...form.getInputProps("reason")} />
      <TextInput label={`Type ${host.name} to confirm`} autoComplete="off" {...form.getInputProps("name")} />
    </FormBody>
  );
}

/** The dialogs of the menu. */
const FORMS = {
  hold: { title: (name: string) => `Hold ${name}`, Form: HoldForm },
  mode: { title: (name: string) => `Mode of ${name}`, Form: ModeForm },
  part: { title: (name: string) => `A part of ${name} was replaced`, Form: MergeSubject },
  merge: { title: (name: string) => `Merge ${name} with its old self`, Form: MergeHost },
  place: { title: (name: string) => `Group and tags of ${name}`, Form: PlaceForm },
  retire: { title: (name: string) => `Retire ${name}`, Form: RetireForm },
};
