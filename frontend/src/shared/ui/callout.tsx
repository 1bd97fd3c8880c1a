import type { ReactNode } from "react";
import styles from "./callout.module.css";
import { type Status, StatusIcon } from "./status";

/** A few sentences with the icon of what they mean in front: what just happened, or what is in the way. */
export function Callout({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <div className={styles.callout} role="status">
      <StatusIcon status={status} />
      <span>{children}</span>
    </div>
  );
}
