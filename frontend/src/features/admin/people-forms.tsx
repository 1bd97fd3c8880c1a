import { PasswordInput, Select, TextInput } from "@mantine/core";
import { useGroupChoices } from "@/entities/group/queries";
import type { Person, Role } from "@/entities/person/types";
import { isSeen } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { useCreatePerson, useGrantRole, useSetPassword } from "./queries";

const ROLES = ["viewer", "operator", "approver", "admin"] as const satisfies readonly Role[];

const isLongEnough = (password: string) => (password.length >= 12 ? null : "At least 12 characters");

export function PersonForm({ close }: { close: () => void }) {
  const create = useCreatePerson();
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const form = useActForm({
    initialValues: { login: "", display_name: "", password: "", role: "viewer" as Role, group: "" },
    validate: {
      login: (text) =>
        /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text) ? null : "Use letters, digits and . _ @ + -. Start with a letter or digit.",
      display_name: (text) => (isSeen(text) ? null : "Enter a name"),
      password: isLongEnough,
    },
    send: ({ role, group, ...person }) => create.mutateAsync({ ...person, roles: [{ role, group_id: Number(group || firstGroup) }] }),
    whenDone: close,
  });
  const group = form.values.group || firstGroup;
  return (
    <FormBody form={form} label="Add user" isDisabled={group === ""}>
      <TextInput label="Login" autoComplete="off" data-autofocus {...form.getInputProps("login")} />
      <TextInput label="Name" autoComplete="off" {...form.getInputProps("display_name")} />
      <PasswordInput
        label="Initial password"
        description="At least 12 characters."
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
      <Select label="Role" data={[...ROLES]} {...form.getInputProps("role")} />
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} value={group} />
    </FormBody>
  );
}

export function GrantForm({ person, close }: { person: Person; close: () => void }) {
  const grant = useGrantRole(person.id);
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const form = useActForm({
    initialValues: { role: "viewer" as Role, group: "" },
    send: (values) => grant.mutateAsync({ role: values.role, group_id: Number(values.group || firstGroup) }),
    whenDone: close,
  });
  const group = form.values.group || firstGroup;
  return (
    <FormBody form={form} label="Add role" isDisabled={group === ""}>
      <Select label="Role" data={[...ROLES]} {...form.getInputProps("role")} />
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} value={group} />
    </FormBody>
  );
}

export function PasswordForm({ person, close }: { person: Person; close: () => void }) {
  const set = useSetPassword(person.id);
  const form = useActForm({
    initialValues: { password: "" },
    validate: { password: isLongEnough },
    send: ({ password }) => set.mutateAsync(password),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Reset password">
      <PasswordInput
        label="New password"
        description="Signs the user out everywhere."
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
    </FormBody>
  );
}
