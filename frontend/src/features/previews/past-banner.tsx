import type { ReactNode } from "react";
import styles from "@/features/packs/packs.module.css";
import { visible } from "@/shared/lib/text";
import { Glyph } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";

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

/** The groups of hosts are those of then, the tree of groups is today's: where that can make a difference, it is said. */
export function MovedGroups({ groups }: { groups: { id: number; name: string; at: string }[] }) {
  if (groups.length === 0) return null;
  return (
    <p className="row small" role="note" style={{ gap: 6, marginBottom: 14 }}>
      <Glyph status="warn" size={12} />
      <span>
        The tree of groups is today's.{" "}
        {groups.map((group, index) => (
          <span key={group.id}>
            {index > 0 ? ", " : ""}
            <strong>{visible(group.name)}</strong> was moved on <Instant at={group.at} form="exact" />
          </span>
        ))}
        : packs, waivers and attestations that came to {groups.length === 1 ? "it" : "them"} from above are those of the present place.
      </span>
    </p>
  );
}
