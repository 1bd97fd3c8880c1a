import { shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { Empty, LoadingSkeleton, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { readFrozen } from "./frozen";
import { presetLabel, templateLabel } from "./labels";
import { Mails } from "./mails";
import { useReport } from "./queries";
import { ReportCounters } from "./report-counters";
import { ReportFigures } from "./report-figures";
import { ReportFiles } from "./report-files";
import { ReportLists } from "./report-lists";
import type { ReportSearch } from "./search";
import type { ReportDetail } from "./types";

/** One report: its figures with the lists behind them, its files, and its mails. */
export function ReportPage({ reportId, search }: { reportId: number; search: ReportSearch }) {
  const report = useReport(reportId);
  if (isMissing(report)) return <NotFound what="report" title="Report not found" to="/reports" />;
  return (
    <QueryPanel query={report} height={480} lines={14}>
      {(data) => (
        <>
          <div className="page-head">
            <h1>
              {templateLabel(data.template)}: {visible(data.view_name || data.group_name)}
            </h1>
            <span className="dim">
              {presetLabel(data.preset)}, {data.first_day} to {data.last_day} ({data.time_zone}) · as of{" "}
              <TimeAgo at={data.as_of} form="exact" />
            </span>
          </div>
          <State report={data} search={search} />
        </>
      )}
    </QueryPanel>
  );
}

function State({ report, search }: { report: ReportDetail; search: ReportSearch }) {
  if (report.state === "queued") {
    return (
      <div role="status">
        <p className="dim">Creating the report. This takes a few seconds.</p>
        <LoadingSkeleton height={320} lines={10} />
      </div>
    );
  }
  if (report.state === "failed") {
    return <Empty title="This report could not be created">{visible(report.error)}</Empty>;
  }
  const frozen = readFrozen(report.data);
  return (
    <>
      {report.may_export ? (
        <ReportFiles report={report} />
      ) : (
        <p className="dim">Downloading reports needs the viewer, operator or admin role.</p>
      )}
      <p className="dim small">
        Created by {visible(report.requested_by)}
        {report.schedule_name ? ` by the schedule ${visible(report.schedule_name)}` : ""} · data digest{" "}
        <CopyableText text={report.data_sha256} shown={shortDigest(report.data_sha256)} label="data digest" />
      </p>
      {frozen === null ? (
        <Empty title="No preview">An earlier version of Plumbline made this report. Its files can be downloaded.</Empty>
      ) : (
        <>
          <ReportFigures data={frozen} reportId={report.id} />
          <ReportLists data={frozen} search={search} report={report} />
          {frozen.counters ? <ReportCounters counters={frozen.counters} /> : null}
          <section className="section" aria-label="How to read this report">
            <h2>How to read this report</h2>
            <p className="dim" style={{ maxWidth: "110ch" }}>
              {frozen.report.definition} {frozen.report.method}
            </p>
            <p className="dim small">{frozen.report.packs.map((pack) => `${pack.pack} ${pack.version}`).join(", ") || "No active packs"}</p>
          </section>
        </>
      )}
      {report.may_mail ? <Mails report={report} /> : null}
    </>
  );
}
