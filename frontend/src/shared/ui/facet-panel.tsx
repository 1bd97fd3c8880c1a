import { Checkbox } from "@mantine/core";
import { useCallbackRef } from "@mantine/hooks";
import { memo, type ReactNode, useState } from "react";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import styles from "./facet-panel.module.css";

export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

/** Longest list of values shown before "more". */
const SHOWN = 8;

interface FacetPanelProps {
  /** Takes every filter out; absent where none is set. */
  clear?: (() => void) | undefined;
  /** What stands above the facets, as a field for a part of a name. */
  above?: ReactNode;
  children: ReactNode;
}

/** Filters with counts, one below the other. */
export function FacetPanel({ clear, above, children }: FacetPanelProps) {
  return (
    <div className={styles.panel}>
      {above}
      {clear ? (
        <button type="button" className={styles.clear} onClick={clear}>
          Clear filters
        </button>
      ) : null}
      {children}
    </div>
  );
}

interface FacetProps {
  label: string;
  values: readonly FacetValue[];
  chosen: readonly string[];
  toggle: (value: string) => void;
  /** Values as boxes to tick, or as buttons to press. */
  look?: "box" | "button";
  /** Where others are searched, and what is said about those not listed. */
  find?: ReactNode;
  rest?: string;
}

/** The values of one filter, each with how many match it. */
export function Facet({ label, values, chosen, toggle, look = "box", find, rest }: FacetProps) {
  const [isWhole, setWhole] = useState(false);
  const press = useCallbackRef(toggle);
  const shown = isWhole ? values : values.filter((one, index) => index < SHOWN || chosen.includes(one.value));
  const Value = look === "box" ? Box : Press;
  return (
    <fieldset className={styles.facet}>
      <legend>{label}</legend>
      {find}
      {shown.map((one) => (
        <Value key={one.value} value={one} isChosen={chosen.includes(one.value)} toggle={press} />
      ))}
      {values.length > shown.length || isWhole ? (
        <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Show fewer" : `Show ${values.length - shown.length} more`}
        </button>
      ) : null}
      {rest ? <p className={styles.rest}>{rest}</p> : null}
    </fieldset>
  );
}

const BOX_CLASSES = { root: styles.value, labelWrapper: styles.wrap, label: styles.label };

interface ValueProps {
  value: FacetValue;
  isChosen: boolean;
  toggle: (value: string) => void;
}

/** Drawn again only where its count or its choice changed: a press on one draws none of the others. */
const Box = memo(function Box({ value, isChosen, toggle }: ValueProps) {
  return (
    <Checkbox size="xs" checked={isChosen} onChange={() => toggle(value.value)} classNames={BOX_CLASSES} label={<Words value={value} />} />
  );
});

const Press = memo(function Press({ value, isChosen, toggle }: ValueProps) {
  return (
    <button type="button" className={`${styles.value} ${styles.press}`} aria-pressed={isChosen} onClick={() => toggle(value.value)}>
      <Words value={value} />
    </button>
  );
});

function Words({ value }: { value: FacetValue }) {
  return (
    <>
      <span className={styles.name}>{visible(value.label || "None")}</span>
      <span className={styles.count}>{count(value.count)}</span>
    </>
  );
}
