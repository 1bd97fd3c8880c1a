import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useGroupChoices } from "@/entities/person/queries";
import { api } from "@/shared/api/client";
import type { CollectedHost } from "@/shared/api/types";
import { isSeen, visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./collection.module.css";
import { kindOf, useCredentials, useRefresh } from "./queries";

export const PORTS = { esxi: 22, windows: 5986 } as const;
export const address = (text: string) => (/^[A-Za-z0-9][A-Za-z0-9.:_-]*$/.test(text.trim()) ? null : "A name or an IP address");

export function useCredentialChoices(channel: "ssh" | "winrm" | "vcenter") {
  const credentials = useCredentials();
  return (credentials.data ?? [])
    .filter((one) => kindOf(one.kind)?.channel === channel)
    .map((one) => ({ value: String(one.id), label: `${visible(one.name)} (${visible(one.account || "certificate")})` }));
}

export function NewHost({ close }: { close: () => void }) {
  const refresh = useRefresh();
  const groups = useGroupChoices();
  const form = useForm({
    initialValues: { name: "", platform: "esxi" as "esxi" | "windows", address: "", port: PORTS.esxi as number, credential: "", group: "" },
    validate: { name: (text) => (isSeen(text) ? null : "Say what the host is called"), address },
  });
  const { platform } = form.values;
  const choices = useCredentialChoices(platform === "esxi" ? "ssh" : "winrm");
  const credential = choices.some((one) => one.value === form.values.credential) ? form.values.credential : (choices[0]?.value ?? "");
  const group = form.values.group || groups[0]?.value || "";
  const add = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.POST("/api/v1/collection/hosts", {
        body: {
          name: values.name.trim(),
          platform: values.platform,
          address: values.address.trim(),
          port: values.port,
          credential_id: Number(credential),
          group_id: Number(group),
          ca_certificate: "",
          keeps_agent: false,
        },
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <TextInput label="Name of the host" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <Select
        label="System"
        allowDeselect={false}
        data={[
          { value: "esxi", label: "ESXi, over SSH" },
          { value: "windows", label: "Windows Server, over WinRM" },
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
        value={credential || null}
        onChange={(chosen) => form.setFieldValue("credential", chosen ?? "")}
        description={choices.length === 0 ? "There is none for this system yet: add one below." : undefined}
        allowDeselect={false}
      />
      <Select
        label="Into the group"
        searchable
        data={groups}
        value={group}
        onChange={(chosen) => form.setFieldValue("group", chosen ?? "")}
      />
      <p className="dim small">
        The host is asked for its key first, without a credential. It is read once a person has confirmed the key.
      </p>
      {add.error ? <Failed error={add.error} /> : null}
      <Button type="submit" variant="filled" loading={add.isPending} disabled={credential === "" || group === ""}>
        Add the host
      </Button>
    </form>
  );
}

export function ChangeHost({ host, close }: { host: CollectedHost; close: () => void }) {
  const refresh = useRefresh();
  const choices = useCredentialChoices(host.channel);
  const form = useForm({
    initialValues: { address: host.address, port: host.port, credential: String(host.credential_id) },
    validate: { address },
  });
  const change = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.PATCH("/api/v1/collection/hosts/{host_id}", {
        params: { path: { host_id: host.host_id } },
        body: { address: values.address.trim(), port: values.port, credential_id: Number(values.credential) },
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <TextInput label="Address" autoComplete="off" {...form.getInputProps("address")} />
      <NumberInput label="Port" min={1} max={65535} {...form.getInputProps("port")} />
      <Select label="Credential" data={choices} allowDeselect={false} {...form.getInputProps("credential")} />
      <p className="dim small">The confirmed key stays: whoever answers at the new address has to show it.</p>
      {change.error ? <Failed error={change.error} /> : null}
      <Button type="submit" variant="filled" loading={change.isPending}>
        Save
      </Button>
    </form>
  );
}

export function RemoveHost({ host, close }: { host: CollectedHost; close: () => void }) {
  const refresh = useRefresh();
  const remove = useMutation({
    mutationFn: () => api.DELETE("/api/v1/collection/hosts/{host_id}", { params: { path: { host_id: host.host_id } } }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <div className={styles.form}>
      <p>
        {host.source === "agent"
          ? `Plumbline signs in to ${visible(host.name)} no more. Its own agent goes on as before.`
          : `Plumbline signs in to ${visible(host.name)} no more. Its history stays; it goes silent until an agent is enrolled on it, or it is retired.`}
      </p>
      {remove.error ? <Failed error={remove.error} /> : null}
      <Button variant="filled" onClick={() => remove.mutate()} loading={remove.isPending}>
        Stop reading the host
      </Button>
    </div>
  );
}
