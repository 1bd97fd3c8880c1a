import { Link } from "@tanstack/react-router";
import { count, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty } from "@/shared/ui/query-panel";
import { type Status, StatusLabel, statusText } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import type { FrozenHost, FrozenPlan, FrozenReport, FrozenWaiver } from "./frozen";
import { Gains } from "./report-gains";
import styles from "./reports.module.css";
import { LISTS, type ReportSearch } from "./search";
import type { Report } from "./types";

const TITLES: Record<(typeof LISTS)[number], string> = {
  hosts: "Hosts",
  rules: "Failing rules",
  waivers: "Exceptions",
  plans: "Plans",
  gains: "Gains measured",
  pages: "PDF preview",
};
/** More rows are in the files. */
const MOST_ROWS = 500;

/** The lists behind the figures. A host leads to its page as of the report's time, where each finding has its facts. */
export function ReportLists({ data, search, report }: { data: FrozenReport; search: ReportSearch; report: Report }) {
  const list = search.list ?? "hosts";
  return (
    <section className="section" aria-label={TITLES[list]}>
      <nav className={styles.tabs} aria-label="Lists of this report">
        {LISTS.map((each) => (
          <Link
            key={each}
            to="/reports/$reportId"
            params={{ reportId: String(report.id) }}
            search={{ list: each }}
            className="link"
            resetScroll={false}
            aria-current={each === list ? "page" : undefined}
          >
            {TITLES[each]}
          </Link>
        ))}
      </nav>
      {list === "hosts" ? <Hosts data={data} status={search.status} /> : null}
      {list === "rules" ? <Rules rules={data.failing_rules} /> : null}
      {list === "waivers" ? <Waivers waivers={data.exceptions} /> : null}
      {list === "plans" ? <Plans plans={data.plans} /> : null}
      {list === "gains" ? <Gains gains={data.gains} /> : null}
      {list === "pages" ? <Pages report={report} /> : null}
    </section>
  );
}

function Hosts({ data, status }: { data: FrozenReport; status: ReportSearch["status"] }) {
  const hosts = status === undefined ? data.hosts : data.hosts.filter((host) => host[status] > 0);
  const at = data.report.as_of;
  const columns: Column<FrozenHost>[] = [
    {
      head: "Host",
      isRowHead: true,
      cell: (host) => (
        <Link to="/hosts/$hostId/past" params={{ hostId: host.id }} search={{ at, show: "all" }} className="link">
          {visible(host.name)}
        </Link>
      ),
      sortValue: (host) => host.name,
    },
    { head: "Group", cell: (host) => visible(host.group), sortValue: (host) => host.group },
    { head: "Score", isNumber: true, cell: (host) => score(host.score), sortValue: (host) => host.score },
    ...(["fail", "unknown", "waived", "pass"] as const).map(
      (word): Column<FrozenHost> => ({
        head: statusText(word),
        isNumber: true,
        cell: (host) => count(host[word]),
        sortValue: (host) => host[word],
      }),
    ),
    { head: "Check-in", cell: (host) => host.freshness_words },
    {
      head: "Top finding",
      cell: (host) => (host.absent ? `Not evaluated: ${visible(host.absent)}` : visible(host.worst_headline)),
    },
  ];
  if (hosts.length === 0) {
    return (
      <Empty title={status === undefined ? "No hosts" : `No host with this status: ${statusText(status as Status)}`}>
        {status === undefined ? "Nothing was counted in this scope at this time." : "Choose another figure above."}
      </Empty>
    );
  }
  return (
    <>
      <p className="dim">
        {plural(hosts.length, "host")}
        {status === undefined ? "" : ` with at least one finding of the status ${statusText(status as Status)}`}. A host opens as it was at
        the time of the report.
      </p>
      <DataTable label="Hosts of the report" columns={columns} rows={hosts.slice(0, MOST_ROWS)} rowKey={(host) => host.id} />
      <More of={hosts.length} />
    </>
  );
}

function More({ of }: { of: number }) {
  return of > MOST_ROWS ? (
    <p className="dim">
      The first {count(MOST_ROWS)} of {count(of)}. All are in the XLSX and CSV files.
    </p>
  ) : null;
}

