import type { ReactNode } from "react";
import { Glyph, type Status } from "./outcome";
import styles from "./told.module.css";

/** A few sentences with the shape of what they mean in front: what just happened, or what is in the way. */
export function Told({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <div className={styles.told} role="status">
      <Glyph status={status} />
      <span>{children}</span>
    </div>
  );
}
