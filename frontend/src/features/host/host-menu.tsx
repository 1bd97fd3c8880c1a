import { ActionIcon, Button, Menu, Modal, Select, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { HostDetail, Session } from "@/shared/api/types";
import { Failed } from "@/shared/ui/query-panel";
import { HoldForm } from "./hold-form";
import { MergeHost, MergeSubject } from "./merge-forms";
import { ModeForm } from "./mode-form";

/** What people do to a host's place in the fleet: a hold by operators, the rest by admins. Nothing here reaches the host itself. */
export function HostMenu({ host, can }: { host: HostDetail; can: Partial<Session["can"]> }) {
  const [isHolding, holding] = useDisclosure(false);
  const [isChoosing, choosing] = useDisclosure(false);
  const [isMoving, moving] = useDisclosure(false);
  const [isRetiring, retiring] = useDisclosure(false);
  const [isMerging, merging] = useDisclosure(false);
  const [isSwapping, swapping] = useDisclosure(false);
  const isAdmin = can.enrol ?? false;
  const canHold = (can.hold_hosts ?? false) && host.state === "active";
  if (!isAdmin && !canHold) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More for this host">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canHold ? <Menu.Item onClick={holding.open}>{host.hold ? "Change the hold" : "Hold: no jobs here"}</Menu.Item> : null}
          {isAdmin ? <Menu.Item onClick={moving.open}>Group and tags</Menu.Item> : null}
          {isAdmin && host.state !== "retired" ? (
            <>
              {can.manage_hosts ? <Menu.Item onClick={choosing.open}>Mode</Menu.Item> : null}
              <Menu.Item onClick={swapping.open}>A part was replaced</Menu.Item>
              <Menu.Item onClick={merging.open}>Imaged anew: merge with its old self</Menu.Item>
              <Menu.Item onClick={retiring.open}>Retire</Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isHolding} onClose={holding.close} title={`Hold ${host.name}`} closeButtonProps={{ "aria-label": "Close" }}>
        <HoldForm host={host} close={holding.close} />
      </Modal>
      <Modal opened={isChoosing} onClose={choosing.close} title={`Mode of ${host.name}`} closeButtonProps={{ "aria-label": "Close" }}>
        <ModeForm host={host} close={choosing.close} />
      </Modal>
      <Modal
        opened={isSwapping}
        onClose={swapping.close}
        title={`A part of ${host.name} was replaced`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <MergeSubject host={host} close={swapping.close} />
      </Modal>
      <Modal
        opened={isMerging}
        onClose={merging.close}
        title={`Merge ${host.name} with its old self`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <MergeHost host={host} close={merging.close} />
      </Modal>
      <Modal opened={isMoving} onClose={moving.close} title={`Group and tags of ${host.name}`} closeButtonProps={{ "aria-label": "Close" }}>
        <PlaceForm host={host} close={moving.close} />
      </Modal>
      <Modal opened={isRetiring} onClose={retiring.close} title={`Retire ${host.name}`} closeButtonProps={{ "aria-label": "Close" }}>
        <RetireForm host={host} close={retiring.close} />
      </Modal>
    </>
  );
}

function PlaceForm({ host, close }: { host: HostDetail; close: () => void }) {
  const client = useQueryClient();
  const choices = useGroupChoices();
  const [group, setGroup] = useState(String(host.group_id));
  const [tags, setTags] = useState(host.tags.join(" "));
  const save = useMutation({
    mutationFn: () =>
      api.PATCH("/api/v1/hosts/{host_id}", {
        params: { path: { host_id: host.id } },
        body: { group_id: Number(group), tags: tags.split(/[\s,]+/).filter(Boolean) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries();
      close();
    },
  });
  return (
    <div style={{ display: "grid", gap: 14 }}>
      <Select
        label="Group"
        description="Rights, packs and mode come from the group."
        searchable
        data={choices}
        value={group}
        onChange={(chosen) => setGroup(chosen ?? group)}
      />
      <TextInput
        label="Tags"
        description="Apart by spaces; they carry no rights."
        value={tags}
        onChange={(event) => setTags(event.currentTarget.value)}
      />
      {save.error ? <Failed error={save.error} /> : null}
      <Button variant="filled" onClick={() => save.mutate()} loading={save.isPending}>
        Save
      </Button>
    </div>
  );
}

function RetireForm({ host, close }: { host: HostDetail; close: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [name, setName] = useState("");
  const retire = useMutation({
    mutationFn: () => api.POST("/api/v1/hosts/{host_id}/retire", { params: { path: { host_id: host.id } }, body: { reason } }),
    onSuccess: async () => {
      notifications.show({ message: `${host.name} is retired. Its check-ins are refused from now on.` });
      await client.invalidateQueries();
      close();
    },
  });
  const missing = name !== host.name ? "Type the host's name first." : reason.trim().length < 3 ? "Say why first." : "";
  return (
    <div style={{ display: "grid", gap: 14 }}>
      <p>The host leaves the fleet's figures and its check-ins are refused. Its history stays. The reason is kept in the audit trail.</p>
      <Textarea label="Reason" autosize minRows={2} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      <TextInput
        label={`Type ${host.name} to confirm`}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {retire.error ? <Failed error={retire.error} /> : null}
      {missing ? <span className="dim small">{missing}</span> : null}
      <Button variant="filled" disabled={missing !== ""} onClick={() => retire.mutate()} loading={retire.isPending}>
        Retire the host
      </Button>
    </div>
  );
}
