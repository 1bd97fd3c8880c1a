import type { HostRow } from "@/entities/host/types";
import styles from "./drift-marks.module.css";

const clocks = [
  ["standard", "standard"],
  ["baseline", "baseline"],
  ["peers", "cluster peers"],
  ["persisted", "stored configuration"],
] as const;

const parts = { drift: "Differs from", none: "Matches", unknown: "Not compared with" } as const;

/** Four small marks, one for each reference of drift: filled differs, open agrees, dotted is not known. */
export function DriftMarks({ drift }: { drift: HostRow["drift"] }) {
  const label = clocks.map(([clock, name]) => `${parts[drift[clock]]} ${name}`).join("; ");
  return (
    <span className={styles.marks} role="img" aria-label={label} title={label}>
      {clocks.map(([clock]) => (
        <i key={clock} data-drift={drift[clock]} />
      ))}
    </span>
  );
}
