import { plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { useNow } from "@/shared/lib/use-now";
import { AsOf } from "@/shared/ui/as-of";
import { Callout } from "@/shared/ui/callout";
import { QueryPanel } from "@/shared/ui/query-panel";
import { type Status, StatusIcon } from "@/shared/ui/status";
import styles from "./assess.module.css";
import { InTheFleet } from "./in-the-fleet";
import { PlanPreview } from "./plan-preview";
import { useAssessedHost } from "./queries";
import type { AssessedFinding, AssessedHost } from "./types";

const OLD_DAYS = 30;
const DAY_MS = 86_400_000;

/** One host of a bundle: what fails with the line of the bundle that says so, what is unknown and why, what passes. */
export function HostReport({ assessmentId, assessedId }: { assessmentId: number; assessedId: number }) {
  const host = useAssessedHost(assessmentId, assessedId);
  return (
    <QueryPanel query={host} height={460} lines={10}>
      {(data) => (
        <section className="section" aria-label={`Host ${data.name}`}>
          <h2>{visible(data.name)}</h2>
          <Report assessmentId={assessmentId} host={data} />
        </section>
      )}
    </QueryPanel>
  );
}

function Report({ assessmentId, host }: { assessmentId: number; host: AssessedHost }) {
  const now = useNow(60_000);
  const taken = Date.parse(host.captured_at);
  const days = Number.isNaN(taken) ? null : Math.floor((now.getTime() - taken) / DAY_MS);
  return (
    <>
      <p>
        <strong>
          As of <AsOf at={host.captured_at} />
        </strong>
        . {host.kind_label}
        {host.os ? `, ${host.os}` : ""}
        {host.build ? ` build ${host.build}` : ""}
        {host.model ? `, ${visible(host.model)}` : ""}
      </p>
      {days !== null && days > OLD_DAYS ? (
        <Callout status="warn">This bundle was collected {plural(days, "day")} ago: collect a new one before you act on it.</Callout>
      ) : null}
      <div className={styles.facts}>
        <span>
          Score <strong>{score(host.score)}</strong> of 100
        </span>
        <span>
          {host.answered} of {plural(host.applicable, "rule")} answered{host.partly > 0 ? `, ${host.partly} in part` : ""}
        </span>
        <span>{host.failing} failing</span>
        <span>{host.unknown} unknown</span>
        <span>{host.passing} passing</span>
      </div>
      {host.capped_by.map((reason) => (
        <Callout key={reason} status="fail">
          Score capped: {visible(reason)}
        </Callout>
      ))}
      {host.notes.map((note) => (
        <Callout key={note} status="warn">
          {visible(note)}
        </Callout>
      ))}
      <InTheFleet host={host} />
      <h3>What fails</h3>
      {host.fails.length > 0 ? <Findings rows={host.fails} status="fail" /> : <p className="dim">No failing finding in this bundle.</p>}
      {host.advice.length > 0 ? (
        <>
          <h3>Advice that is not followed</h3>
          <Findings rows={host.advice} status="advice" />
        </>
      ) : null}
      {host.has_settings && host.failing > 0 ? <PlanPreview assessmentId={assessmentId} assessedId={host.id} /> : null}
      <details className={styles.group}>
        <summary>{plural(host.unknown, "finding is unknown", "findings are unknown")}</summary>
        <Unknowns rows={host.unknowns} />
      </details>
      <details className={styles.group}>
        <summary>{plural(host.passing, "finding passes", "findings pass")}</summary>
        <Findings rows={host.passes} status="pass" />
      </details>
      {host.unread.length > 0 ? (
        <details className={styles.group}>
          <summary>{plural(host.unread.length, "file was not understood", "files were not understood")}</summary>
          <ul>
            {host.unread.map((one) => (
              <li key={`${one.file}:${one.reason}`} className="small">
                <span className="mono">{visible(one.file ?? "")}</span>: {visible(one.reason ?? "")}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function Findings({ rows, status }: { rows: readonly AssessedFinding[]; status: Status }) {
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={`${row.pack}/${row.rule}/${row.item}/${row.headline}`} className={styles.finding}>
          <div className="strong">
            <StatusIcon status={status} /> {visible(row.headline)}
          </div>
          <div className="small">
            {visible(row.observed || row.reason)}
            {row.expected ? <span className="dim">; expected {visible(row.expected)}</span> : null}
          </div>
          {row.evidence ? (
            <div className="dim small">
              <span className="mono">{visible(row.evidence.member || row.evidence.command)}</span>
              {row.evidence.field ? `: ${visible(row.evidence.field)}` : ""}
              {row.evidence.raw ? <span className="mono"> {visible(row.evidence.raw)}</span> : null}
            </div>
          ) : null}
          <div className="dim small mono">{row.rule}</div>
        </li>
      ))}
    </ul>
  );
}

/** Findings that share a reason are told together: one missing file leaves many rules open. */
function Unknowns({ rows }: { rows: readonly AssessedFinding[] }) {
  const byReason = new Map<string, Set<string>>();
  for (const row of rows) {
    const titles = byReason.get(row.reason) ?? new Set<string>();
    byReason.set(row.reason, titles.add(row.title));
  }
  return (
    <ul className={styles.list}>
      {[...byReason].map(([reason, titles]) => (
        <li key={reason} className={styles.finding}>
          <div>{[...titles].map(visible).join(", ")}</div>
          <div className="dim small">{visible(reason)}</div>
        </li>
      ))}
    </ul>
  );
}
