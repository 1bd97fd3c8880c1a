import { IconAdjustmentsHorizontal, IconBook, IconCpu, IconFlag, IconRefresh, IconTool } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { exact } from "@/shared/lib/time";
import { Tooltip } from "@/shared/ui/tooltip";
import { leftOf } from "./geometry";
import { kindOf, type MarkCluster } from "./marks";
import styles from "./time-chart.module.css";
import type { MarkKind } from "./types";

const ICONS: Record<MarkKind, typeof IconFlag> = {
  change: IconAdjustmentsHorizontal,
  driver: IconCpu,
  restart: IconRefresh,
  job: IconTool,
  pack: IconBook,
  event: IconFlag,
};

const KIND_WORDS: Record<MarkKind, string> = {
  change: "Setting change",
  driver: "Driver or firmware update",
  restart: "Host restart",
  job: "Plumbline job",
  pack: "Rule pack",
  event: "Event",
};

/** What happened, above the lines: an icon for each mark with its words on hover and focus, and a link to its page. */
export function MarkerRow({ clusters, zone }: { clusters: MarkCluster[]; zone: string }) {
  if (clusters.length === 0) return null;
  return (
    <ul className={styles.marks} aria-label="Events">
      {clusters.map(({ key, share, kind, marks }) => {
        const Icon = ICONS[kind];
        const words = marks.slice(0, 6).map((mark) => `${KIND_WORDS[kindOf(mark)]}, ${exact(mark.at, zone)}: ${mark.label}`);
        if (marks.length > words.length) words.push(`and ${marks.length - words.length} more`);
        const href = marks.find((mark) => mark.href && kindOf(mark) === kind)?.href ?? marks.find((mark) => mark.href)?.href;
        const shown = (
          <>
            <Icon size={13} aria-hidden="true" />
            {marks.length > 1 ? <span className={styles.number}>{marks.length}</span> : null}
            <span className="hidden-visually">{words.join("; ")}</span>
          </>
        );
        return (
          <li key={key} style={{ left: leftOf(share) }}>
            <Tooltip<HTMLAnchorElement & HTMLSpanElement>
              label={words.map((line) => (
                <span key={line} style={{ display: "block" }}>
                  {line}
                </span>
              ))}
              multiline
              maw={360}
            >
              {(target) =>
                href ? (
                  <Link to={href} className={styles.mark} data-kind={kind} {...target}>
                    {shown}
                  </Link>
                ) : (
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: the words must be reachable without a mouse
                  <span className={styles.mark} data-kind={kind} tabIndex={0} role="note" {...target}>
                    {shown}
                  </span>
                )
              }
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}
