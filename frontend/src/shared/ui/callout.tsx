import type { ReactNode } from "react";
import styles from "./callout.module.css";
import { Glyph, type Status } from "./status";

/** A few sentences with the shape of what they mean in front: what just happened, or what is in the way. */
export function Told({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <div className={styles.told} role="status">
      <Glyph status={status} />
      <span>{children}</span>
    </div>
  );
}
