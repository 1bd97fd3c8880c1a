import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { Group } from "@/shared/api/types";
import { isSeen } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./admin.module.css";

export const LIST = ["get", "/api/v1/groups"] as const;

interface ChangeGroupProps {
  group: Group;
  groups: Group[];
  close: () => void;
}

export function ChangeGroup({ group, groups, close }: ChangeGroupProps) {
  const client = useQueryClient();
  const parent = group.parent_id === null ? "" : String(group.parent_id);
  const form = useForm({
    initialValues: { name: group.name, parent, mode: group.mode ?? "", is_ticket_required: group.is_ticket_required },
    validate: { name: (text) => (isSeen(text) ? null : "A group has a name") },
  });
  const save = useMutation({
    mutationFn: ({ name, parent: chosen, mode, is_ticket_required }: typeof form.values) =>
      api.PATCH("/api/v1/groups/{group_id}", {
        params: { path: { group_id: group.id } },
        body: {
          name: name.trim(),
          mode: mode === "observe" || mode === "remediate" ? mode : null,
          is_ticket_required,
          ...(chosen === parent ? {} : { parent_id: Number(chosen) }),
        },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: LIST });
      close();
    },
  });
  return (
    <form className={styles.form} style={{ textAlign: "left" }} onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <TextInput label="Name" {...form.getInputProps("name")} />
      {parent ? <Below group={group} groups={groups} value={form.values.parent} choose={(id) => form.setFieldValue("parent", id)} /> : null}
      <Select
        label="Mode"
        data={[
          { value: "", label: "as the group above" },
          { value: "observe", label: "observe only" },
          { value: "remediate", label: "remediation allowed" },
        ]}
        {...form.getInputProps("mode")}
      />
      <Checkbox
        label="Plans and waivers need a ticket"
        description={
          group.is_ticket_required_effective && !group.is_ticket_required
            ? "A group above asks for it already, so it holds here either way."
            : "Here and in every group below."
        }
        {...form.getInputProps("is_ticket_required", { type: "checkbox" })}
      />
      {save.error ? <Failed error={save.error} /> : null}
      <Button type="submit" variant="filled" loading={save.isPending}>
        Save
      </Button>
    </form>
  );
}

/** Where the group lies; a choice among all groups but itself and those below it. */
function Below({ group, groups, value, choose }: { group: Group; groups: Group[]; value: string; choose: (id: string) => void }) {
  const within = new Set(groups.filter((one) => one.path.startsWith(group.path)).map((one) => String(one.id)));
  const choices = useGroupChoices().filter((one) => !within.has(one.value));
  return (
    <Select
      label="Below"
      description="It moves with all groups and hosts below it. Rights, packs, mode and windows then come from there, and its hosts are judged again."
      data={choices}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => choose(chosen ?? value)}
    />
  );
}
