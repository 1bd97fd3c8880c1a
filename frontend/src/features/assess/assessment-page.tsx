import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { useCan } from "@/entities/person/queries";
import { bytes, count, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { AsOf } from "@/shared/ui/as-of";
import { Callout } from "@/shared/ui/callout";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import styles from "./assess.module.css";
import { StateLabel } from "./assess-page";
import { HostReport } from "./host-report";
import { JoinFleet } from "./join-fleet";
import { useAssessment } from "./queries";
import type { AssessedHostRow, AssessmentDetail } from "./types";

interface AssessmentPageProps {
  id: number;
  host: number | undefined;
}

/** Hosts that are listed at first, and with each "Show more". */
const PART = 50;

/** What one bundle says: its hosts, the lowest score first, and one of them in full. */
export function AssessmentPage({ id, host }: AssessmentPageProps) {
  const [limit, setLimit] = useState(PART);
  const [typed, setTyped] = useState("");
  const [named] = useDebouncedValue(typed.trim(), 250);
  const assessment = useAssessment(id, limit, named);
  // While a bundle is read, hosts with lower scores come in above: the report that somebody reads stays.
  const first = useRef<number | undefined>(undefined);
  first.current ??= assessment.data?.hosts[0]?.id;
  const shown = host ?? (assessment.data?.host_count ? first.current : undefined);
  return (
    <QueryPanel query={assessment} height={520} lines={12}>
      {(data) => (
        <Loaded
          data={data}
          shown={shown}
          hosts={
            data.host_count > 1 ? (
              <Hosts data={data} shown={shown} typed={typed} setTyped={setTyped} more={() => setLimit(limit + PART)} />
            ) : null
          }
        />
      )}
    </QueryPanel>
  );
}

function Loaded({ data, shown, hosts }: { data: AssessmentDetail; shown: number | undefined; hosts: ReactNode }) {
  const can = useCan();
  return (
    <>
      <div className="page-head">
        <h1>{visible(data.name)}</h1>
        <span className="dim">
          {plural(data.host_count, "host")}, {bytes(data.size_bytes)}
        </span>
        <div className="end">
          <StateLabel state={data.state} />
          {data.state === "ready" ? (
            <>
              <Button renderRoot={(props) => <a {...props} href={`/api/v1/assessments/${data.id}/report`} download />}>Download PDF</Button>
              <Button renderRoot={(props) => <a {...props} href={`/api/v1/assessments/${data.id}/report?plan=true`} download />}>
                PDF with plan preview
              </Button>
              {can.add_hosts ? <JoinFleet assessment={data} shown={shown} /> : null}
            </>
          ) : null}
        </div>
      </div>
      {data.state === "failed" ? <Callout status="fail">This bundle could not be assessed: {visible(data.error)}</Callout> : null}
      {data.notes.map((note) => (
        <Callout key={note} status="warn">
          {visible(note)}
        </Callout>
      ))}
      {hosts}
      {shown !== undefined ? (
        <HostReport assessmentId={data.id} assessedId={shown} />
      ) : data.state === "reading" ? (
        <Empty title="No host found yet">The bundle is still being read. Hosts appear here one by one.</Empty>
      ) : null}
      <NotUsed data={data} />
    </>
  );
}

interface HostsProps {
  data: AssessmentDetail;
  shown: number | undefined;
  typed: string;
  setTyped: (typed: string) => void;
  more: () => void;
}

function Hosts({ data, shown, typed, setTyped, more }: HostsProps) {
  const columns: Column<AssessedHostRow>[] = [
    {
      head: "Host",
      cell: (row) => (
        <Link
          to="/assess/$assessmentId"
          params={{ assessmentId: String(data.id) }}
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
      {data.host_count > PART ? (
        <TextInput
          className={styles.search}
          size="xs"
          label="Host name"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      <DataTable
        label="Hosts"
        columns={columns}
        rows={data.hosts}
        rowKey={(row) => String(row.id)}
        empty={<Empty title="No host matches">Change the host name to see more hosts.</Empty>}
      />
      {data.hosts.length < data.match_count ? (
        <div className="row">
          <Button onClick={more}>Show more hosts</Button>
          <span className="dim small">
            {count(data.hosts.length)} of {plural(data.match_count, "host")}, lowest score first
          </span>
        </div>
      ) : null}
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
