import { Link } from "@tanstack/react-router";
import { change, OUTCOMES } from "@/entities/proof/labels";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { DataTable } from "@/shared/ui/data-table/data-table";
import { Empty } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import type { FrozenGains } from "./frozen";

/** What was measured of the changes in the period: counters of jobs beside untreated hosts, and comparisons of benchmark runs. */
export function Gains({ gains }: { gains: FrozenGains | undefined }) {
  if (gains === undefined) return <Empty title="Not in this report">Reports of an earlier version have no measured gains.</Empty>;
  if (gains.rows.length + gains.proofs.length === 0) return <Empty title="Nothing measured">{gains.words.map(visible).join(" ")}</Empty>;
  return (
    <>
      {gains.rows.length > 0 ? (
        <>
          <p className="dim">
            Means of the jobs that can be compared, a day (or an hour) before and after, beside hosts that no job touched. An observation,
            not a proof.
            {gains.jobs > gains.jobs_read ? ` The newest ${count(gains.jobs_read)} of ${plural(gains.jobs, "job")} were read.` : ""}
          </p>
          <DataTable
            label="Gains by counters"
            columns={[
              { head: "Fixed", isRowHead: true, cell: (row) => visible(row.what) },
              { head: "Counter", cell: (row) => row.counter || "–" },
              { head: "Before and after", cell: (row) => row.change_words || "–" },
              { head: "Untreated hosts", cell: (row) => row.controls_words || "–" },
              { head: "Hosts", isNumber: true, cell: (row) => count(row.hosts) },
              { head: "Jobs", cell: (row) => answers(row) },
            ]}
            rows={gains.rows}
            rowKey={(row) => `${row.what} ${row.counter}`}
          />
        </>
      ) : null}
      {gains.proofs.length > 0 ? (
        <DataTable
          label="Comparisons of benchmark runs"
          columns={[
            {
              head: "Proof",
              isRowHead: true,
              cell: (proof) => (
                <Link to="/proofs/$proofId" params={{ proofId: String(proof.id) }} className="link">
                  {visible(proof.title)}
                </Link>
              ),
            },
            { head: "Host", cell: (proof) => visible(proof.host) },
            { head: "Rule", cell: (proof) => proof.rule || "–" },
            { head: "Grade", cell: (proof) => proof.grade_words },
            {
              head: "Result",
              cell: (proof) => <StatusLabel status={OUTCOMES[proof.outcome].status}>{OUTCOMES[proof.outcome].label}</StatusLabel>,
            },
            { head: "Change", isNumber: true, cell: (proof) => change(proof.change_percent) },
          ]}
          rows={gains.proofs}
          rowKey={(proof) => proof.id}
        />
      ) : null}
    </>
  );
}

/** "5 better, 3 unchanged, 4 unknown". */
function answers(row: FrozenGains["rows"][number]): string {
  const parts: [number, string][] = [
    [row.better, "better"],
    [row.worse, "worse"],
    [row.no_effect, "unchanged"],
    [row.cannot_tell, "unknown"],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${count(number)} ${words}`)
    .join(", ");
}
