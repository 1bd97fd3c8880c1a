import { Link } from "@tanstack/react-router";
import { visible } from "@/shared/lib/text";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./banner.module.css";
import { useBreakGlassAlarms } from "./queries";
import type { BreakGlassAlarm as Broken } from "./types";

/** Shown above every page while a plan runs, or is about to, without an approver: the alarm stays until somebody reviewed it. */
export function BreakGlassBanner() {
  const { data } = useBreakGlassAlarms();
  return (data ?? []).map((one) => (
    <div key={`${one.plan_id} ${one.state}`} className={styles.banner} role="alert">
      <StatusLabel status={one.is_overdue ? "fail" : "warn"}>
        {one.state === "broken" ? "Break-glass used" : "Break-glass requested"}
      </StatusLabel>
      <span>
        {one.state === "broken" ? `by ${visible(one.first)} and ${visible(one.second)}, ` : `${visible(one.first)} needs a second admin, `}
        <TimeAgo at={one.at} />: {visible(one.reason)}. {waits(one)}
        {one.review_by ? (
          <>
            {" "}
            {one.is_overdue ? "Review overdue since" : "Review due"} <TimeAgo at={one.review_by} />.
          </>
        ) : null}
      </span>
      <Link to="/remediate/$planId" params={{ planId: String(one.plan_id) }} className="link">
        {one.may === "review" ? "Review" : "View"} plan {visible(one.title) || one.plan_id}
      </Link>
    </div>
  ));
}

function waits(one: Broken): string {
  if (one.state === "asked") return "Nothing runs until a second admin confirms.";
  return one.may === "review" ? "Needs your review." : "Needs review by someone who was not involved.";
}
