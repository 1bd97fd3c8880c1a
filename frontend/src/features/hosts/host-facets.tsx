import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { Facet, FacetPanel } from "@/shared/ui/facet-panel";
import styles from "./host-facets.module.css";
import { useClusters } from "./queries";
import { filtersOf, type HostsSearch, hostsSearch } from "./search";
import type { HostFacets } from "./types";

interface HostFacetsProps {
  facets: HostFacets;
  search: HostsSearch;
  setSearch: PatchSearch<HostsSearch>;
}

export function HostFacetPanel({ facets, search, setSearch }: HostFacetsProps) {
  const isFiltered = Object.values(filtersOf(search)).some((given) => given !== undefined);
  return (
    <FacetPanel
      above={<NameFilter value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />}
      clear={isFiltered ? () => setSearch(emptied(search)) : undefined}
    >
      <Chips search={search} setSearch={setSearch} />
      {facets.facets
        .filter((facet) => facet.name in hostsSearch.shape && facet.values.length > 0)
        .map((facet) =>
          facet.more > 0 ? (
            <FoundFacet key={facet.name} facet={facet} search={search} setSearch={setSearch} />
          ) : (
            <Facet key={facet.name} label={facet.label} values={facet.values} {...choiceOf(facet.name, search, setSearch)} />
          ),
        )}
    </FacetPanel>
  );
}

/** What of a facet is chosen, and how a value of it is chosen or let go. */
const choiceOf = (name: string, search: HostsSearch, setSearch: PatchSearch<HostsSearch>) => ({
  chosen: chosenOf(search, name),
  toggle: (value: string) => setSearch(withToggled(search, name, value)),
});

function emptied(search: HostsSearch): Partial<HostsSearch> {
  return Object.fromEntries(Object.keys(filtersOf(search)).map((name) => [name, undefined]));
}

function NameFilter({ value, set }: { value: string; set: (q: string) => void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 200);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      id="filter-hosts"
      label="Name"
      placeholder="Part of the name"
      size="xs"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}

/** Clusters where there are too many to list: the largest, and any other by a part of its name. */
function FoundFacet({ facet, search, setSearch }: Omit<HostFacetsProps, "facets"> & { facet: HostFacets["facets"][number] }) {
  const [text, setText] = useState("");
  const [named, setNamed] = useState("");
  const later = useDebouncedCallback(setNamed, 200);
  const clusters = useClusters(filtersOf(search), named);
  const shown = (named && clusters.data) || facet;
  const find = (
    <TextInput
      aria-label="Find a cluster"
      placeholder="Part of the cluster name"
      size="xs"
      mb={4}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
  return (
    <Facet label={facet.label} values={shown.values} find={find} rest={restOf(shown, named)} {...choiceOf(facet.name, search, setSearch)} />
  );
}

function restOf(shown: HostFacets["facets"][number], named: string): string {
  const isFound = shown.values.some((one) => one.value.toLowerCase().includes(named.toLowerCase()));
  if (named && !isFound) return "No matching clusters";
  if (shown.more === 0) return "";
  return `${plural(shown.more, "more cluster")}. Type ${named ? "more" : "part"} of the name to find them.`;
}

function chosenOf(search: HostsSearch, name: string): string[] {
  const given = search[name as keyof HostsSearch];
  return Array.isArray(given) ? given.map(String) : [];
}

function withToggled(search: HostsSearch, name: string, one: string): Partial<HostsSearch> {
  return hostsSearch.partial().parse({ [name]: toggled(chosenOf(search, name), one) });
}

/** Filters without a facet of their own (they come from links), each with a way out. */
function Chips({ search, setSearch }: { search: HostsSearch; setSearch: PatchSearch<HostsSearch> }) {
  const chips: { key: string; label: string; clear: Partial<HostsSearch> }[] = [];
  for (const rule of search.rule ?? [])
    chips.push({ key: `rule ${rule}`, label: `Rule ${rule}`, clear: { rule: toggled(search.rule, rule) } });
  if (search.score_below !== undefined)
    chips.push({ key: "score", label: `Score below ${search.score_below}`, clear: { score_below: undefined } });
  if (search.changed_hours !== undefined)
    chips.push({ key: "changed", label: `Changed in last ${search.changed_hours} h`, clear: { changed_hours: undefined } });
  if (chips.length === 0) return null;
  return (
    <div className={styles.chips}>
      {chips.map((chip) => (
        <button
          key={chip.key}
          type="button"
          className={styles.chip}
          onClick={() => setSearch(chip.clear)}
          aria-label={`Remove filter: ${chip.label}`}
        >
          <span>{chip.label}</span>
          <IconX size={12} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
