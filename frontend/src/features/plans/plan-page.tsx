import { Link } from "@tanstack/react-router";
import type { Freeze } from "@/entities/controls/types";
import { JobTable } from "@/entities/job/job-table";
import { impactLabel } from "@/entities/plan/impact";
import { usePlan } from "@/entities/plan/queries";
import type { PlanDetail, PlannedWork } from "@/entities/plan/types";
import { plural, shortDigest } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { capital, visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { Empty, LoadingSkeleton, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Decide } from "./decide";
import { History } from "./history";
import { aboutMinutes, factsFrom, fewestPaths, planStatus } from "./labels";
import { Checklists, Refusals } from "./left-out";
import styles from "./plans.module.css";
import type { PlanSearch } from "./search";
import { Waves, WithoutJob } from "./steps";

interface PlanPageProps {
  planId: number;
  search: PlanSearch;
  setSearch: PatchSearch<PlanSearch>;
}

/** One plan: the same page, the same difference for its author, its approver and whoever looks later. */
export function PlanPage({ planId, search, setSearch }: PlanPageProps) {
  const plan = usePlan(planId);
  if (isMissing(plan)) {
    return <NotFound what="plan" title="Plan not found" to="/remediate" />;
  }
  return (
    <QueryPanel query={plan} height={520} lines={14}>
      {(data) => (
        <>
          <Head plan={data} work={data.document} />
          <Freezes freezes={data.freezes} />
          {data.document === null ? (
            <NotPlanned plan={data} />
          ) : (
            <>
              {data.document.hosts.length > 0 ? <Impact work={data.document} /> : null}
              <Refusals refusals={data.document.refusals} />
              {data.job_rows.length > 0 ? (
                <section className="section" aria-label="Jobs">
                  <h2>Jobs</h2>
                  <JobTable rows={data.job_rows} hasPlan={false} />
                </section>
              ) : null}
              {data.document.hosts.length > 0 ? (
                <Waves work={data.document} switchPorts={data.switch_ports} search={search} setSearch={setSearch} />
              ) : (
                <Nothing work={data.document} />
              )}
              <WithoutJob parts={data.document.without_job ?? []} switchPorts={data.switch_ports} search={search} setSearch={setSearch} />
              <Checklists checklists={data.document.checklists} />
              {data.document.already_right.length > 0 ? (
                <p className="dim section">{alreadyRight(data.document.already_right.length)}</p>
              ) : null}
            </>
          )}
          <History events={data.events} />
          <Decide key={data.id} plan={data} work={data.document} />
        </>
      )}
    </QueryPanel>
  );
}

const alreadyRight = (findings: number): string =>
  findings === 1 ? "1 value is already as requested and needs no step." : `${findings} values are already as requested and need no step.`;

function Head({ plan, work }: { plan: PlanDetail; work: PlannedWork | null }) {
  const times = work ? factsFrom(work) : null;
  return (
    <header>
      <h1>{visible(plan.title) || `Plan ${plan.id}`}</h1>
      <div className={styles.line}>
        <StatusLabel status={planStatus(plan.state)}>{capital(plan.state_label)}</StatusLabel>
        {plan.state_words && plan.state_words !== plan.state_label ? <span>{visible(plan.state_words)}</span> : null}
        <span>
          Created by {visible(plan.author)}, <TimeAgo at={plan.created_at} form="moment" />
        </span>
        {times ? (
          <span>
            Based on data from <TimeAgo at={times[0]} form="moment" />
            {times[1] !== times[0] ? (
              <>
                {" "}
                to <TimeAgo at={times[1]} form="moment" />
              </>
            ) : null}
          </span>
        ) : null}
        {plan.approval ? (
          <span>
            Approved by {visible(plan.approval.approver)}
            {plan.approval.second ? ` and ${visible(plan.approval.second)}` : ""}, <TimeAgo at={plan.approval.signed_at} form="moment" />
            {plan.approval.kind === "standing" ? " (standing approval)" : plan.approval.kind === "break_glass" ? " (break-glass)" : ""}
          </span>
        ) : null}
        {plan.not_after ? (
          <span>
            Valid until <TimeAgo at={plan.not_after} form="moment" />
          </span>
        ) : null}
        {plan.ticket ? <span>Ticket {visible(plan.ticket)}</span> : null}
        {plan.digest ? (
          <span>
            Hash <CopyableText text={plan.digest} shown={shortDigest(plan.digest)} label="plan hash" />
          </span>
        ) : null}
      </div>
    </header>
  );
}

/** Why no job of the plan starts, or soon will not, whatever its window says. */
function Freezes({ freezes }: { freezes: Freeze[] }) {
  if (freezes.length === 0) return null;
  return (
    <section className={styles.aside} aria-label="Change freezes">
      {freezes.map((one) => (
        <p key={one.id}>
          <StatusLabel status="excluded">
            {one.is_on ? "Change freeze on" : "Change freeze planned for"} {visible(one.group_name)}
          </StatusLabel>{" "}
          {one.is_on ? "" : "from "}
          {one.is_on ? null : <TimeAgo at={one.starts_at} form="exact" />} until <TimeAgo at={one.ends_at} form="exact" />:{" "}
          {visible(one.reason)}.{" "}
          <span className="dim">No new jobs start. Running jobs stop after their current step. Undo is still possible.</span>
        </p>
      ))}
      <Link to="/safety" search={{ tab: "windows" }} className={`link ${styles.touch}`}>
        Windows and freezes
      </Link>
    </section>
  );
}

function Impact({ work }: { work: PlannedWork }) {
  const budget = work.failure_budget;
  return (
    <dl className={styles.impact} aria-label="Disruption">
      <div>
        <dt>Disruption</dt>
        <dd>{impactLabel(work.forecast.impact)}</dd>
      </div>
      <div>
        <dt>Minimum paths at any time</dt>
        <dd>{fewestPaths(work.forecast)}</dd>
      </div>
      <div>
        <dt>Hosts</dt>
        <dd>
          {plural(work.hosts.length, "host")} in {plural(work.waves.length, "wave")}
        </dd>
      </div>
      <div>
        <dt>Pauses after</dt>
        <dd>{plural(budget, "failed host")}</dd>
      </div>
      <div>
        <dt>Estimated work time</dt>
        <dd>{aboutMinutes(work.forecast.duration_s)}</dd>
      </div>
    </dl>
  );
}

function NotPlanned({ plan }: { plan: PlanDetail }) {
  if (plan.state === "PLAN_FAILED") return <Empty title="Planning failed">{visible(plan.state_words)}</Empty>;
  if (plan.state === "DRAFT" || plan.state === "PLANNING") {
    return (
      <div className="section">
        <p className="dim" role="status">
          Reading each host's configuration and running pre-checks. This takes a few seconds.
        </p>
        <LoadingSkeleton height={320} lines={9} />
      </div>
    );
  }
  return <Empty title="Plan closed before planning finished">{visible(plan.state_words)}</Empty>;
}

function Nothing({ work }: { work: PlannedWork }) {
  return (
    <div className="section">
      <Empty title="This plan changes nothing">
        {(work.without_job ?? []).length > 0
          ? "Plumbline can't change these hosts yet: the reasons are above, the commands to run manually below."
          : work.refusals.length > 0
            ? "Everything requested is blocked; see the reasons above. Resolve them, then plan again."
            : work.checklists.length > 0
              ? "This needs manual work; see the steps below."
              : "All values are already correct."}
      </Empty>
    </div>
  );
}
