import { PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import type { Credential, CredentialKind } from "@/entities/credential/types";
import { useGroupChoices } from "@/entities/group/queries";
import { isSeen } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { KINDS, kindOf, useCreateCredential, useReplaceCredential } from "./queries";

type Secrets = {
  private_key: string;
  password: string;
  certificate: string;
};
type Part = keyof Secrets;

const EMPTY: Secrets = { private_key: "", password: "", certificate: "" };
const LABELS: Record<Part, string> = { private_key: "Private key", password: "Password", certificate: "Certificate" };

/** Only the parts that the kind has; a part left from another kind is not sent. */
const partsOf = (kind: string, values: Secrets): Partial<Secrets> =>
  Object.fromEntries((kindOf(kind)?.parts ?? []).map((part) => [part, values[part]]));

const missing = (kind: string, values: Secrets): string => {
  const part = kindOf(kind)?.parts.find((one) => values[one].trim() === "");
  return part ? `${LABELS[part]} is required.` : "";
};

export function NewCredential({ close }: { close: () => void }) {
  const create = useCreateCredential();
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const form = useActForm({
    initialValues: { name: "", kind: "ssh_key" as CredentialKind, account: "root", group: "", ...EMPTY },
    validate: {
      name: (text) => (isSeen(text) ? null : "Enter a name"),
      account: (text, { kind }) => (text.trim() || kind === "certificate" ? null : "Enter the account name"),
    },
    send: (values) =>
      create.mutateAsync({
        name: values.name.trim(),
        kind: values.kind,
        account: values.account.trim(),
        group_id: Number(values.group || firstGroup),
        ...EMPTY,
        ...partsOf(values.kind, values),
      }),
    whenDone: close,
  });
  const { kind } = form.values;
  const group = form.values.group || firstGroup;
  return (
    <FormBody form={form} label="Save credential" missing={missing(kind, form.values)} isDisabled={group === ""}>
      <TextInput label="Name" placeholder="Berlin ESXi, read only" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <Select
        label="Type"
        data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps("kind")}
      />
      <TextInput label="Account on the hosts" autoComplete="off" {...form.getInputProps("account")} />
      <Parts kind={kind} field={(part) => form.getInputProps(part)} />
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} value={group} />
      <p className="dim small">Stored encrypted. You can replace it but not view it again.</p>
    </FormBody>
  );
}

export function ReplaceCredential({ credential, close }: { credential: Credential; close: () => void }) {
  const replace = useReplaceCredential(credential.id);
  const form = useActForm({
    initialValues: { account: credential.account, ...EMPTY },
    send: (values) => replace.mutateAsync({ account: values.account.trim(), ...EMPTY, ...partsOf(credential.kind, values) }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Replace credential" missing={missing(credential.kind, form.values)}>
      <TextInput label="Account on the hosts" autoComplete="off" {...form.getInputProps("account")} />
      <Parts kind={credential.kind} field={(part) => form.getInputProps(part)} />
      <p className="dim small">Replaces the old secret. A disabled credential becomes active again.</p>
    </FormBody>
  );
}

function Parts({ kind, field }: { kind: string; field: (part: Part) => object }) {
  return (kindOf(kind)?.parts ?? []).map((part) =>
    part === "password" ? (
      <PasswordInput key={part} label={LABELS[part]} autoComplete="new-password" {...field(part)} />
    ) : (
      <Textarea
        key={part}
        label={LABELS[part]}
        description={part === "private_key" ? "PEM or OpenSSH format, without a passphrase." : "PEM format."}
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
