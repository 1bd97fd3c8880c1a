import type { ReactNode } from "react";
import styles from "./selected-bar.module.css";

/** What can be done with the selected rows of a list; it stays in sight at the bottom while the list scrolls. */
export function SelectedBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.bar} aria-label={label} aria-live="polite">
      {children}
    </section>
  );
}
