import { Button, Select } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import { api, query } from "@/shared/api/client";
import { bytes, shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { EvidenceBundles } from "./evidence-bundles";
import styles from "./reports.module.css";
import type { Report } from "./types";

const LIST = ["get", "/api/v1/reports"] as const;
const FORMATS: Record<string, string> = { pdf: "PDF", csv: "CSV", json: "JSON" };

export function ReportsPage({ canExport, canExportEvidence }: { canExport: boolean; canExportEvidence: boolean }) {
  const reports = query.useQuery(
    "get",
    "/api/v1/reports",
    {},
    { refetchInterval: ({ state }) => (state.data?.some((report) => report.state === "queued") ? 1500 : false) },
  );
  return (
    <>
      <div className="page-head">
        <h1>Reports</h1>
        <span className="dim">Same figures as on screen, frozen at one point in time. All formats use the same data.</span>
      </div>
      {canExport ? <MakeReport /> : <p className="dim">Creating and downloading reports needs the viewer role.</p>}
      <section className="section" aria-label="Created reports">
        <h2>Created reports</h2>
        <QueryPanel
          query={reports}
          height={220}
          isEmpty={(data) => data.length === 0}
          empty={
            <Empty title="No reports yet">
              {canExport
                ? "Choose a group above and create a report."
                : "Reports created by viewers appear here for everyone who can see the group."}
            </Empty>
          }
        >
          {(data) => (
            <ul className={styles.list}>
              {data.map((report) => (
                <ReportRow key={report.id} report={report} canExport={canExport} />
              ))}
            </ul>
          )}
        </QueryPanel>
      </section>
      <EvidenceBundles canExport={canExportEvidence} />
    </>
  );
}

function MakeReport() {
  const client = useQueryClient();
  const choices = useGroupChoices();
  const [group, setGroup] = useState<string | null>(null);
  const first = choices[0];
  const chosen = group ?? (first ? first.value : null);
  const make = useMutation({
    mutationFn: (group_id: number) => api.POST("/api/v1/reports", { body: { template: "executive", group_id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  });
  return (
    <section aria-label="Create a report">
      <form
        className={styles.make}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) make.mutate(Number(chosen));
        }}
      >
        <Select
          label="Report"
          w={240}
          data={[{ value: "executive", label: "Fleet compliance (executive)" }]}
          value="executive"
          onChange={() => undefined}
        />
        <Select label="Group" w={260} searchable data={choices} value={chosen} onChange={setGroup} />
        <Button type="submit" variant="filled" size="sm" loading={make.isPending} disabled={chosen === null}>
          Create report
        </Button>
      </form>
      {make.error ? <Failed error={make.error} /> : null}
    </section>
  );
}

function ReportRow({ report, canExport }: { report: Report; canExport: boolean }) {
  return (
    <li className={styles.report} aria-label={`Report ${report.id}`}>
      <div>
        <div className="strong">
          Fleet compliance, {visible(report.group_name)} <span className="dim">#{report.id}</span>
        </div>
        <div className="dim">
          As of <TimeAgo at={report.as_of} form="exact" />, created by {visible(report.requested_by)} <TimeAgo at={report.requested_at} />
        </div>
        {report.data_sha256 ? (
          <div className="dim small">
            Data digest <CopyableText text={report.data_sha256} shown={shortDigest(report.data_sha256)} label="data digest" />
          </div>
        ) : null}
        {report.state === "failed" ? <div className="small">{visible(report.error)}</div> : null}
      </div>
      <div className={styles.files}>
        {report.state === "queued" ? <StatusLabel status="running">Creating…</StatusLabel> : null}
        {report.state === "failed" ? <StatusLabel status="fail">Failed</StatusLabel> : null}
        {report.state === "ready" && canExport
          ? report.files.map((file) => (
              <span key={file.format} className={styles.file}>
                <Button renderRoot={(props) => <a {...props} href={`/api/v1/reports/${report.id}/files/${file.format}`} download />}>
                  {FORMATS[file.format] ?? file.format.toUpperCase()}
                </Button>
                <span className="dim small">{bytes(file.bytes)}</span>
              </span>
            ))
          : null}
      </div>
    </li>
  );
}
