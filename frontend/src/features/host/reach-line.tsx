import type { ReactNode } from "react";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { QueryPanel, type QueryState } from "@/shared/ui/query-panel";
import { type Status, StatusLabel, StatusSentence } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./host.module.css";
import type { HostReach, VCenterFacts } from "./types";

const ANSWERS: Record<HostReach["answer"], { status: Status; label: string }> = {
  yes: { status: "pass", label: "Yes" },
  no: { status: "fail", label: "No" },
  unknown: { status: "unknown", label: "Unknown" },
};
const STATES: Record<HostReach["reasons"][number]["state"], { status: Status; label: string }> = {
  yes: { status: "pass", label: "OK" },
  no: { status: "fail", label: "Blocked" },
  unknown: { status: "unknown", label: "Unknown" },
  note: { status: "warn", label: "Check" },
};

/** Whether Plumbline may change the host and can reach it for that, in one line; opened, with the reasons and its vCenter's data. */
export function ReachLine({ reach, before, children }: { reach: QueryState<HostReach>; before: ReactNode; children: ReactNode }) {
  return (
    <QueryPanel query={reach} height={22} lines={1}>
      {(data) => (
        <details className={styles.reach}>
          <summary>
            {before} <span className="dim">·</span> <b>Ready:</b>{" "}
            <StatusLabel status={ANSWERS[data.answer].status}>{ANSWERS[data.answer].label}</StatusLabel>
            {first(data) === "" || data.answer === "yes" ? null : <span className="dim">: {visible(first(data))}</span>}
          </summary>
          <ul>
            {data.reasons.map((reason) => (
              <li key={reason.about}>
                <StatusLabel status={STATES[reason.state].status}>{STATES[reason.state].label}</StatusLabel> {visible(reason.words)}
              </li>
            ))}
          </ul>
          {children}
          {data.vcenter ? <LastReport facts={data.vcenter} /> : null}
        </details>
      )}
    </QueryPanel>
  );
}

const first = (data: HostReach): string => data.reasons.find((reason) => reason.state === data.answer)?.words ?? "";

function LastReport({ facts }: { facts: VCenterFacts }) {
  const missing = Object.entries(facts.unread);
  return (
    <section aria-label="vCenter data">
      <p className="dim">
        {visible(facts.vcenter_name)} lists this host as {visible(facts.name)} <TimeAgo at={facts.read_at} />
        {facts.is_fresh ? "" : ", outdated"}: {facts.cluster ? `cluster ${visible(facts.cluster)}` : "no cluster"}
        {facts.is_in_maintenance ? ", in maintenance mode" : ""}
        {facts.exception_users?.length ? `, exception users ${visible(facts.exception_users.join(", "))}` : ""}.
      </p>
      {missing.length > 0 ? (
        <p className="dim small">
          Not provided: {missing.map(([name, why]) => `${name.replaceAll("_", " ")} (${visible(why)})`).join("; ")}.
        </p>
      ) : null}
      {facts.reads.map((read) => (
        <details key={read.command}>
          <summary>
            <span className="mono">{read.command}</span>{" "}
            {read.status === "ok" ? (
              <span className="dim">{read.rows.length === 1 ? "1 row" : `${read.rows.length} rows`}</span>
            ) : (
              <StatusSentence status="unknown">{visible(read.error)}</StatusSentence>
            )}
          </summary>
          {read.rows.length > 0 ? <Rows rows={read.rows} /> : null}
        </details>
      ))}
    </section>
  );
}

function Rows({ rows }: { rows: Record<string, unknown>[] }) {
  const columns = Object.keys(rows[0] ?? {}).map(
    (name): Column<Record<string, unknown>> => ({
      head: visible(name),
      id: name,
      className: "mono small",
      cell: (row) => visible(String(row[name] ?? "")),
    }),
  );
  return <DataTable columns={columns} rows={rows} rowKey={(row) => JSON.stringify(row)} />;
}
