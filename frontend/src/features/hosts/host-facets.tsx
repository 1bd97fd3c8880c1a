import { Checkbox, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import type { HostFacets } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import styles from "@/shared/ui/facet-panel.module.css";
import { useClusters } from "./queries";
import { filtersOf, type HostsSearch, hostsSearch } from "./search";

interface FacetPanelProps {
  facets: HostFacets;
  search: HostsSearch;
  setSearch: PatchSearch<HostsSearch>;
}

/** Longest list of values shown before "more". */
const SHOWN = 8;

export function FacetPanel({ facets, search, setSearch }: FacetPanelProps) {
  const isFiltered = Object.values(filtersOf(search)).some((given) => given !== undefined);
  return (
    <div className={styles.panel}>
      <NameFilter value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
      {isFiltered ? (
        <button type="button" className={styles.clear} onClick={() => setSearch(emptied(search))}>
          Clear all filters
        </button>
      ) : null}
      <Chips search={search} setSearch={setSearch} />
      {facets.facets
        .filter((facet) => facet.name in hostsSearch.shape && facet.values.length > 0)
        .map((facet) =>
          facet.more > 0 ? (
            <FoundFacet key={facet.name} facet={facet} search={search} setSearch={setSearch} />
          ) : (
            <Facet key={facet.name} name={facet.name} label={facet.label} values={facet.values} search={search} setSearch={setSearch} />
          ),
        )}
    </div>
  );
}

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
      placeholder="part of a name"
      size="xs"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}

interface FacetProps {
  name: string;
  label: string;
  values: HostFacets["facets"][number]["values"];
  search: HostsSearch;
  setSearch: PatchSearch<HostsSearch>;
  /** Where others are looked for, and what is said of them. */
  find?: ReactNode;
  rest?: string;
}

/** Clusters where there are too many to list: the largest, and any other by a part of its name. */
function FoundFacet({ facet, search, setSearch }: Pick<FacetProps, "search" | "setSearch"> & { facet: HostFacets["facets"][number] }) {
  const [text, setText] = useState("");
  const [named, setNamed] = useState("");
  const later = useDebouncedCallback(setNamed, 200);
  const found = useClusters(filtersOf(search), named);
  const shown = (named && found.data) || facet;
  const find = (
    <TextInput
      aria-label="Find a cluster"
      placeholder="part of a cluster's name"
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
    <Facet
      name={facet.name}
      label={facet.label}
      values={shown.values}
      search={search}
      setSearch={setSearch}
      find={find}
      rest={restOf(shown, named)}
    />
  );
}

function restOf(shown: HostFacets["facets"][number], named: string): string {
  const isFound = shown.values.some((one) => one.value.toLowerCase().includes(named.toLowerCase()));
  if (named && !isFound) return "No cluster has this in its name.";
  if (shown.more === 0) return "";
  return `${plural(shown.more, "more cluster")} not listed: type ${named ? "more" : "a part"} of the name.`;
}

function Facet({ name, label, values, search, setSearch, find, rest }: FacetProps) {
  const [isWhole, setWhole] = useState(false);
  const chosen = chosenOf(search, name);
  const shown = isWhole ? values : values.filter((one, index) => index < SHOWN || chosen.includes(one.value));
  return (
    <fieldset className={styles.facet}>
      <legend>{label}</legend>
      {find}
      {shown.map((one) => (
        <Checkbox
          key={one.value}
          size="xs"
          checked={chosen.includes(one.value)}
          onChange={() => setSearch(withToggled(search, name, one.value))}
          classNames={{ root: styles.value, labelWrapper: styles.wrap, label: styles.label }}
          label={
            <>
              <span className={styles.name}>{visible(one.label || "none")}</span>
              <span className={styles.count}>{count(one.count)}</span>
            </>
          }
        />
      ))}
      {values.length > shown.length || isWhole ? (
        <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "fewer" : `${values.length - shown.length} more`}
        </button>
      ) : null}
      {rest ? <p className={styles.rest}>{rest}</p> : null}
    </fieldset>
  );
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
  const chips: { key: string; words: string; clear: Partial<HostsSearch> }[] = [];
  for (const rule of search.rule ?? [])
    chips.push({ key: `rule ${rule}`, words: `rule ${rule}`, clear: { rule: toggled(search.rule, rule) } });
  if (search.score_below !== undefined)
    chips.push({ key: "score", words: `score below ${search.score_below}`, clear: { score_below: undefined } });
  if (search.changed_hours !== undefined)
    chips.push({ key: "changed", words: `changed in ${search.changed_hours} h`, clear: { changed_hours: undefined } });
  if (chips.length === 0) return null;
  return (
    <div className={styles.chips}>
      {chips.map((chip) => (
        <button
          key={chip.key}
          type="button"
          className={styles.chip}
          onClick={() => setSearch(chip.clear)}
          aria-label={`Remove the filter: ${chip.words}`}
        >
          <span>{chip.words}</span>
          <IconX size={12} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
