import { Link, useNavigate } from "@tanstack/react-router";
import { shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { EvidenceBundles } from "./evidence-bundles";
import { presetLabel, templateLabel } from "./labels";
import { MakeReport } from "./make-report";
import { useReports } from "./queries";
import { ReportFiles } from "./report-files";
import styles from "./reports.module.css";
import { Schedules } from "./schedules";
import type { ReportsSearch } from "./search";
import type { Report } from "./types";

export function ReportsPage({
  canMake,
  canExportEvidence,
  search,
}: {
  canMake: boolean;
  canExportEvidence: boolean;
  search: ReportsSearch;
}) {
  const navigate = useNavigate();
  return (
    <>
      <div className="page-head">
        <h1>Reports</h1>
        <span className="dim">Same figures as on screen, frozen at one point in time. All formats use the same data.</span>
      </div>
      <nav className={styles.tabs} aria-label="Reports and schedules">
        <Link
          to="/reports"
          search={{}}
          className="link"
          aria-current={search.tab ? undefined : "page"}
          activeOptions={{ includeSearch: true, exact: true }}
        >
          Reports
        </Link>
        <Link to="/reports" search={{ tab: "schedules" }} className="link" aria-current={search.tab ? "page" : undefined}>
          Schedules
        </Link>
      </nav>
      {search.tab === "schedules" ? (
        <Schedules canMake={canMake} />
      ) : (
        <>
          {canMake ? (
            <MakeReport whenMade={(id) => void navigate({ to: "/reports/$reportId", params: { reportId: String(id) } })} />
          ) : (
            <p className="dim">Creating reports needs the viewer, operator or admin role.</p>
          )}
          <CreatedReports canMake={canMake} schedule={search.schedule} />
          <EvidenceBundles canExport={canExportEvidence} />
        </>
      )}
    </>
  );
}

function CreatedReports({ canMake, schedule }: { canMake: boolean; schedule: number | undefined }) {
  const reports = useReports(schedule);
  return (
    <section className="section" aria-label="Created reports">
      <h2>
        Created reports{" "}
        {schedule === undefined ? null : (
          <span className="dim small">
            of one schedule ·{" "}
            <Link to="/reports" search={{}} className="link">
              show all
            </Link>
          </span>
        )}
      </h2>
      <QueryPanel
        query={reports}
        height={220}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No reports yet">
            {canMake
              ? "Choose a report and a group above and create it."
              : "Reports created by others appear here for everyone who can see the group."}
          </Empty>
        }
      >
        {(data) => (
          <ul className={styles.list}>
            {data.map((report) => (
              <ReportRow key={report.id} report={report} />
            ))}
          </ul>
        )}
      </QueryPanel>
    </section>
  );
}

function ReportRow({ report }: { report: Report }) {
  return (
    <li className={styles.report} aria-label={`Report ${report.id}`}>
      <div>
        <div className="strong">
          <Link to="/reports/$reportId" params={{ reportId: String(report.id) }} className="link">
            {templateLabel(report.template)}, {visible(report.view_name || report.group_name)}
          </Link>{" "}
          <span className="dim">#{report.id}</span>
        </div>
        <div className="dim">
          {presetLabel(report.preset)}: {report.first_day} to {report.last_day} · as of <TimeAgo at={report.as_of} form="exact" />
        </div>
        <div className="dim">
          Created by {visible(report.requested_by)} <TimeAgo at={report.requested_at} />
          {report.schedule_name ? ` by the schedule ${visible(report.schedule_name)}` : ""}
        </div>
        {report.data_sha256 ? (
          <div className="dim small">
            Data digest <CopyableText text={report.data_sha256} shown={shortDigest(report.data_sha256)} label="data digest" />
          </div>
        ) : null}
        {report.state === "failed" ? <div className="small">{visible(report.error)}</div> : null}
      </div>
      {report.state === "queued" ? <StatusLabel status="running">Creating…</StatusLabel> : null}
      {report.state === "failed" ? <StatusLabel status="fail">Failed</StatusLabel> : null}
      {report.state === "ready" && report.may_export ? <ReportFiles report={report} /> : null}
    </li>
  );
}
