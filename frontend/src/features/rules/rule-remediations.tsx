import { Link } from "@tanstack/react-router";
import { query } from "@/shared/api/client";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";

/** What was done about a rule, and whether it helped: its plans with how the rule stands on their hosts now. */
export function RuleRemediations({ pack, rule }: { pack: string; rule: string }) {
  const plans = query.useQuery("get", "/api/v1/rules/{pack}/{rule}/remediations", { params: { path: { pack, rule } } });
  return (
    <section className="section" aria-label="Remediations">
      <h2>
        Remediations <span className="dim">plans about this rule, newest first, and how it stands on their hosts now</span>
      </h2>
      <Panel
        query={plans}
        height={80}
        lines={2}
        isEmpty={(data) => data.items.length === 0}
        empty={<Empty title="No plan was made for this rule yet.">Plans begin at a failing finding, here or on a host.</Empty>}
      >
        {(data) => (
          <>
            <ScrollX>
              <table className="data">
                <thead>
                  <tr>
                    <th scope="col">plan</th>
                    <th scope="col">state</th>
                    <th scope="col">jobs</th>
                    <th scope="col" className="num">
                      hosts
                    </th>
                    <th scope="col">now</th>
                    <th scope="col">made</th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((plan) => (
                    <tr key={plan.plan_id}>
                      <td>
                        <Link to="/remediate/$planId" params={{ planId: String(plan.plan_id) }} className="link">
                          {visible(plan.title)}
                        </Link>
                      </td>
                      <td className="nowrap">{plan.state_label}</td>
                      <td className="dim">
                        <Jobs planId={plan.plan_id} jobs={plan.jobs} />
                      </td>
                      <td className="num">{count(plan.hosts)}</td>
                      <td className="nowrap">
                        {plan.pass_now > 0 ? <Outcome status="pass">{`${count(plan.pass_now)} pass`}</Outcome> : null}{" "}
                        {plan.fail_now > 0 ? <Outcome status="fail">{`${count(plan.fail_now)} fail`}</Outcome> : null}
                        {plan.pass_now + plan.fail_now === 0 ? NO_DATA : null}
                      </td>
                      <td className="dim nowrap">
                        <Instant at={plan.created_at} form="moment" />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
            {data.has_more ? <p className="dim small">Older plans are on the page of all plans.</p> : null}
          </>
        )}
      </Panel>
    </section>
  );
}

function Jobs({ planId, jobs }: { planId: number; jobs: Record<string, number> }) {
  const all = Object.entries(jobs);
  if (all.length === 0) return <>none yet</>;
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
      {all.map(([state, jobs]) => `${count(jobs)} ${state.toLowerCase().replaceAll("_", " ")}`).join(", ")}
    </Link>
  );
}
