import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useGroupChoices, useGroups } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { Group } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import { isSeen, visible } from "@/shared/lib/text";
import { Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import styles from "./admin.module.css";
import { ChangeGroup, LIST } from "./group-change";

export function Groups() {
  const groups = useGroups();
  return (
    <section aria-label="Groups">
      <p className="dim" style={{ marginBottom: 12 }}>
        A host is in exactly one group. Rights, packs, mode and windows pass down; a host may be stricter than its group, never laxer.
      </p>
      <Panel query={groups} height={220}>
        {(data) => (
          <>
            <ScrollX>
              <table className="data" data-stacks style={{ marginBottom: 24 }}>
                <thead>
                  <tr>
                    <th scope="col">group</th>
                    <th scope="col">mode</th>
                    <th scope="col">ticket</th>
                    <th scope="col" className="num">
                      hosts
                    </th>
                    <th scope="col">
                      <span className="hidden-visually">change</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((group) => (
                    <Row key={group.id} group={group} groups={data} />
                  ))}
                </tbody>
              </table>
            </ScrollX>
            <NewGroup groups={data} />
          </>
        )}
      </Panel>
    </section>
  );
}

function depthOf(group: Group, groups: Group[]): number {
  let depth = 0;
  let above = group.parent_id;
  while (above !== null && depth < 20) {
    depth += 1;
    above = groups.find((one) => one.id === above)?.parent_id ?? null;
  }
  return depth;
}

function Row({ group, groups }: { group: Group; groups: Group[] }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <tr>
      <td data-head="group">
        <div style={{ paddingLeft: 20 * depthOf(group, groups) }}>{visible(group.name)}</div>
      </td>
      <td data-head="mode">
        {group.mode_effective === "observe" ? "observe only" : "remediation allowed"}{" "}
        <span className="dim">{group.mode === null ? "inherited" : ""}</span>
      </td>
      <td data-head="ticket">
        {group.is_ticket_required_effective ? "required" : <span className="dim">not asked for</span>}{" "}
        <span className="dim">{group.is_ticket_required_effective && !group.is_ticket_required ? "inherited" : ""}</span>
      </td>
      <td data-head="hosts" className="num">
        <Link to="/hosts" search={{ group: [group.id] }} className="link">
          {count(group.hosts)}
        </Link>
      </td>
      <td data-head="" className="num">
        <Button size="compact-sm" onClick={dialog.open} aria-label={`Change the group ${group.name}`}>
          Change
        </Button>
        <Modal opened={isOpen} onClose={dialog.close} title={`Change ${group.name}`} closeButtonProps={{ "aria-label": "Close" }}>
          <ChangeGroup group={group} groups={groups} close={dialog.close} />
        </Modal>
      </td>
    </tr>
  );
}

function NewGroup({ groups }: { groups: Group[] }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: "", parent: "" },
    validate: { name: (text) => (isSeen(text) ? null : "A group has a name") },
  });
  const choices = useGroupChoices();
  const parent = form.values.parent || String(groups[0]?.id ?? "");
  const make = useMutation({
    mutationFn: ({ name }: { name: string }) => api.POST("/api/v1/groups", { body: { name: name.trim(), parent_id: Number(parent) } }),
    onSuccess: async () => {
      form.reset();
      await client.invalidateQueries({ queryKey: LIST });
    },
  });
  return (
    <form className={styles.filters} onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <TextInput label="New group" {...form.getInputProps("name")} />
      <Select label="Below" data={choices} value={parent} onChange={(chosen) => form.setFieldValue("parent", chosen ?? "")} />
      <Button type="submit" size="sm" loading={make.isPending} disabled={parent === ""}>
        Make the group
      </Button>
      {make.error ? <Failed error={make.error} /> : null}
    </form>
  );
}
