import { measured } from "@/shared/lib/format";
import styles from "./time-chart.module.css";
import type { TimeReference } from "./types";

interface ReferencesProps {
  references: TimeReference[];
  /** Those with a line in the chart; the others are above its range. */
  drawn: TimeReference[];
  unit: string;
}

/** What each line across is, with its source; also those that are above the range of the chart. */
export function References({ references, drawn, unit }: ReferencesProps) {
  if (references.length === 0) return null;
  return (
    <ul className={styles.references} aria-label="Reference figures">
      {references.map((reference) => (
        <li key={`${reference.value}${reference.label}`}>
          <svg width="22" height="8" viewBox="0 0 22 8" aria-hidden="true">
            {drawn.includes(reference) ? (
              <path
                d="M0 4H22"
                strokeWidth="1.5"
                strokeDasharray="6 3"
                stroke={reference.isLimit ? "var(--outcome-fail)" : "var(--ink-3)"}
              />
            ) : null}
          </svg>
          <span>
            {measured(reference.value, unit)}: {reference.label} ({reference.source})
            {drawn.includes(reference) ? "" : ", above the range of this chart"}
          </span>
        </li>
      ))}
    </ul>
  );
}
