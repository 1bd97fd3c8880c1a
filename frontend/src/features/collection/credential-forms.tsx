import { Button, PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { Credential, CredentialKind } from "@/shared/api/types";
import { isSeen } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./collection.module.css";
import { KINDS, kindOf, useRefresh } from "./queries";

interface Secrets {
  private_key: string;
  password: string;
  certificate: string;
}
type Part = keyof Secrets;

const EMPTY: Secrets = { private_key: "", password: "", certificate: "" };
const LABELS: Record<Part, string> = { private_key: "Private key", password: "Password", certificate: "Certificate" };

/** Only the parts that the kind has; a part left from another kind is not sent. */
const partsOf = (kind: string, values: Secrets): Partial<Secrets> =>
  Object.fromEntries((kindOf(kind)?.parts ?? []).map((part) => [part, values[part]]));

const missing = (kind: string, values: Secrets): string => {
  const part = kindOf(kind)?.parts.find((one) => values[one].trim() === "");
  return part ? `${LABELS[part]} is missing.` : "";
};

export function NewCredential({ close }: { close: () => void }) {
  const refresh = useRefresh();
  const groups = useGroupChoices();
  const form = useForm({
    initialValues: { name: "", kind: "ssh_key" as CredentialKind, account: "root", group: "", ...EMPTY },
    validate: {
      name: (text) => (isSeen(text) ? null : "Say what it is called"),
      account: (text, { kind }) => (text.trim() || kind === "certificate" ? null : "Say which account on the hosts"),
    },
  });
  const group = form.values.group || groups[0]?.value || "";
  const add = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.POST("/api/v1/collection/credentials", {
        body: {
          name: values.name.trim(),
          kind: values.kind,
          account: values.account.trim(),
          group_id: Number(group),
          private_key: "",
          password: "",
          certificate: "",
          ...partsOf(values.kind, values),
        },
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  const lack = missing(form.values.kind, form.values);
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <TextInput label="Name" placeholder="Berlin ESXi, read only" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <Select
        label="Kind"
        data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps("kind")}
      />
      <TextInput label="Account on the hosts" autoComplete="off" {...form.getInputProps("account")} />
      <Parts kind={form.values.kind} field={(part) => form.getInputProps(part)} />
      <Select
        label="For hosts of the group and all below it"
        searchable
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      <p className="dim small">It is sealed at once. It can be replaced, but nobody can read it again.</p>
      {add.error ? <Failed error={add.error} /> : null}
      {lack ? <span className="dim small">{lack}</span> : null}
      <Button type="submit" variant="filled" loading={add.isPending} disabled={lack !== "" || group === ""}>
        Store the credential
      </Button>
    </form>
  );
}

export function ReplaceCredential({ credential, close }: { credential: Credential; close: () => void }) {
  const refresh = useRefresh();
  const form = useForm({ initialValues: { account: credential.account, ...EMPTY } });
  const replace = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.PATCH("/api/v1/collection/credentials/{credential_id}", {
        params: { path: { credential_id: credential.id } },
        body: { account: values.account.trim(), private_key: "", password: "", certificate: "", ...partsOf(credential.kind, values) },
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  const lack = missing(credential.kind, form.values);
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => replace.mutate(values))}>
      <TextInput label="Account on the hosts" autoComplete="off" {...form.getInputProps("account")} />
      <Parts kind={credential.kind} field={(part) => form.getInputProps(part)} />
      <p className="dim small">The old one is gone. A stopped credential is used again from now on.</p>
      {replace.error ? <Failed error={replace.error} /> : null}
      {lack ? <span className="dim small">{lack}</span> : null}
      <Button type="submit" variant="filled" loading={replace.isPending} disabled={lack !== ""}>
        Replace the credential
      </Button>
    </form>
  );
}

function Parts({ kind, field }: { kind: string; field: (part: Part) => object }) {
  return (kindOf(kind)?.parts ?? []).map((part) =>
    part === "password" ? (
      <PasswordInput
        key={part}
        label={LABELS[part]}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        {...field(part)}
      />
    ) : (
      <Textarea
        key={part}
        label={LABELS[part]}
        description={part === "private_key" ? "PEM or OpenSSH text, without a passphrase." : "PEM text."}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        {...field(part)}
      />
    ),
  );
}
