import { Link } from "@tanstack/react-router";
import { ADVICE, change, DECISIONS, GRADES, judged, OUTCOMES, result, TOOLS } from "@/entities/proof/labels";
import type { LoadVerdict, ProofDetail, RunRow } from "@/entities/proof/types";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { PropertyList } from "@/shared/ui/property-list";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Decide } from "./decide";
import styles from "./proofs.module.css";
import { useProof } from "./queries";

/** One proof: the verdict, what did not follow the method, the runs, and what changed between them. */
export function ProofPage({ proofId }: { proofId: number }) {
  const proof = useProof(proofId);
  if (isMissing(proof)) return <NotFound what="proof" title="Proof not found" to="/benchmarks" />;
  return (
    <QueryPanel query={proof} height={520} lines={14}>
      {(data) => <Proof proof={data} />}
    </QueryPanel>
  );
}

function Proof({ proof }: { proof: ProofDetail }) {
  const outcome = OUTCOMES[proof.outcome];
  return (
    <>
      <header>
        <h1>{visible(proof.title)}</h1>
        <div className="dim">
          Proof {proof.id} on{" "}
          <Link to="/hosts/$hostId" params={{ hostId: proof.host.id }} className="link">
            {visible(proof.host.name)}
          </Link>
          {proof.rule_title ? (
            <>
              , for{" "}
              <Link to="/rules/$pack/$rule" params={{ pack: proof.pack, rule: proof.rule }} className="link">
                {visible(proof.rule_title)}
              </Link>
            </>
          ) : null}
          {proof.job_id ? (
            <>
              , after{" "}
              <Link to="/jobs/$jobId" params={{ jobId: String(proof.job_id) }} className="link">
                job {proof.job_id}
              </Link>
            </>
          ) : null}
          . Made by {visible(proof.made_by)} <TimeAgo at={proof.made_at} />
        </div>
      </header>
      <section className={styles.verdict} aria-label="Verdict">
        <p className={styles.outcome}>
          <StatusLabel status={outcome.status}>
            {outcome.label}
            {proof.change_percent === null ? "" : `: ${change(proof.change_percent)}`}
          </StatusLabel>
        </p>
        <p>{ADVICE[proof.advice]}</p>
        <p>
          <b>{GRADES[proof.grade]}</b>
          {proof.grade === "paper" ? ": the runs followed the papers' method." : ": indicative only. It did not follow the papers' method:"}
        </p>
        {proof.deviations.length > 0 ? (
          <ul className={styles.list}>
            {proof.deviations.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        ) : null}
        {proof.decision === "open" ? <Decide proof={proof} /> : <Decided proof={proof} />}
      </section>
      <section className="section" aria-label="Loads">
        <h2>Loads</h2>
        <DataTable label="Verdict on each load" columns={LOADS} rows={proof.loads} rowKey={(load) => load.words} />
      </section>
      <Changes proof={proof} />
      <section className="section" aria-label="Runs before">
        <h2>Runs before</h2>
        <DataTable label="Runs before" columns={RUNS} rows={proof.before} rowKey={(run) => run.id} />
      </section>
      <section className="section" aria-label="Runs after">
        <h2>Runs after</h2>
        <DataTable label="Runs after" columns={RUNS} rows={proof.after} rowKey={(run) => run.id} />
      </section>
      <section className="section" aria-label="Method">
        <h2>Method</h2>
        <PropertyList
          items={proof.answers.map((one) => ({
            key: one.name,
            name: (
              <>
                {one.question} <span className="dim small">{one.at}</span>
              </>
            ),
            value: { yes: "Yes", no: "No", unknown: "Not known" }[one.answer],
          }))}
        />
      </section>
    </>
  );
}

function Decided({ proof }: { proof: ProofDetail }) {
  return (
    <p>
      <b>{DECISIONS[proof.decision]}</b> by {visible(proof.decided_by)} {proof.decided_at ? <TimeAgo at={proof.decided_at} /> : null}
      {proof.plan_id ? (
        <>
          {" "}
          with{" "}
          <Link to="/remediate/$planId" params={{ planId: String(proof.plan_id) }} className="link">
            plan {proof.plan_id}
          </Link>
        </>
      ) : null}
      {proof.test_again_on ? `, test again on ${proof.test_again_on}` : ""}
      {proof.decision_reason ? `: ${visible(proof.decision_reason)}` : ""}
    </p>
  );
}

const spread = (load: LoadVerdict, side: "before" | "after") => {
  const found = load[side];
  if (!found) return "–";
  return (
    <>
      {result(found.mean, load.measure)}
      <div className="dim small">
        {found.count} runs
        {found.relative_deviation_percent === null ? "" : `, ±${found.relative_deviation_percent.toFixed(2)}%`}
      </div>
    </>
  );
};

const LOADS: Column<LoadVerdict>[] = [
  {
    head: "Load",
    isRowHead: true,
    cell: (load) => (
      <>
        {load.words}
        {load.paper_label ? <div className="dim small">As in the paper: {load.paper_label}</div> : null}
      </>
    ),
  },
  { head: "Before", isNumber: true, cell: (load) => spread(load, "before") },
  { head: "After", isNumber: true, cell: (load) => spread(load, "after") },
  { head: "Change", isNumber: true, className: "strong", cell: (load) => change(load.change_percent) },
  {
    head: "Verdict",
    cell: (load) => (
      <>
        <StatusLabel status={OUTCOMES[load.outcome].status}>{OUTCOMES[load.outcome].label}</StatusLabel>
        <div className="dim small">{load.reason}</div>
      </>
    ),
  },
];

const RUNS: Column<RunRow>[] = [
  { head: "Run", isRowHead: true, cell: (run) => `${run.id}${run.label ? ` ${visible(run.label.slice(0, 60))}` : ""}` },
  { head: "Load", cell: (run) => run.load.words },
  { head: "Result", isNumber: true, cell: judged },
  { head: "Length", isNumber: true, cell: (run) => (run.planned_seconds === null ? "–" : `${run.planned_seconds} s`) },
  {
    head: "File",
    cell: (run) => (
      <a className="link" href={`/api/v1/benchmark-files/${run.file_id}`} download>
        {visible(run.file_name)}, line {run.line}
      </a>
    ),
  },
  { head: "Tool", cell: (run) => `${TOOLS[run.tool]} ${run.version}` },
  { head: "Time", cell: (run) => (run.is_time_known ? <TimeAgo at={run.measured_at} form="moment" /> : "Not known") },
];

const CHANGES: Column<ProofDetail["changes"][number]>[] = [
  { head: "Time", cell: (one) => <TimeAgo at={one.at} form="moment" /> },
  { head: "Setting", isRowHead: true, cell: (one) => one.label },
  { head: "Item", cell: (one) => visible(one.item) || "Host" },
  { head: "Old", cell: (one) => visible(one.old) },
  { head: "New", cell: (one) => visible(one.new) },
];

function Changes({ proof }: { proof: ProofDetail }) {
  return (
    <section className="section" aria-label="Changes between the runs">
      <h2>Changes between the runs</h2>
      {!proof.is_time_known ? (
        <p className="dim">The time of a run is not known, so Plumbline can't tell what changed. Give the time when you import.</p>
      ) : proof.changes.length === 0 ? (
        <p className="dim">Plumbline saw no setting of this host change between the last run before and the first run after.</p>
      ) : (
        <DataTable
          label="Changes between the runs"
          columns={CHANGES}
          rows={proof.changes}
          rowKey={(one) => `${one.at}${one.label}${one.item}`}
        />
      )}
    </section>
  );
}
