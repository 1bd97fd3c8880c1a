import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { count, percent, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Status, StatusLabel, statusText } from "@/shared/ui/status";
import type { FrozenReport } from "./frozen";
import styles from "./reports.module.css";
import { STATUSES } from "./search";

/** The first page of the report: each figure leads to the list behind it. */
export function ReportFigures({ data, reportId }: { data: FrozenReport; reportId: number }) {
  const id = String(reportId);
  return (
    <>
      <p className={styles.summary}>{data.summary.map(visible).join(" ")}</p>
      <div className={styles.panels}>
        <Panel title="Average score">
          <div className={styles.figure}>
            {score(data.score.mean)} <span className="dim">/100</span>
          </div>
          <div className="strong">{data.score.change_words}</div>
          <div className="dim">
            Median {score(data.score.median)} · lowest {score(data.score.lowest)} · coverage {percent(data.score.rule_coverage)}
          </div>
          <div className="dim">
            {count(data.score.hosts_fresh)} of{" "}
            <Link to="/reports/$reportId" params={{ reportId: id }} search={{ list: "hosts" }} className="link" resetScroll={false}>
              {plural(data.score.hosts_known, "host")}
            </Link>{" "}
            up to date · {count(data.score.hosts_capped)} capped at 59
          </div>
        </Panel>
        <Panel title="Findings">
          <dl className={styles.counts}>
            {STATUSES.map((status) => (
              <div key={status}>
                <dt>
                  <StatusLabel status={status} />
                </dt>
                <dd className="num">
                  <Link
                    to="/reports/$reportId"
                    params={{ reportId: id }}
                    search={{ list: "hosts", status }}
                    className="link"
                    resetScroll={false}
                    aria-label={`${count(data.outcomes[status])} findings, ${statusText(status as Status)}: show hosts`}
                  >
                    {count(data.outcomes[status])}
                  </Link>
                </dd>
              </div>
            ))}
          </dl>
          <div className="dim small">{plural(data.outcomes.guard_rail, "guardrail failure")} (included in Fail)</div>
        </Panel>
        <Panel title="Risks by age">
          {data.risks.total === 0 ? <p className="dim">No failing findings.</p> : <Risks risks={data.risks} />}
        </Panel>
        <Panel title="Four eyes and time to fix">
          <p>
            {data.approvals.decided === 0
              ? "Nothing was approved in this period."
              : `${percent(data.approvals.rate)} of ${plural(data.approvals.decided, "approval")} by another person than the requester.`}{" "}
            {data.approvals.break_glass > 0 ? (
              <StatusLabel status="warn">{plural(data.approvals.break_glass, "break-glass run")}</StatusLabel>
            ) : null}
          </p>
          <p>
            {data.time_to_fix.fixed === 0
              ? "No findings were fixed."
              : `${plural(data.time_to_fix.fixed, "finding")} fixed, median time to fix ${data.time_to_fix.median_words}.`}
          </p>
          <Link to="/reports/$reportId" params={{ reportId: id }} search={{ list: "plans" }} className="link" resetScroll={false}>
            {plural(data.plans.length, "plan")}
          </Link>{" "}
          in this period
        </Panel>
        <Panel title="Exceptions">
          <p>
            <Link to="/reports/$reportId" params={{ reportId: id }} search={{ list: "waivers" }} className="link" resetScroll={false}>
              {plural(data.waivers_by_state.active ?? 0, "active waiver")}
            </Link>{" "}
            for {plural(data.waived_findings, "finding")}, {count(data.waivers_by_state.requested ?? 0)} requested.
          </p>
          <Over expired={data.waivers_by_state.expired ?? 0} tripped={data.waivers_by_state.tripped ?? 0} />
        </Panel>
        {data.gains ? (
          <Panel title="Gains measured">
            <p>{data.gains.words.map(visible).join(" ")}</p>
            {data.gains.rows.length + data.gains.proofs.length > 0 ? (
              <Link to="/reports/$reportId" params={{ reportId: id }} search={{ list: "gains" }} className="link" resetScroll={false}>
                Show what was measured
              </Link>
            ) : null}
          </Panel>
        ) : null}
        <Panel title="Unknowns">
          <p>
            {plural(data.outcomes.unknown, "finding")} could not be evaluated. {plural(data.score.hosts_silent, "host")} not reporting,{" "}
            {count(data.score.hosts_waiting)} pending approval.
          </p>
        </Panel>
      </div>
    </>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Over({ expired, tripped }: { expired: number; tripped: number }) {
  if (expired + tripped === 0) return <p className="dim">None expired or ended early.</p>;
  return (
    <p>
      <StatusLabel status="fail">
        {count(expired)} expired, {count(tripped)} ended early
      </StatusLabel>{" "}
      These findings count as failing again.
    </p>
  );
}

function Risks({ risks }: { risks: FrozenReport["risks"] }) {
  return (
    <table className={styles.risks}>
      <thead>
        <tr>
          <th scope="col">Severity</th>
          {risks.bands.map((band) => (
            <th key={band} scope="col" className="num">
              {band}
            </th>
          ))}
          <th scope="col" className="num">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {risks.rows.map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {row.counts.map((each, place) => (
              <td key={risks.bands[place]} className="num">
                {count(each)}
              </td>
            ))}
            <td className="num strong">{count(row.total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
