import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "@/entities/person/queries";
import { useOnCall } from "@/entities/problem/queries";
import type { OnCall } from "@/entities/problem/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Status, StatusLabel } from "@/shared/ui/status";
import styles from "./overview.module.css";
import type { Overview } from "./types";

interface Need {
  key: string;
  status: Status;
  link: ReactNode;
  detail?: string;
}

/** What waits for a person, the most urgent first; each line leads to where it is done. */
export function NeedsYou({ overview, group }: { overview: Overview; group: number | undefined }) {
  const session = useSession().data;
  const onCall = useOnCall(group);
  const isApprover = session?.can.decide_waivers ?? false;
  const needs = [...problemNeeds(onCall.data), ...requestNeeds(overview, isApprover, group)];
  return (
    <section aria-label="Needs you" className={styles.needs}>
      <h2>Needs you</h2>
      {needs.length === 0 && onCall.data ? <StatusLabel status="pass">Nothing right now</StatusLabel> : null}
      <ul>
        {needs.map((need) => (
          <li key={need.key}>
            <StatusLabel status={need.status}>{need.link}</StatusLabel>
            {need.detail ? <span className="dim"> {need.detail}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Open problems that nobody has taken, with the most urgent in words. */
function problemNeeds(onCall: OnCall | undefined): Need[] {
  const open = onCall?.problems.filter((one) => one.note === null) ?? [];
  const first = open[0];
  if (!onCall || !first) return [];
  const acknowledged = onCall.problems.length - open.length;
  const all = onCall.total - acknowledged - onCall.snoozed.length;
  return [
    {
      key: "problems",
      status: "fail",
      link: (
        <Link to="/on-call" search={{ problem: first.key }} className="link">
          {plural(all, "open problem")}
        </Link>
      ),
      detail: `First: ${visible(first.host.name)}, ${visible(first.words)}`,
    },
  ];
}

function requestNeeds({ headline, open, waiting }: Overview, isApprover: boolean, group: number | undefined): Need[] {
  const within = group === undefined ? {} : { group };
  const toApprove = isApprover ? "to approve" : "pending approval";
  const lines: (Need & { number: number })[] = [
    {
      key: "jobs",
      number: open.jobs,
      status: "fail",
      link: (
        <Link to="/jobs" search={{ show: "open" }} className="link">
          {plural(open.jobs, "job needs", "jobs need")} attention
        </Link>
      ),
    },
    {
      key: "plans",
      number: open.plans,
      status: "warn",
      link: (
        <Link to="/remediate" search={{ state: ["AWAITING_APPROVAL"] }} className="link">
          {plural(open.plans, "plan")} {toApprove}
        </Link>
      ),
    },
    {
      key: "baselines",
      number: open.baselines,
      status: "warn",
      link: (
        <Link to="/drift" search={{ ...within, tab: "baselines", state: "proposed" }} className="link">
          {plural(open.baselines, "baseline")} {toApprove}
        </Link>
      ),
    },
    {
      key: "waivers",
      number: headline.decisions,
      status: "warn",
      link: (
        <Link to="/waivers" search={{ state: ["requested"] }} className="link">
          {plural(headline.decisions, "waiver request")} to review
        </Link>
      ),
    },
    {
      key: "conflicts",
      number: headline.conflicts,
      status: "warn",
      link: (
        <Link to="/decisions" search={within} className="link">
          {plural(headline.conflicts, "rule conflict")} to resolve
        </Link>
      ),
    },
    {
      key: "hosts",
      number: waiting,
      status: "warn",
      link: (
        <Link to="/hosts" search={{ ...(group === undefined ? {} : { group: [group] }), state: ["waiting"] }} className="link">
          {plural(waiting, "host")} pending approval
        </Link>
      ),
    },
    {
      key: "ending",
      number: headline.waivers_ending,
      status: "waived",
      link: (
        <Link to="/waivers" search={{ ends_within: "7" }} className="link">
          {plural(headline.waivers_ending, "waiver expires", "waivers expire")} within 7 days
        </Link>
      ),
    },
  ];
  return lines.filter((line) => line.number > 0);
}
