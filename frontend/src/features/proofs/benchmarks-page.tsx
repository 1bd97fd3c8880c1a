import { Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Session } from "@/entities/person/types";
import { change, DECISIONS, GRADES, judged, OUTCOMES, TOOLS } from "@/entities/proof/labels";
import type { ProofRow, ReferenceRun, RunRow } from "@/entities/proof/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { HostChoice } from "./host-choice";
import { ImportFile } from "./import-file";
import { MakeProof } from "./make-proof";
import styles from "./proofs.module.css";
import { useMethod, useProofs, useRuns } from "./queries";
import type { BenchmarksSearch } from "./search";
import { ShareCheck } from "./share-check";

interface BenchmarksPageProps {
  search: BenchmarksSearch;
  setSearch: PatchSearch<BenchmarksSearch>;
  can: Partial<Session["can"]>;
}

const TABS = [
  { tab: "runs", label: "Runs" },
  { tab: "proofs", label: "Proofs" },
  { tab: "papers", label: "Papers' results" },
] as const;

/** Benchmark runs of hosts, proofs made of them, and what the papers measured. */
export function BenchmarksPage({ search, setSearch, can }: BenchmarksPageProps) {
  const tab = search.tab ?? "runs";
  return (
    <>
      <div className="page-head">
        <h1>Benchmarks</h1>
        <span className="dim">Runs before and after a change, compared by the papers' method</span>
      </div>
      <nav className={styles.tabs} aria-label="Runs, proofs and papers">
        {TABS.map((one) => (
          <Link
            key={one.tab}
            to="/benchmarks"
            search={{ ...search, tab: one.tab === "runs" ? undefined : one.tab }}
            activeProps={{ "aria-current": undefined }}
            aria-current={tab === one.tab ? "page" : undefined}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {tab === "runs" ? <Runs search={search} setSearch={setSearch} can={can} /> : null}
      {tab === "proofs" ? <Proofs search={search} setSearch={setSearch} /> : null}
      {tab === "papers" ? <Papers /> : null}
    </>
  );
}

type Side = "before" | "after";

function Runs({ search, setSearch, can }: BenchmarksPageProps) {
  const pages = usePages(useRuns(search));
  const [sides, setSides] = useState<ReadonlyMap<number, Side>>(new Map());
  const choose = (run: number, side: Side | null) =>
    setSides((before) => {
      const next = new Map(before);
      if (side) next.set(run, side);
      else next.delete(run);
      return next;
    });
  const canChoose = (can.make_proofs ?? false) && search.host !== undefined;
  return (
    <>
      {can.import_benchmarks ? <ImportFile host={search.host} setHost={(host) => setSearch({ host })} /> : null}
      <section className="section" aria-label="Runs">
        <h2>Runs</h2>
        <div className={styles.filters}>
          {can.import_benchmarks ? null : <HostChoice label="Host" host={search.host} setHost={(host) => setSearch({ host })} />}
          <Select
            label="Tool"
            size="xs"
            w={140}
            placeholder="All"
            clearable
            clearButtonProps={{ "aria-label": "Clear tool" }}
            data={Object.entries(TOOLS).map(([value, label]) => ({ value, label }))}
            value={search.tool ?? null}
            onChange={(tool) => setSearch({ tool: (tool ?? undefined) as BenchmarksSearch["tool"] })}
          />
          {can.make_proofs && !search.host ? (
            <span className="dim small">Choose a host to compare its runs before and after a change.</span>
          ) : null}
        </div>
        <PagedList
          pages={pages}
          height={320}
          lines={8}
          empty={
            <Empty title="No runs yet">
              {can.import_benchmarks
                ? "Import the output of a benchmark tool to keep its runs beside the host's settings."
                : "An operator can import the output of a benchmark tool; its runs are kept beside the host's settings."}
            </Empty>
          }
        >
          {(rows) => (
            <DataTable label="Benchmark runs" columns={runColumns(canChoose, sides, choose)} rows={rows} rowKey={(run) => run.id} />
          )}
        </PagedList>
      </section>
      {canChoose && search.host ? (
        <MakeProof
          hostId={search.host}
          jobId={search.job}
          before={pages.rows.filter((run) => sides.get(run.id) === "before")}
          after={pages.rows.filter((run) => sides.get(run.id) === "after")}
        />
      ) : null}
      {search.host ? <ShareCheck runs={pages.rows} /> : null}
    </>
  );
}

function runColumns(
  canChoose: boolean,
  sides: ReadonlyMap<number, Side>,
  choose: (run: number, side: Side | null) => void,
): Column<RunRow>[] {
  const side: Column<RunRow> = {
    head: "Side",
    width: 120,
    cell: (run) => (
      <Select
        aria-label={`Side of run ${run.id}`}
        size="xs"
        placeholder="Not used"
        clearable
        clearButtonProps={{ "aria-label": `Do not use run ${run.id}` }}
        data={[
          { value: "before", label: "Before" },
          { value: "after", label: "After" },
        ]}
        value={sides.get(run.id) ?? null}
        onChange={(chosen) => choose(run.id, chosen as Side | null)}
      />
    ),
  };
  return [
    ...(canChoose ? [side] : []),
    {
      head: "Run",
      isRowHead: true,
      cell: (run) => (
        <>
          <b>{visible(run.host.name)}</b> {run.label ? <span className="mono small">{visible(run.label.slice(0, 60))}</span> : null}
          <div className="dim small">
            <a className="link" href={`/api/v1/benchmark-files/${run.file_id}`} download>
              {visible(run.file_name)}
            </a>
            , line {run.line}
          </div>
        </>
      ),
    },
    {
      head: "Load",
      cell: (run) => (
        <>
          {run.load.words}
          {run.load.paper_label && run.load.is_order_known ? (
            <div className="dim small">As in the paper: {run.load.paper_label}</div>
          ) : null}
          {run.notes.map((note) => (
            <div key={note} className="dim small">
              {note}
            </div>
          ))}
        </>
      ),
    },
    { head: "Result", isNumber: true, className: "nowrap", cell: judged },
    { head: "Latency", isNumber: true, className: "nowrap", cell: (run) => number(run.results.latency_ms, "ms") },
    { head: "CPU", isNumber: true, className: "nowrap", cell: (run) => number(run.results.cpu_percent, "%") },
    { head: "Tool", cell: (run) => `${TOOLS[run.tool]} ${run.version}` },
    {
      head: "Time",
      cell: (run) => (run.is_time_known ? <TimeAgo at={run.measured_at} form="moment" /> : <span className="dim">Not known</span>),
    },
  ];
}

const number = (value: number | null, unit: string) => (value === null ? "–" : `${value.toFixed(2)}${unit === "%" ? "%" : ` ${unit}`}`);

function Proofs({ search, setSearch }: Omit<BenchmarksPageProps, "can">) {
  const pages = usePages(useProofs({ host: search.host, job: search.job }));
  return (
    <section className="section" aria-label="Proofs">
      <div className={styles.filters}>
        <HostChoice label="Host" host={search.host} setHost={(host) => setSearch({ host })} />
      </div>
      <PagedList
        pages={pages}
        height={260}
        lines={6}
        empty={<Empty title="No proofs yet">Choose runs before and after a change on the Runs tab.</Empty>}
      >
        {(rows) => <DataTable label="Proofs" columns={PROOFS} rows={rows} rowKey={(proof) => proof.id} />}
      </PagedList>
    </section>
  );
}

const PROOFS: Column<ProofRow>[] = [
  {
    head: "Proof",
    isRowHead: true,
    cell: (proof) => (
      <Link to="/proofs/$proofId" params={{ proofId: String(proof.id) }} className="link">
        {visible(proof.title)}
      </Link>
    ),
  },
  { head: "Host", cell: (proof) => visible(proof.host.name) },
  { head: "Outcome", cell: (proof) => <StatusLabel status={OUTCOMES[proof.outcome].status}>{OUTCOMES[proof.outcome].label}</StatusLabel> },
  { head: "Largest change", isNumber: true, cell: (proof) => change(proof.change_percent) },
  { head: "Grade", cell: (proof) => GRADES[proof.grade] },
  { head: "Decision", cell: (proof) => DECISIONS[proof.decision] },
  { head: "Made", cell: (proof) => <TimeAgo at={proof.made_at} /> },
];

const PAPERS: Column<ReferenceRun>[] = [
  { head: "Paper", isRowHead: true, cell: (run) => `${run.paper.toUpperCase()} ${run.at}` },
  { head: "Load", cell: (run) => run.load },
  { head: "What was compared", cell: (run) => run.change },
  {
    head: "Result",
    isNumber: true,
    cell: (run) => (
      <>
        {run.note ? <span className="dim small">{run.note} </span> : null}
        {run.unit === "%" ? change(run.value) : `${run.value.toLocaleString("en-GB")}${run.unit.startsWith("%") ? "" : " "}${run.unit}`}
      </>
    ),
  },
  { head: "Test system", cell: (run) => `${run.platform}; ${run.adapter}` },
];

function Papers() {
  const method = useMethod();
  return (
    <QueryPanel query={method} height={400} lines={10}>
      {(data) => (
        <section className="section" aria-label="Papers' results">
          <p>
            The papers make {data.runs} runs of {data.run_seconds / 60} minutes of each load and average them. If the runs differ by more
            than {data.largest_deviation_percent}% (relative standard deviation) the load is run again. Differences under{" "}
            {data.significant_from_percent}% are not significant. Only results that the text gives as a number are listed: the charts have
            no figures to copy.
          </p>
          <DataTable
            label="Papers' results"
            columns={PAPERS}
            rows={data.references}
            rowKey={(run) => `${run.paper}${run.at}${run.load}${run.change}`}
          />
        </section>
      )}
    </QueryPanel>
  );
}
