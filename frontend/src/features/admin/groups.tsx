import { Button, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useGroupChoices, useGroups } from "@/entities/group/queries";
import type { Group } from "@/entities/group/types";
import { count } from "@/shared/lib/format";
import { isSeen, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Failed, QueryPanel } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./admin.module.css";
import { ChangeGroup } from "./group-change";
import { useCreateGroup } from "./queries";

export function Groups() {
  const groups = useGroups();
  return (
    <section aria-label="Groups">
      <p className="dim" style={{ marginBottom: 12 }}>
        Each host belongs to one group. Permissions, packs, mode and windows are inherited. A host can be stricter than its group, not less
        strict.
      </p>
      <QueryPanel query={groups} height={220}>
        {(data) => (
          <>
            <div style={{ marginBottom: 24 }}>
              <DataTable columns={columnsOf(data)} rows={data} rowKey={(group) => group.id} />
            </div>
            <NewGroup groups={data} />
          </>
        )}
      </QueryPanel>
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

const columnsOf = (groups: Group[]): Column<Group>[] => [
  { head: "Group", cell: (group) => <div style={{ paddingLeft: 20 * depthOf(group, groups) }}>{visible(group.name)}</div> },
  {
    head: "Mode",
    cell: (group) => (
      <>
        {group.mode_effective === "observe" ? "Observe only" : "Remediation on"}{" "}
        <span className="dim">{group.mode === null ? "inherited" : ""}</span>
      </>
    ),
  },
  {
    head: "Ticket",
    cell: (group) => (
      <>
        {group.is_ticket_required_effective ? "Required" : <span className="dim">Optional</span>}{" "}
        <span className="dim">{group.is_ticket_required_effective && !group.is_ticket_required ? "inherited" : ""}</span>
      </>
    ),
  },
  {
    head: "Hosts",
    isNumber: true,
    cell: (group) => (
      <Link to="/hosts" search={{ group: [group.id] }} className="link">
        {count(group.hosts)}
      </Link>
    ),
  },
  { head: "Edit", isHeadHidden: true, isNumber: true, cell: (group) => <Change group={group} groups={groups} /> },
];

function Change({ group, groups }: { group: Group; groups: Group[] }) {
  return (
    <FormDialog
      title={`Edit ${group.name}`}
      opener={(open) => (
        <Button size="compact-sm" onClick={open} aria-label={`Edit group ${group.name}`}>
          Edit
        </Button>
      )}
    >
      {(close) => <ChangeGroup group={group} groups={groups} close={close} />}
    </FormDialog>
  );
}

function NewGroup({ groups }: { groups: Group[] }) {
  const create = useCreateGroup();
  const choices = useGroupChoices();
  const firstGroup = String(groups[0]?.id ?? "");
  const form = useActForm({
    initialValues: { name: "", parent: "" },
    validate: { name: (text) => (isSeen(text) ? null : "Enter a name") },
    send: (values) => create.mutateAsync({ name: values.name.trim(), parent_id: Number(values.parent || firstGroup) }),
    whenDone: () => form.reset(),
  });
  const parent = form.values.parent || firstGroup;
  return (
    <form className={styles.filters} onSubmit={form.submit}>
      <TextInput label="Group name" {...form.getInputProps("name")} />
      <Select label="Parent group" data={choices} {...form.getInputProps("parent")} value={parent} />
      <Button type="submit" size="sm" loading={form.isBusy} disabled={parent === ""}>
        Create group
      </Button>
      {form.error ? <Failed error={form.error} /> : null}
    </form>
  );
}
