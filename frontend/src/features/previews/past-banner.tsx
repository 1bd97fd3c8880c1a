import type { ReactNode } from "react";
import { visible } from "@/shared/lib/text";
import { StatusIcon } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./previews.module.css";

/** Says that what follows is not now; it is above everything that was read from the past. */
export function PastBanner({ at, of, chosen, children }: { at: string; of: string; chosen: string[]; children: ReactNode }) {
  return (
    <div className={styles.banner} role="status" aria-label="Looking at the past">
      <StatusIcon status="warn" size={14} />
      <span>
        You are looking at <strong>{of}</strong> as of{" "}
        <strong>
          <TimeAgo at={at} form="exact" />
        </strong>
        {chosen.length > 0 ? `, judged by ${chosen.join(", ")}` : ", judged by what was in force then"}. This is not now.
      </span>
      {children}
    </div>
  );
}

/** The groups of hosts are those of then, the tree of groups is today's: where that can make a difference, it is shown. */
export function MovedGroups({ groups }: { groups: { id: number; name: string; at: string }[] }) {
  if (groups.length === 0) return null;
  return (
    <p className="row small" role="note" style={{ gap: 6, marginBottom: 14 }}>
      <StatusIcon status="warn" size={12} />
      <span>
        The tree of groups is today's.{" "}
        {groups.map((group, index) => (
          <span key={group.id}>
            {index > 0 ? ", " : ""}
            <strong>{visible(group.name)}</strong> was moved on <TimeAgo at={group.at} form="exact" />
          </span>
        ))}
        : packs, waivers and attestations that came to {groups.length === 1 ? "it" : "them"} from above are those of the present place.
      </span>
    </p>
  );
}
