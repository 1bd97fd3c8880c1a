import type { ReactNode } from "react";
import { visible } from "@/shared/lib/text";
import { StatusIcon } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./previews.module.css";
import type { HostPast } from "./types";

/** Marks a past state; it is above everything that was read from the past. */
export function PastBanner({ at, of, chosen, children }: { at: string; of: string; chosen: string[]; children: ReactNode }) {
  return (
    <div className={styles.banner} role="status" aria-label="Past state">
      <StatusIcon status="warn" size={14} />
      <span>
        Showing <strong>{of}</strong> as of{" "}
        <strong>
          <TimeAgo at={at} form="exact" />
        </strong>
        {chosen.length > 0 ? `, evaluated with ${chosen.join(", ")}` : ", evaluated with the versions active then"}. This is not the current
        state.
      </span>
      {children}
    </div>
  );
}

/** A host that was known from a support bundle then: its configuration is as old as the bundle. */
export function PastBundleLine({ bundle }: { bundle: NonNullable<HostPast["from_bundle"]> }) {
  return (
    <p style={{ marginBottom: 14 }}>
      <strong>
        {bundle.collected_at ? (
          <>
            Configuration as of <TimeAgo at={bundle.collected_at} form="exact" />
          </>
        ) : (
          "Configuration of an unknown date"
        )}
      </strong>
      , from {visible(bundle.bundle)}, added to the fleet <TimeAgo at={bundle.added_at} form="exact" />.
    </p>
  );
}

/** Hosts are in their groups of then, and the groups inherit as today: where that can make a difference, it is shown. */
export function MovedGroups({ groups }: { groups: { id: number; name: string; at: string }[] }) {
  if (groups.length === 0) return null;
  return (
    <p className="row small" role="note" style={{ gap: 6, marginBottom: 14 }}>
      <StatusIcon status="warn" size={12} />
      <span>
        Groups are shown as they are today.{" "}
        {groups.map((group, index) => (
          <span key={group.id}>
            {index > 0 ? ", " : ""}
            <strong>{visible(group.name)}</strong> moved on <TimeAgo at={group.at} form="exact" />
          </span>
        ))}
        : packs, waivers and attestations that{" "}
        {groups.length === 1 ? "it inherits are those of its current parent" : "they inherit are those of their current parents"}.
      </span>
    </p>
  );
}
