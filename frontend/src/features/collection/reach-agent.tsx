import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, query } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./collection.module.css";
import { address, PORTS, useCredentialChoices } from "./host-forms";
import { useRefresh } from "./queries";

/** A host that keeps its own agent, and how Plumbline reaches it to start that agent when somebody asks for a check. */
export function ReachAgent({ close }: { close: () => void }) {
  const refresh = useRefresh();
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 200);
  const hosts = query.useQuery("get", "/api/v1/hosts", { params: { query: { q: wanted, sort: "name", limit: 20 } } });
  const [host, setHost] = useState<{ id: string; name: string; platform: string } | null>(null);
  const channel = host?.platform === "windows" ? "winrm" : "ssh";
  const choices = useCredentialChoices(channel);
  const form = useForm({
    initialValues: { address: "", port: null as number | null, credential: "" },
    validate: { address },
  });
  const credential = choices.some((one) => one.value === form.values.credential) ? form.values.credential : (choices[0]?.value ?? "");
  const reach = useMutation({
    mutationFn: async (values: typeof form.values) => {
      if (!host) return;
      await api.POST("/api/v1/collection/hosts", {
        body: {
          host_id: host.id,
          platform: host.platform === "windows" ? "windows" : "esxi",
          address: values.address.trim(),
          port: values.port ?? PORTS[host.platform === "windows" ? "windows" : "esxi"],
          credential_id: Number(credential),
          ca_certificate: "",
          keeps_agent: true,
        },
      });
    },
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => reach.mutate(values))}>
      <Select
        label="Host with an agent of its own"
        placeholder="Type its name"
        searchable
        nothingFoundMessage="No host of that name"
        data={(hosts.data?.items ?? []).map((one) => ({ value: one.id, label: visible(one.name) }))}
        value={host?.id ?? null}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(chosen) => setHost(hosts.data?.items.find((one) => one.id === chosen) ?? host)}
        data-autofocus
      />
      <TextInput label="Address" placeholder="sql-03.example.net" autoComplete="off" {...form.getInputProps("address")} />
      <NumberInput
        label="Port"
        min={1}
        max={65535}
        placeholder={channel === "ssh" ? "22" : "5986"}
        value={form.values.port ?? ""}
        onChange={(value) => form.setFieldValue("port", typeof value === "number" ? value : null)}
      />
      <Select
        label="Credential"
        data={choices}
        value={credential || null}
        onChange={(chosen) => form.setFieldValue("credential", chosen ?? "")}
        description={choices.length === 0 ? "There is none for this system yet: add one below." : undefined}
        allowDeselect={false}
      />
      <p className="dim small">
        Its agent stays the only one that counts and sends. Plumbline starts it when somebody asks for a check, and nothing is sent before
        the host's key is known: the one that its agent told of, or one that a person confirms.
      </p>
      {reach.error ? <Failed error={reach.error} /> : null}
      <Button type="submit" variant="filled" loading={reach.isPending} disabled={credential === "" || host === null}>
        Save
      </Button>
    </form>
  );
}
