import { IconChevronRight } from "@tabler/icons-react";
import { useEffect, useId, useState } from "react";
import type { Finding } from "@/entities/finding/types";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { capital, visible } from "@/shared/lib/text";
import { StatusIcon, StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FindingDetail } from "./finding-detail";
import { areaLabel, type FindingGroup, groupHeadline, isNamedApart, subjectsText } from "./finding-groups";
import styles from "./host.module.css";
import { planOf } from "./plan-fix";

interface FindingEntryProps {
  group: FindingGroup;
  isTarget: boolean;
  hostId: string;
  /** The host to plan a fix on; absent for who may not. */
  plan?: { hostId: string; hostName: string } | undefined;
}

/** One finding, or several that say the same of several items: a line that opens. */
export function FindingEntry({ group, isTarget, hostId, plan }: FindingEntryProps) {
  const { first } = group;
  const [isOpen, setOpen] = useState(isTarget);
  // A link to another finding of the same page opens that one as well.
  useEffect(() => {
    if (isTarget) setOpen(true);
  }, [isTarget]);
  const id = useId();
  const status = first.standing.replace("_", " ");
  const headline = visible(groupHeadline(group));
  return (
    <article className={styles.finding} data-target={isTarget || undefined} aria-label={`${status}: ${headline}`}>
      <div className={styles.row}>
        <h3>
          <button type="button" className={styles.line} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
            <StatusIcon status={first.standing} size={14} />
            <span className="hidden-visually">{status}: </span>
            <span className={styles.headline}>
              {headline}
              {isNamedApart(group) ? <span className="dim"> {visible(subjectsText(group))}</span> : null}
              {first.reason && !isOpen && (first.standing === "fail" || first.standing === "unknown") ? (
                <span className={styles.reason}>{capital(visible(first.reason))}</span>
              ) : null}
            </span>
          </button>
        </h3>
        <span className={styles.badges}>
          {first.kind === "guard_rail" ? <span className="dim small">Guardrail</span> : null}
          {first.standing === "fail" ? <span className="dim small">{capital(first.severity)}</span> : null}
          <span className="dim small">{capital(areaLabel(first.area))}</span>
          <Badge finding={first} />
          {plan && first.standing === "fail" && first.fix.length > 0 ? (
            <PlanFixButton {...planOf([group], plan)} about={`${headline}, ${visible(plan.hostName)}`} />
          ) : null}
        </span>
      </div>
      <div id={id} hidden={!isOpen} className={styles.detail}>
        {isOpen ? <FindingDetail group={group} hostId={hostId} /> : null}
      </div>
    </article>
  );
}

/** Why a finding does not count, and what ends that: a date, or a resolution. */
function Badge({ finding }: { finding: Finding }) {
  if (finding.standing === "waived" && finding.waiver) {
    const { is_over, expires_at } = finding.waiver;
    return (
      <StatusLabel status={is_over ? "warn" : "waived"} isBadge>
        {is_over ? "Waiver expired " : "Waived until "}
        <TimeAgo at={expires_at} form="moment" />
      </StatusLabel>
    );
  }
  if (finding.standing === "advice")
    return (
      <StatusLabel status="advice" isBadge>
        Advisory (not scored)
      </StatusLabel>
    );
  if (finding.standing !== "excluded") return null;
  return (
    <StatusLabel status="excluded" isBadge>
      {finding.excluded_by === "conflict" ? (
        "Excluded: packs conflict"
      ) : finding.excluded_by === "decision" ? (
        "Excluded: other pack selected"
      ) : finding.excluded_by === "grace" && finding.grace_until ? (
        <>
          Grace period: counts from <TimeAgo at={finding.grace_until} form="moment" />
        </>
      ) : (
        `Excluded: ${visible(finding.excluded_by)}`
      )}
    </StatusLabel>
  );
}
