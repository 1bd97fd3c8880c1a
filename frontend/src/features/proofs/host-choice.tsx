import { Select } from "@mantine/core";
import { useState } from "react";
import { useHost, useHostSearch } from "@/entities/host/queries";
import { visible } from "@/shared/lib/text";

interface HostChoiceProps {
  label: string;
  host: string | undefined;
  setHost: (host: string | undefined) => void;
}

/** Chooses one host by its name. */
export function HostChoice({ label, host, setHost }: HostChoiceProps) {
  const [typed, setTyped] = useState("");
  const chosen = useHost(host ?? "", host !== undefined);
  const found = useHostSearch(typed);
  const data = (found.data?.items ?? []).map((one) => ({ value: one.id, label: visible(one.name) }));
  if (host && chosen.data && !data.some((one) => one.value === host)) data.unshift({ value: host, label: visible(chosen.data.name) });
  return (
    <Select
      label={label}
      placeholder="Search by name"
      size="xs"
      miw={220}
      searchable
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      filter={({ options }) => options}
      data={data}
      value={host ?? null}
      onSearchChange={setTyped}
      onChange={(next) => setHost(next ?? undefined)}
    />
  );
}
