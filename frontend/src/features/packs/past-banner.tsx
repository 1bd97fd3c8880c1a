import type { ReactNode } from "react";
import { Instant } from "@/components/instant";
import { Glyph } from "@/components/outcome";
import styles from "./packs.module.css";

/** Says that what follows is not now; it stands above everything that was looked up in the past. */
export function PastBanner({ at, of, chosen, children }: { at: string; of: string; chosen: string[]; children: ReactNode }) {
  return (
    <div className={styles.past} role="status" aria-label="Looking at the past">
      <Glyph status="warn" size={14} />
      <span>
        You are looking at <strong>{of}</strong> as of{" "}
        <strong>
          <Instant at={at} form="exact" />
        </strong>
        {chosen.length > 0 ? `, judged by ${chosen.join(", ")}` : ", judged by what was in force then"}. This is not now.
      </span>
      {children}
    </div>
  );
}
