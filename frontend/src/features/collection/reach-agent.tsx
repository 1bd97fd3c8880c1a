import { NumberInput, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useHostSearch } from "@/entities/host/queries";
import { visible } from "@/shared/lib/text";
import { FormBody } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { address, PORTS, useCredentialChoices } from "./host-forms";
import { useCreateCollectedHost } from "./queries";

/** A host that keeps its own agent, and how Plumbline reaches it to start that agent when somebody asks for a check. */
export function ReachAgent({ close }: { close: () => void }) {
  const create = useCreateCollectedHost();
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 200);
  const hosts = useHostSearch(wanted);
  const [host, setHost] = useState<{ id: string; name: string; platform: string } | null>(null);
  const channel = host?.platform === "windows" ? "winrm" : "ssh";
  const choices = useCredentialChoices(channel);
  const chosenOf = (id: string) => (choices.some((one) => one.value === id) ? id : (choices[0]?.value ?? ""));
  const platform = host?.platform === "windows" ? "windows" : "esxi";
  const form = useActForm({
    initialValues: { address: "", port: null as number | null, credential: "" },
    validate: { address },
    send: async (values) => {
      if (!host) return;
      await create.mutateAsync({
        host_id: host.id,
        platform,
        address: values.address.trim(),
        port: values.port ?? PORTS[platform],
        credential_id: Number(chosenOf(values.credential)),
        ca_certificate: "",
        keeps_agent: true,
      });
    },
    whenDone: close,
  });
  const credential = chosenOf(form.values.credential);
  return (
    <FormBody form={form} label="Save" isDisabled={credential === "" || host === null}>
      <Select
        label="Host"
        placeholder="Type a host name"
        searchable
        nothingFoundMessage="No matching hosts"
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
        {...form.getInputProps("credential")}
        value={credential || null}
        description={choices.length === 0 ? "No matching credential. Add one below." : undefined}
        allowDeselect={false}
      />
      <p className="dim small">
        The agent still sends all check-ins. Plumbline only triggers it when someone requests a check-in. Nothing is sent until the host key
        is known from the agent or verified by a person.
      </p>
    </FormBody>
  );
}
