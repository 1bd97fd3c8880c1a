import { value as textOf } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import styles from "./verbatim.module.css";

/** A text of at most this length stays on one line: a number must not be broken. */
const SHORT = 14;

/** A value as a host, a rule or a person gave it: monospace, as text only, hidden characters made visible. */
export function Verbatim({ of, unit, title }: { of: unknown; unit?: string | null; title?: string }) {
  const text = visible(textOf(of));
  return (
    <span className={styles.verbatim} data-short={text.length <= SHORT || undefined} title={title}>
      {text}
      {unit && text !== "–" ? ` ${unit}` : ""}
    </span>
  );
}

/** old → new. */
export function FromTo({ from, to }: { from: unknown; to: unknown }) {
  return (
    <span className={styles.verbatim}>
      {visible(textOf(from))}
      <span className={styles.arrow} role="img" aria-label="changed to">
        →
      </span>
      {visible(textOf(to))}
    </span>
  );
}
