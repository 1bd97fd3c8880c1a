import type { WaiverPage } from "@/entities/waiver/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { capital } from "@/shared/lib/text";
import { Facet, FacetPanel } from "@/shared/ui/facet-panel";
import { stateLabel } from "./labels";
import { type WaiversSearch, waiversSearch } from "./search";

interface FacetsProps {
  facets: WaiverPage["facets"];
  search: WaiversSearch;
  setSearch: PatchSearch<WaiversSearch>;
}

const LABELS = { state: "State", ends_within: "Expires", owner: "Owner", age: "Request age" } as const;
type Name = keyof typeof LABELS;

/** Values with counts; each facet is counted under the filters of the others. */
export function WaiverFacets({ facets, search, setSearch }: FacetsProps) {
  const chosen = (name: Name): string[] => {
    const given = search[name];
    return given === undefined ? [] : Array.isArray(given) ? given.map(String) : [given];
  };
  const toggle = (name: Name, value: string) => {
    const next = name === "ends_within" ? (search.ends_within === value ? undefined : value) : toggled(chosen(name), value);
    setSearch(waiversSearch.partial().parse({ [name]: next }));
  };
  const isFiltered = (Object.keys(LABELS) as Name[]).some((name) => chosen(name).length > 0) || search.rule || search.host || search.q;
  const clear = () =>
    setSearch({
      state: undefined,
      owner: undefined,
      age: undefined,
      ends_within: undefined,
      q: undefined,
      rule: undefined,
      host: undefined,
    });
  return (
    <FacetPanel clear={isFiltered ? clear : undefined}>
      {(Object.keys(LABELS) as Name[])
        .filter((name) => facets[name].length > 0)
        .map((name) => (
          <Facet
            key={name}
            label={LABELS[name]}
            look="button"
            values={facets[name].map((one) => ({
              ...one,
              label: name === "state" ? stateLabel(one.value) : name === "owner" ? one.label : capital(one.label),
            }))}
            chosen={chosen(name)}
            toggle={(value) => toggle(name, value)}
          />
        ))}
    </FacetPanel>
  );
}
