import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import styles from "./disclose.module.css";

/** More about what stands above, drawn only once somebody opens it. */
export function Disclose({ label, children }: { label: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.disclose} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden="true" />
        {label}
      </button>
      {isOpen ? children() : null}
    </>
  );
}
