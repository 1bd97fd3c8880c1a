import { Link } from "@tanstack/react-router";
import type { CounterEffect, JobEffect } from "@/entities/proof/types";
import { query } from "@/shared/api/client";
import { measured } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { QueryPanel } from "@/shared/ui/query-panel";
import { type Status, StatusLabel } from "@/shared/ui/status";

const ANSWERS: Record<CounterEffect["answer"], { status: Status; label: string }> = {
  better: { status: "pass", label: "Better" },
  worse: { status: "fail", label: "Worse" },
  no_effect: { status: "neutral", label: "No effect" },
  too_few_samples: { status: "unknown", label: "Cannot tell: too few samples" },
  too_little_load: { status: "unknown", label: "Cannot tell: too little load" },
  load_differs: { status: "unknown", label: "Cannot tell: the load differs too much" },
  no_controls: { status: "unknown", label: "Cannot tell: too few untreated hosts" },
};

/** What counters say of a finished job, beside hosts that no job touched. */
export function Effect({ jobId, isFinished }: { jobId: number; isFinished: boolean }) {
  const effect = query.useQuery(
    "get",
    "/api/v1/jobs/{job_id}/effect",
    { params: { path: { job_id: jobId } } },
    { enabled: isFinished, refetchInterval: 300_000 },
  );
  if (!isFinished) return null;
  return (
    <section className="section" aria-label="Effect">
      <h2>
        Effect <span className="dim">counters before and after, beside untreated hosts. An observation, not a proof</span>
      </h2>
      <QueryPanel query={effect} height={180} lines={5}>
        {(data) => <Windows effect={data} />}
      </QueryPanel>
    </section>
  );
}

/** The two spans around the job, each with what its counters say. */
export function Windows({ effect }: { effect: JobEffect }) {
  return (
    <>
      <p>
        {effect.controls.length === 0
          ? "There are no untreated hosts of the same cluster or with the same adapters to compare with."
          : `Compared with ${effect.controls.map((one) => visible(one.name)).join(", ")}: untreated hosts ${
              effect.controls_from === "cluster" ? "of the same cluster" : "with the same adapters"
            }.`}{" "}
        {effect.proof_ids.length > 0 ? (
          effect.proof_ids.map((id) => (
            <Link key={id} to="/proofs/$proofId" params={{ proofId: String(id) }} className="link">
              Proof {id}{" "}
            </Link>
          ))
        ) : (
          <Link to="/benchmarks" search={{ host: effect.host.id, job: effect.job_id }} className="link">
            Compare benchmark runs
          </Link>
        )}
      </p>
      {effect.windows.map((window) => (
        <div key={window.hours} style={{ marginTop: 12 }}>
          <h3>
            {window.hours === 1 ? "An hour" : "A day"} before and after{" "}
            {window.is_over ? null : <span className="dim small">the span after the job is not over yet</span>}
          </h3>
          {window.counters.length === 0 ? (
            <p className="dim">This host sent no counters in that time.</p>
          ) : window.counters.every((counter) => counter.answer === "too_few_samples") ? (
            <p className="dim">Cannot tell: too few samples of every counter in that time.</p>
          ) : (
            <DataTable
              label={window.hours === 1 ? "Effect within an hour" : "Effect within a day"}
              columns={COLUMNS}
              rows={window.counters}
              rowKey={(counter) => counter.name}
            />
          )}
        </div>
      ))}
    </>
  );
}

const pair = (before: number | null, after: number | null, unit: string) => `${measured(before, unit)} → ${measured(after, unit)}`;

const COLUMNS: Column<CounterEffect>[] = [
  { head: "Counter", isRowHead: true, cell: (counter) => counter.label },
  { head: "This host", isNumber: true, cell: (counter) => pair(counter.before, counter.after, counter.unit) },
  {
    head: "Untreated hosts",
    isNumber: true,
    cell: (counter) => (counter.controls === 0 ? "–" : pair(counter.controls_before, counter.controls_after, counter.unit)),
  },
  { head: "Load", isNumber: true, cell: (counter) => pair(counter.load_before, counter.load_after, "B/s") },
  {
    head: "Difference",
    isNumber: true,
    cell: (counter) =>
      counter.difference === null ? (
        "–"
      ) : (
        <>
          {measured(counter.difference, counter.unit)}
          <div className="dim small">
            95% between {measured(counter.low, counter.unit)} and {measured(counter.high, counter.unit)}
          </div>
        </>
      ),
  },
  { head: "Answer", cell: (counter) => <StatusLabel status={ANSWERS[counter.answer].status}>{ANSWERS[counter.answer].label}</StatusLabel> },
];
