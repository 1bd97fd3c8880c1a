import { Button, PasswordInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { Person, Role } from "@/shared/api/types";
import { isSeen } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./admin.module.css";

const LIST = ["get", "/api/v1/people"] as const;
const ROLES = ["viewer", "operator", "approver", "admin"] as const satisfies readonly Role[];

export function PersonForm({ close }: { close: () => void }) {
  const client = useQueryClient();
  const groups = useGroupChoices();
  const form = useForm({
    initialValues: { login: "", display_name: "", password: "", role: "viewer" as Role, group: "" },
    validate: {
      login: (text) =>
        /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text) ? null : "Letters, digits and . _ @ + -, beginning with a letter or digit",
      display_name: (text) => (isSeen(text) ? null : "Say who it is"),
      password: (text) => (text.length >= 12 ? null : "At least 12 characters"),
    },
  });
  const group = form.values.group || groups[0]?.value || "";
  const add = useMutation({
    mutationFn: ({ role, login, display_name, password }: typeof form.values) =>
      api.POST("/api/v1/people", { body: { login, display_name, password, roles: group ? [{ role, group_id: Number(group) }] : [] } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: LIST });
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <TextInput label="Login" autoComplete="off" data-autofocus {...form.getInputProps("login")} />
      <TextInput label="Name" autoComplete="off" {...form.getInputProps("display_name")} />
      <PasswordInput
        label="First password"
        description="At least 12 characters."
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        {...form.getInputProps("password")}
      />
      <Select label="Role" data={[...ROLES]} {...form.getInputProps("role")} />
      <Select
        label="On the group and all below it"
        searchable
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      {add.error ? <Failed error={add.error} /> : null}
      <Button type="submit" variant="filled" loading={add.isPending} disabled={group === ""}>
        Add the person
      </Button>
    </form>
  );
}

export function GrantForm({ person, close }: { person: Person; close: () => void }) {
  const client = useQueryClient();
  const groups = useGroupChoices();
  const form = useForm({ initialValues: { role: "viewer" as Role, group: "" } });
  const group = form.values.group || groups[0]?.value || "";
  const give = useMutation({
    mutationFn: ({ role }: { role: Role }) => api.POST("/api/v1/grants", { body: { person_id: person.id, role, group_id: Number(group) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: LIST });
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => give.mutate(values))}>
      <Select label="Role" data={[...ROLES]} {...form.getInputProps("role")} />
      <Select
        label="On the group and all below it"
        searchable
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      {give.error ? <Failed error={give.error} /> : null}
      <Button type="submit" variant="filled" loading={give.isPending} disabled={group === ""}>
        Add the role
      </Button>
    </form>
  );
}

export function PasswordForm({ person, close }: { person: Person; close: () => void }) {
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (text) => (text.length >= 12 ? null : "At least 12 characters") },
  });
  const renew = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      api.PATCH("/api/v1/people/{person_id}", { params: { path: { person_id: person.id } }, body: { password } }),
    onSuccess: close,
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => renew.mutate(values))}>
      <PasswordInput
        label="New password"
        description="It ends every session of this person."
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        {...form.getInputProps("password")}
      />
      {renew.error ? <Failed error={renew.error} /> : null}
      <Button type="submit" variant="filled" loading={renew.isPending}>
        Set the password
      </Button>
    </form>
  );
}
