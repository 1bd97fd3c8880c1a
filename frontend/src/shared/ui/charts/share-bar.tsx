import styles from "./share-bar.module.css";

export type ShareStatus = "pass" | "fail" | "unknown" | "waived";

interface ShareBarProps {
  parts: { status: ShareStatus; count: number }[];
  /** What stands for the full width; the sum of the parts where it is not given. */
  of?: number;
}

/** Counts as lengths. The figures stand beside it in words, so the bar itself is only drawing. */
export function ShareBar({ parts, of }: ShareBarProps) {
  const whole = Math.max(1, of ?? parts.reduce((sum, part) => sum + part.count, 0));
  return (
    <span className={styles.bar} aria-hidden="true">
      {parts
        .filter((part) => part.count > 0)
        .map((part) => (
          <i key={part.status} data-status={part.status} style={{ width: `max(5px, ${(100 * part.count) / whole}%)` }} />
        ))}
    </span>
  );
}
