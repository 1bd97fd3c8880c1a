import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { bytes, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Callout } from "@/shared/ui/callout";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import styles from "./assess.module.css";
import { StateLabel } from "./assess-page";
import { AsOf, HostReport } from "./host-report";
import { useAssessment } from "./queries";
import type { AssessedHostRow, AssessmentDetail } from "./types";

interface AssessmentPageProps {
  id: number;
  host: number | undefined;
}

/** What one bundle says: its hosts, the lowest score first, and one of them in full. */
export function AssessmentPage({ id, host }: AssessmentPageProps) {
  const assessment = useAssessment(id);
  return (
    <QueryPanel query={assessment} height={520} lines={12}>
      {(data) => <Loaded data={data} host={host} />}
    </QueryPanel>
  );
}

function Loaded({ data, host }: { data: AssessmentDetail; host: number | undefined }) {
  const shown = data.hosts.find((one) => one.id === host) ?? data.hosts[0];
  return (
    <>
      <div className="page-head">
        <h1>{visible(data.name)}</h1>
        <span className="dim">
          {plural(data.hosts.length, "host")}, {bytes(data.size_bytes)}
        </span>
        <div className="end">
          <StateLabel state={data.state} />
          {data.state === "ready" ? (
            <Button renderRoot={(props) => <a {...props} href={`/api/v1/assessments/${data.id}/report`} download />}>Download PDF</Button>
          ) : null}
        </div>
      </div>
      {data.state === "failed" ? <Callout status="fail">This bundle could not be assessed: {visible(data.error)}</Callout> : null}
      {data.notes.map((note) => (
        <Callout key={note} status="warn">
          {visible(note)}
        </Callout>
      ))}
      {data.hosts.length > 1 ? <Hosts id={data.id} rows={data.hosts} shown={shown?.id} /> : null}
      {shown ? (
        <HostReport assessmentId={data.id} row={shown} />
      ) : data.state === "reading" ? (
        <Empty title="No host found yet">The bundle is still being read. Hosts appear here one by one.</Empty>
      ) : null}
      <NotUsed data={data} />
    </>
  );
}

function Hosts({ id, rows, shown }: { id: number; rows: AssessedHostRow[]; shown: number | undefined }) {
  const columns: Column<AssessedHostRow>[] = [
    {
      head: "Host",
      cell: (row) => (
        <Link
          to="/assess/$assessmentId"
          params={{ assessmentId: String(id) }}
          search={{ host: row.id }}
          resetScroll={false}
          aria-current={row.id === shown ? "true" : undefined}
        >
          {visible(row.name)}
        </Link>
      ),
    },
    { head: "Score", isNumber: true, cell: (row) => score(row.score) },
    { head: "Failing", isNumber: true, cell: (row) => row.failing },
    { head: "Unknown", isNumber: true, cell: (row) => row.unknown },
    { head: "Rules answered", isNumber: true, cell: (row) => `${row.answered} of ${row.applicable}` },
    { head: "As of", cell: (row) => <AsOf at={row.captured_at} /> },
  ];
  return (
    <section className="section" aria-label="Hosts in this bundle">
      <h2>Hosts</h2>
      <DataTable columns={columns} rows={rows} rowKey={(row) => String(row.id)} />
    </section>
  );
}

function NotUsed({ data }: { data: AssessmentDetail }) {
  if (data.refused.length === 0 && data.unused.length === 0) return null;
  return (
    <section className="section" aria-label="Not used">
      {data.refused.length > 0 ? (
        <details className={styles.group}>
          <summary>{plural(data.refused.length, "file was refused", "files were refused")}</summary>
          <ul>
            {data.refused.map((one) => (
              <li key={`${one.path}:${one.reason}`} className="small">
                <span className="mono">{visible(one.path ?? "")}</span>: {visible(one.reason ?? "")}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {data.unused.length > 0 ? (
        <details className={styles.group}>
          <summary>{plural(data.unused_count, "file was not used", "files were not used")}</summary>
          <ul>
            {data.unused.map((path) => (
              <li key={path} className="mono small">
                {visible(path)}
              </li>
            ))}
          </ul>
          {data.unused_count > data.unused.length ? (
            <p className="dim small">and {plural(data.unused_count - data.unused.length, "more file")}</p>
          ) : null}
        </details>
      ) : null}
    </section>
  );
}