function Rules({ rules }: { rules: FrozenReport["failing_rules"] }) {
  if (rules.length === 0) return <Empty title="No failing rules" />;
  return (
    <DataTable
      label="Failing rules of the report"
      columns={[
        {
          head: "Rule",
          isRowHead: true,
          cell: (rule) => (
            <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
              {rule.title}
            </Link>
          ),
        },
        { head: "Hosts", isNumber: true, cell: (rule) => count(rule.hosts), sortValue: (rule) => rule.hosts },
        { head: "Findings", isNumber: true, cell: (rule) => count(rule.subjects), sortValue: (rule) => rule.subjects },
        { head: "Impact", cell: (rule) => rule.effect },
      ]}
      rows={rules}
      rowKey={(rule) => `${rule.pack}/${rule.rule}`}
    />
  );
}

const STATES: Record<FrozenWaiver["state"], { status: Status; label: string }> = {
  active: { status: "waived", label: "Active" },
  requested: { status: "neutral", label: "Requested" },
  tripped: { status: "fail", label: "Ended early" },
  expired: { status: "fail", label: "Expired" },
  refused: { status: "neutral", label: "Rejected" },
  withdrawn: { status: "neutral", label: "Withdrawn" },
  replaced: { status: "neutral", label: "Replaced" },
};

function Waivers({ waivers }: { waivers: FrozenWaiver[] }) {
  if (waivers.length === 0) return <Empty title="No waivers in this period" />;
  return (
    <DataTable
      label="Waivers of the report"
      columns={[
        {
          head: "Waiver",
          isRowHead: true,
          cell: (waiver) => (
            <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.id) }} className="link">
              {waiver.rule}
            </Link>
          ),
        },
        { head: "Scope", cell: (waiver) => visible(waiver.scope) },
        { head: "State", cell: (waiver) => <StatusLabel status={STATES[waiver.state].status}>{STATES[waiver.state].label}</StatusLabel> },
        {
          head: "Reason",
          cell: (waiver) => (
            <>
              {visible(waiver.reason)}
              {waiver.evidence ? ` (${visible(waiver.evidence)})` : ""}
              {waiver.end_words ? `. Ended: ${visible(waiver.end_words)}` : ""}
            </>
          ),
        },
        { head: "Owner", cell: (waiver) => visible(waiver.owner), sortValue: (waiver) => waiver.owner },
        { head: "Approved by", cell: (waiver) => (waiver.approver ? visible(waiver.approver) : "Pending") },
        { head: "Age, days", isNumber: true, cell: (waiver) => count(waiver.age_days), sortValue: (waiver) => waiver.age_days },
        { head: "Expires", cell: (waiver) => <TimeAgo at={waiver.expires_at} form="exact" />, sortValue: (waiver) => waiver.expires_at },
      ]}
      rows={waivers}
      rowKey={(waiver) => waiver.id}
    />
  );
}

function Plans({ plans }: { plans: FrozenPlan[] }) {
  if (plans.length === 0) return <Empty title="No plans in this period" />;
  return (
    <DataTable
      label="Plans of the report"
      columns={[
        {
          head: "Plan",
          isRowHead: true,
          cell: (plan) => (
            <Link to="/remediate/$planId" params={{ planId: String(plan.id) }} className="link">
              {visible(plan.title)}
            </Link>
          ),
        },
        { head: "State", cell: (plan) => plan.state_label },
        { head: "Hosts", isNumber: true, cell: (plan) => count(plan.hosts) },
        { head: "Requested by", cell: (plan) => visible(plan.author) },
        { head: "Approved by", cell: (plan) => visible(plan.approver_words) },
        { head: "Ended", cell: (plan) => <TimeAgo at={plan.ended_at} form="exact" none="not ended" /> },
        { head: "Result", cell: (plan) => plan.result || "–" },
      ]}
      rows={plans}
      rowKey={(plan) => plan.id}
    />
  );
}

/** The first pages of the PDF as pictures. */
function Pages({ report }: { report: Report }) {
  if (report.pictures === 0) return <Empty title="No preview">The PDF can be downloaded above.</Empty>;
  return (
    <>
      <p className="dim">
        The first {plural(report.pictures, "page")} of the PDF, as it is printed. The figures above say the same as text.
      </p>
      {Array.from({ length: report.pictures }, (_, place) => place + 1).map((number) => (
        <img
          key={number}
          className={styles.sheet}
          loading="lazy"
          src={`/api/v1/reports/${report.id}/pages/${number}`}
          alt={`Page ${number} of the PDF`}
        />
      ))}
    </>
  );
}
