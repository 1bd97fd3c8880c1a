import type { WaiverPage } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { stateWord } from "./labels";
import { type WaiversSearch, waiversSearch } from "./search";
import styles from "./waivers.module.css";

interface FacetsProps {
  facets: WaiverPage["facets"];
  search: WaiversSearch;
  setSearch: PatchSearch<WaiversSearch>;
}

const LABELS = { state: "State", ends_within: "Ends", owner: "Owner", age: "Age of the request" } as const;
type Name = keyof typeof LABELS;

/** Values with counts; each facet is counted under the filters of the others. */
export function Facets({ facets, search, setSearch }: FacetsProps) {
  const chosen = (name: Name): string[] => {
    const given = search[name];
    return given === undefined ? [] : Array.isArray(given) ? given.map(String) : [given];
  };
  const toggle = (name: Name, value: string) => {
    const next = name === "ends_within" ? (search.ends_within === value ? undefined : value) : toggled(chosen(name), value);
    setSearch(waiversSearch.partial().parse({ [name]: next }));
  };
  const isFiltered = (Object.keys(LABELS) as Name[]).some((name) => chosen(name).length > 0) || search.rule || search.host || search.q;
  return (
    <div className={styles.facets}>
      {isFiltered ? (
        <button
          type="button"
          className={`link ${styles.value}`}
          onClick={() =>
            setSearch({
              state: undefined,
              owner: undefined,
              age: undefined,
              ends_within: undefined,
              q: undefined,
              rule: undefined,
              host: undefined,
            })
          }
        >
          <span>Clear all filters</span>
        </button>
      ) : null}
      {(Object.keys(LABELS) as Name[])
        .filter((name) => facets[name].length > 0)
        .map((name) => (
          <fieldset key={name} className={styles.facet}>
            <legend>{LABELS[name]}</legend>
            {facets[name].map((one) => (
              <button
                key={one.value}
                type="button"
                className={styles.value}
                aria-pressed={chosen(name).includes(one.value)}
                onClick={() => toggle(name, one.value)}
              >
                <span>{name === "state" ? stateWord(one.value) : visible(one.label)}</span>
                <span className="dim num">{count(one.count)}</span>
              </button>
            ))}
          </fieldset>
        ))}
    </div>
  );
}
