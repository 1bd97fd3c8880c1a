import { Checkbox, Select, TextInput } from "@mantine/core";
import { useGroupChoices } from "@/entities/group/queries";
import type { Group } from "@/entities/group/types";
import { isSeen } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useUpdateGroup } from "./queries";

interface ChangeGroupProps {
  group: Group;
  groups: Group[];
  close: () => void;
}

export function ChangeGroup({ group, groups, close }: ChangeGroupProps) {
  const update = useUpdateGroup(group.id);
  const parent = group.parent_id === null ? "" : String(group.parent_id);
  const form = useActForm({
    initialValues: { name: group.name, parent, mode: group.mode ?? "", is_ticket_required: group.is_ticket_required },
    validate: { name: (text) => (isSeen(text) ? null : "Enter a name") },
    send: ({ name, parent: chosen, mode, is_ticket_required }) =>
      update.mutateAsync({
        name: name.trim(),
        mode: mode === "observe" || mode === "remediate" ? mode : null,
        is_ticket_required,
        ...(chosen === parent ? {} : { parent_id: Number(chosen) }),
      }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Save">
      <TextInput label="Name" {...form.getInputProps("name")} />
      {parent ? <Below group={group} groups={groups} value={form.values.parent} choose={(id) => form.setFieldValue("parent", id)} /> : null}
      <Select
        label="Mode"
        data={[
          { value: "", label: "Inherit" },
          { value: "observe", label: "Observe only" },
          { value: "remediate", label: "Remediation on" },
        ]}
        {...form.getInputProps("mode")}
      />
      <Checkbox
        label="Require a ticket for plans and waivers"
        description={
          group.is_ticket_required_effective && !group.is_ticket_required
            ? "Already required by a parent group."
            : "Applies to this group and its subgroups."
        }
        {...form.getInputProps("is_ticket_required", { type: "checkbox" })}
      />
    </FormBody>
  );
}

/** Where the group lies; a choice among all groups but itself and those below it. */
function Below({ group, groups, value, choose }: { group: Group; groups: Group[]; value: string; choose: (id: string) => void }) {
  const within = new Set(groups.filter((one) => one.path.startsWith(group.path)).map((one) => String(one.id)));
  const choices = useGroupChoices().filter((one) => !within.has(one.value));
  return (
    <Select
      label="Parent group"
      description="Moves the group with its subgroups and hosts. Permissions, packs, mode and windows are then inherited from the new parent, and hosts are re-evaluated."
      data={choices}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => choose(chosen ?? value)}
    />
  );
}
