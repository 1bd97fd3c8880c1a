import { Link } from "@tanstack/react-router";
import { jobStateWord } from "@/entities/job/state-words";
import type { RuleRemediation } from "@/entities/rule/types";
import { query } from "@/shared/api/client";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { capital, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";

const COLUMNS: Column<RuleRemediation>[] = [
  {
    head: "Plan",
    cell: (plan) => (
      <Link to="/remediate/$planId" params={{ planId: String(plan.plan_id) }} className="link">
        {visible(plan.title)}
      </Link>
    ),
  },
  { head: "State", className: "nowrap", cell: (plan) => capital(plan.state_label) },
  { head: "Jobs", className: "dim", cell: (plan) => <Jobs planId={plan.plan_id} jobs={plan.jobs} /> },
  { head: "Hosts", isNumber: true, cell: (plan) => count(plan.hosts) },
  {
    head: "Current status",
    className: "nowrap",
    cell: (plan) => (
      <>
        {plan.pass_now > 0 ? <StatusLabel status="pass">{`${count(plan.pass_now)} pass`}</StatusLabel> : null}{" "}
        {plan.fail_now > 0 ? <StatusLabel status="fail">{`${count(plan.fail_now)} fail`}</StatusLabel> : null}
        {plan.pass_now + plan.fail_now === 0 ? NO_DATA : null}
      </>
    ),
  },
  { head: "Created", className: "dim nowrap", cell: (plan) => <TimeAgo at={plan.created_at} form="moment" /> },
];

/** The plans for a rule, with the current findings of the rule on their hosts. */
export function RuleRemediations({ pack, rule }: { pack: string; rule: string }) {
  const plans = query.useQuery("get", "/api/v1/rules/{pack}/{rule}/remediations", { params: { path: { pack, rule } } });
  return (
    <section className="section" aria-label="Remediations">
      <h2>
        Remediations <span className="dim">Plans for this rule and the current status on their hosts</span>
      </h2>
      <QueryPanel
        query={plans}
        height={80}
        lines={2}
        isEmpty={(data) => data.items.length === 0}
        empty={<Empty title="No plans for this rule">To create one, choose Plan fix on a failing finding.</Empty>}
      >
        {(data) => (
          <>
            <DataTable columns={COLUMNS} rows={data.items} rowKey={(plan) => plan.plan_id} />
            {data.has_more ? <p className="dim small">See all plans for older ones.</p> : null}
          </>
        )}
      </QueryPanel>
    </section>
  );
}

function Jobs({ planId, jobs }: { planId: number; jobs: Record<string, number> }) {
  const all = Object.entries(jobs);
  if (all.length === 0) return <>None yet</>;
  return (
    <Link
      to="/jobs"
      search={{ plan: planId }}
      className="link"
      title={plural(
        all.reduce((sum, [, jobs]) => sum + jobs, 0),
        "job",
      )}
    >
      {all.map(([state, jobs]) => `${count(jobs)} ${jobStateWord(state).toLowerCase()}`).join(", ")}
    </Link>
  );
}
