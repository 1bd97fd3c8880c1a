import { MultiSelect, SegmentedControl, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { Charts } from "@/entities/counters/types";
import { query } from "@/shared/api/client";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import styles from "./performance.module.css";
import type { PerformanceSearch } from "./search";

/** Lines a person can still tell apart. */
export const MOST_SERIES = 8;
const MOST_HOSTS = 20;

interface PickerProps {
  data: Charts;
  search: PerformanceSearch;
  setSearch: PatchSearch<PerformanceSearch>;
}

/** Picks hosts, counters, how they are arranged and what they are compared with. */
export function Picker({ data, search, setSearch }: PickerProps) {
  const shown = data.series.map((line) => line.id);
  const jobs = data.marks.flatMap((mark) => (mark.kind === "job" && mark.href ? [mark.href.replace("/jobs/", "")] : []));
  const comparedJob = search.compare?.startsWith("job:") ? search.compare.slice(4) : undefined;
  const jobChoices = [...new Set([...(comparedJob ? [comparedJob] : []), ...jobs])];
  return (
    <div className={styles.filters}>
      <HostPicker data={data} search={search} setSearch={setSearch} />
      <MultiSelect
        label={`Counters (up to ${MOST_SERIES})`}
        size="xs"
        className={styles.grow}
        maxValues={MOST_SERIES}
        searchable
        hidePickedOptions
        clearable={search.series !== undefined}
        clearButtonProps={{ "aria-label": "Reset counters" }}
        data={data.hosts.map((host) => ({
          group: visible(host.name),
          items: host.choices.map((one) => ({
            value: `${host.id}~${one.id}`,
            label: data.hosts.length > 1 ? `${visible(host.name)} ${visible(one.label)}` : visible(one.label),
          })),
        }))}
        value={shown}
        onChange={(chosen) => setSearch({ series: chosen.length > 0 ? chosen : undefined })}
      />
      <Select
        label="Compare with"
        size="xs"
        w={170}
        placeholder="Nothing"
        clearable
        clearButtonProps={{ "aria-label": "Compare with nothing" }}
        data={[
          { value: "week", label: "The week before" },
          { value: "peers", label: "Cluster peers" },
          ...jobChoices.map((number) => ({ value: `job:${number}`, label: `Before job ${number}` })),
        ]}
        value={search.compare ?? null}
        onChange={(chosen) => setSearch({ compare: chosen ?? undefined })}
      />
      {data.hosts.length > 1 ? (
        <SegmentedControl
          size="xs"
          aria-label="Layout"
          data={[
            { value: "together", label: "Together" },
            { value: "hosts", label: "By host" },
          ]}
          value={search.layout ?? "together"}
          onChange={(chosen) => setSearch({ layout: chosen === "hosts" ? "hosts" : undefined })}
        />
      ) : null}
    </div>
  );
}

function HostPicker({ data, search, setSearch }: PickerProps) {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 200);
  const found = query.useQuery(
    "get",
    "/api/v1/hosts",
    { params: { query: { q: q || undefined, sort: "name", limit: 20 } } },
    { placeholderData: keepPreviousData },
  );
  const known = new Map(data.hosts.map((host) => [host.id, host.name]));
  for (const host of found.data?.items ?? []) known.set(host.id, host.name);
  return (
    <MultiSelect
      label="Hosts"
      size="xs"
      className={styles.grow}
      maxValues={MOST_HOSTS}
      searchable
      hidePickedOptions
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="No host with this name"
      data={[...known].map(([value, name]) => ({ value, label: visible(name) }))}
      filter={({ options }) => options}
      value={data.hosts.map((host) => host.id)}
      onChange={(chosen) => {
        const series = search.series?.filter((one) => chosen.includes(one.slice(0, one.indexOf("~"))));
        setSearch({ host: chosen.length > 0 ? chosen : undefined, series: series && series.length > 0 ? series : undefined });
      }}
    />
  );
}
