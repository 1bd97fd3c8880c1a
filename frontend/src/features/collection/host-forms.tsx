import { NumberInput, Select, TextInput } from "@mantine/core";
import type { CollectedHost } from "@/entities/credential/types";
import { useGroupChoices } from "@/entities/group/queries";
import { isSeen, visible } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { kindOf, useCreateCollectedHost, useCredentials, useUpdateCollectedHost } from "./queries";

export const PORTS = { esxi: 22, windows: 5986 } as const;
export const address = (text: string) => (/^[A-Za-z0-9][A-Za-z0-9.:_-]*$/.test(text.trim()) ? null : "Enter a host name or IP address");

export function useCredentialChoices(channel: "ssh" | "winrm" | "vcenter") {
  const credentials = useCredentials();
  return (credentials.data ?? [])
    .filter((one) => kindOf(one.kind)?.channel === channel)
    .map((one) => ({ value: String(one.id), label: `${visible(one.name)} (${visible(one.account || "certificate")})` }));
}

export function NewHost({ close }: { close: () => void }) {
  const create = useCreateCollectedHost();
  const groups = useGroupChoices();
  const firstGroup = groups[0]?.value ?? "";
  const ssh = useCredentialChoices("ssh");
  const winrm = useCredentialChoices("winrm");
  const credentialFor = (system: "esxi" | "windows", chosen: string) => {
    const choices = system === "esxi" ? ssh : winrm;
    return choices.some((one) => one.value === chosen) ? chosen : (choices[0]?.value ?? "");
  };
  const form = useActForm({
    initialValues: { name: "", platform: "esxi" as "esxi" | "windows", address: "", port: PORTS.esxi as number, credential: "", group: "" },
    validate: { name: (text) => (isSeen(text) ? null : "Enter a name"), address },
    send: (values) =>
      create.mutateAsync({
        name: values.name.trim(),
        platform: values.platform,
        address: values.address.trim(),
        port: values.port,
        credential_id: Number(credentialFor(values.platform, values.credential)),
        group_id: Number(values.group || firstGroup),
        keeps_agent: false,
      }),
    whenDone: close,
  });
  const { platform } = form.values;
  const choices = platform === "esxi" ? ssh : winrm;
  const credential = credentialFor(platform, form.values.credential);
  const group = form.values.group || firstGroup;
  return (
    <FormBody form={form} label="Add host" isDisabled={credential === "" || group === ""}>
      <TextInput label="Host name" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <Select
        label="Operating system"
        allowDeselect={false}
        data={[
          { value: "esxi", label: "ESXi (SSH)" },
          { value: "windows", label: "Windows Server (WinRM)" },
        ]}
        value={platform}
        onChange={(chosen) => {
          const system = chosen === "windows" ? "windows" : "esxi";
          form.setFieldValue("platform", system);
          form.setFieldValue("port", PORTS[system]);
        }}
      />
      <TextInput label="Address" placeholder="esx-01.example.net" autoComplete="off" {...form.getInputProps("address")} />
      <NumberInput label="Port" min={1} max={65535} {...form.getInputProps("port")} />
      <Select
        label="Credential"
        data={choices}
        {...form.getInputProps("credential")}
        value={credential || null}
        description={choices.length === 0 ? "No matching credential. Add one below." : undefined}
        allowDeselect={false}
      />
      <Select label="Group" searchable data={groups} {...form.getInputProps("group")} value={group} />
      <p className="dim small">
        Plumbline first reads the host key without sending a credential. Collection starts after you verify the key.
      </p>
    </FormBody>
  );
}

export function ChangeHost({ host, close }: { host: CollectedHost; close: () => void }) {
  const update = useUpdateCollectedHost(host.host_id);
  const choices = useCredentialChoices(host.channel);
  const form = useActForm({
    initialValues: { address: host.address, port: host.port, credential: String(host.credential_id) },
    validate: { address },
    send: (values) => update.mutateAsync({ address: values.address.trim(), port: values.port, credential_id: Number(values.credential) }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Save">
      <TextInput label="Address" autoComplete="off" {...form.getInputProps("address")} />
      <NumberInput label="Port" min={1} max={65535} {...form.getInputProps("port")} />
      <Select label="Credential" data={choices} allowDeselect={false} {...form.getInputProps("credential")} />
      <p className="dim small">The verified key stays: the new address must present it.</p>
    </FormBody>
  );
}
