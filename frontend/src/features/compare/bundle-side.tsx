import { Link } from "@tanstack/react-router";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { AsOf } from "@/shared/ui/as-of";
import { Callout } from "@/shared/ui/callout";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import styles from "./compare.module.css";
import type { ComparedFinding, FindingSide, HostComparison } from "./types";

/** Which bundle is the other side, as of when, and whether it is of this host at all. */
export function BundleSide({ bundle }: { bundle: NonNullable<HostComparison["bundle"]> }) {
  const marks = `${bundle.identity.charAt(0).toUpperCase()}${visible(bundle.identity.slice(1))}.`;
  return (
    <>
      <p className={`dim ${styles.since}`}>
        What changed since{" "}
        <Link
          to="/assess/$assessmentId"
          params={{ assessmentId: String(bundle.assessment_id) }}
          search={{ host: bundle.assessed_id }}
          className="link"
        >
          {visible(bundle.bundle)}
        </Link>
        , as of <AsOf at={bundle.captured_at} />. {bundle.kind_label}. {bundle.likeness === "same" ? marks : ""}
      </p>
      {bundle.likeness === "same" ? null : (
        <Callout status="warn">
          {bundle.likeness === "other" ? "This bundle is probably of another host." : "It is not certain that this bundle is of this host."}{" "}
          {marks}
        </Callout>
      )}
    </>
  );
}

/** Findings that fail on one side only, each under the rules that are active for the host today. */
export function ChangedFindings({ data }: { data: HostComparison }) {
  const columns: Column<ComparedFinding>[] = [
    {
      head: "Finding",
      isRowHead: true,
      cell: (row) => (
        <>
          <Link to="/rules/$pack/$rule" params={{ pack: row.pack, rule: row.rule }} className="link">
            {visible(row.title)}
          </Link>
          {row.subject.kind === "host" ? null : <div className="dim small">{visible(row.subject.label)}</div>}
        </>
      ),
    },
    { head: `${visible(data.host.name)} today`, cell: (row) => <Side side={row.left} /> },
    { head: visible(data.right_label), cell: (row) => <Side side={row.right} /> },
  ];
  return (
    <section className="section" aria-label="Findings">
      <h2>Findings</h2>
      <p className={`dim small ${styles.since}`}>
        {data.findings.length === 0 ? "No finding known on both sides changed." : `${plural(data.findings.length, "finding")} changed.`}{" "}
        Both sides are evaluated with the rules active today.
        {data.findings_not_known > 0
          ? ` ${plural(data.findings_not_known, "failing finding is", "failing findings are")} unknown on one side.`
          : ""}
      </p>
      {data.findings.length > 0 ? (
        <DataTable
          label="Findings"
          columns={columns}
          rows={data.findings}
          rowKey={(row) => `${row.pack}/${row.rule}/${row.subject.kind}/${row.subject.id}`}
        />
      ) : null}
    </section>
  );
}

function Side({ side }: { side: FindingSide | null }) {
  if (side === null) return <StatusLabel status="not_applicable" />;
  return (
    <>
      <StatusLabel status={side.status} />
      {side.observed ? <div className="small">{visible(side.observed)}</div> : null}
      {side.member ? <div className="dim small mono">{visible(side.member)}</div> : null}
    </>
  );
}
