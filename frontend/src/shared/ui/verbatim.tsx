import { value as words } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import styles from "./verbatim.module.css";

/** A value as a host, a rule or a person gave it: monospace, as text only, hidden characters made visible. */
export function Said({ of, unit, title }: { of: unknown; unit?: string | null; title?: string }) {
  const text = visible(words(of));
  return (
    <span className={styles.said} title={title}>
      {text}
      {unit && text !== "–" ? ` ${unit}` : ""}
    </span>
  );
}

/** old → new. */
export function FromTo({ from, to }: { from: unknown; to: unknown }) {
  return (
    <span className={styles.said}>
      {visible(words(from))}
      <span className={styles.arrow} role="img" aria-label="to">
        →
      </span>
      {visible(words(to))}
    </span>
  );
}
