import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useGroupChoices } from "@/entities/group/queries";
import type { Role } from "@/entities/person/types";
import { plural } from "@/shared/lib/format";
import { isSeen, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./admin.module.css";
import { useCreateGroupGrant, useGroupGrants, useWithdrawGroupGrant } from "./queries";
import type { GroupGrant } from "./types";

const ROLES = ["viewer", "operator", "approver", "admin"] as const satisfies readonly Role[];

const columnsOf = (withdraw: (grant: number) => void): Column<GroupGrant>[] => [
  { head: "Identity provider group", className: "strong", cell: (grant) => visible(grant.oidc_group) },
  { head: "Role", cell: (grant) => grant.role },
  { head: "Scope", cell: (grant) => <>{visible(grant.group_name)} and subgroups</> },
  {
    head: "Users",
    className: "dim",
    cell: (grant) => (grant.people === 0 ? "None yet" : plural(grant.people, "user")),
  },
  {
    head: "Remove",
    isHeadHidden: true,
    isNumber: true,
    cell: (grant) => (
      <ActionIcon
        size={28}
        aria-label={`Remove ${grant.role} on ${grant.group_name} from ${grant.oidc_group}`}
        onClick={() => withdraw(grant.id)}
      >
        <IconX size={14} />
      </ActionIcon>
    ),
  },
];

/** Which group of the identity provider has which role on which hosts. */
export function GroupRoles() {
  const grants = useGroupGrants();
  const withdraw = useWithdrawGroupGrant();
  return (
    <section className="section" aria-label="Role mapping">
      <h2>
        Role mapping <span className="dim">takes effect at the next sign-in</span>
      </h2>
      {withdraw.error ? <Failed error={withdraw.error} /> : null}
      <QueryPanel
        query={grants}
        height={160}
        isEmpty={(list) => list.length === 0}
        empty={<Empty title="No role mappings">Identity provider users can't sign in until one of their groups is mapped to a role.</Empty>}
      >
        {(list) => <DataTable columns={columnsOf(withdraw.mutate)} rows={list} rowKey={(grant) => grant.id} />}
      </QueryPanel>
      <GiveRole />
    </section>
  );
}

function GiveRole() {
  const create = useCreateGroupGrant();
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const form = useActForm({
    initialValues: { oidc_group: "", role: "viewer" as Role, group: "" },
    validate: { oidc_group: (text) => (isSeen(text) ? null : "Enter the exact name from the provider") },
    send: (values) =>
      create.mutateAsync({ oidc_group: values.oidc_group.trim(), role: values.role, group_id: Number(values.group || firstGroup) }),
    whenDone: () => form.setFieldValue("oidc_group", ""),
  });
  const group = form.values.group || firstGroup;
  return (
    <form className={styles.filters} style={{ marginTop: 14 }} onSubmit={form.submit}>
      <TextInput label="Identity provider group" autoComplete="off" {...form.getInputProps("oidc_group")} />
      <Select label="Role" allowDeselect={false} data={[...ROLES]} {...form.getInputProps("role")} />
      <Select
        label="Host group (including subgroups)"
        searchable
        allowDeselect={false}
        data={groups}
        {...form.getInputProps("group")}
        value={group}
      />
      <Button type="submit" variant="filled" loading={form.isBusy} disabled={group === ""}>
        Add mapping
      </Button>
      {form.error ? <Failed error={form.error} /> : null}
    </form>
  );
}
