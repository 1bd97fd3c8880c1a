import { query } from "@/shared/api/client";
import type { HostReach, VCenterFacts } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome, type Status } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./host.module.css";

const ANSWERS: Record<HostReach["answer"], { status: Status; words: string }> = {
  yes: { status: "pass", words: "yes" },
  no: { status: "fail", words: "no" },
  unknown: { status: "unknown", words: "not known" },
};
const STATES: Record<HostReach["reasons"][number]["state"], { status: Status; words: string }> = {
  yes: { status: "pass", words: "open" },
  no: { status: "fail", words: "shut" },
  unknown: { status: "unknown", words: "not known" },
  note: { status: "warn", words: "mind" },
};

/** Whether the host can be reached for changes, and why not; with what its vCenter tells where it has one. */
export function ReachLine({ hostId }: { hostId: string }) {
  const reach = query.useQuery("get", "/api/v1/hosts/{host_id}/reach", { params: { path: { host_id: hostId } } }, { staleTime: 30_000 });
  return (
    <Panel query={reach} height={22} lines={1}>
      {(data) => (
        <details className={styles.reach}>
          <summary>
            <b>Reachable for remediation:</b> <Outcome status={ANSWERS[data.answer].status}>{ANSWERS[data.answer].words}</Outcome>
            {first(data) === "" || data.answer === "yes" ? null : <span className="dim">: {visible(first(data))}</span>}
          </summary>
          <ul>
            {data.reasons.map((reason) => (
              <li key={reason.about}>
                <Outcome status={STATES[reason.state].status}>{STATES[reason.state].words}</Outcome> {visible(reason.words)}
              </li>
            ))}
          </ul>
          {data.vcenter ? <Told facts={data.vcenter} /> : null}
        </details>
      )}
    </Panel>
  );
}

const first = (data: HostReach): string => data.reasons.find((reason) => reason.state === data.answer)?.words ?? "";

function Told({ facts }: { facts: VCenterFacts }) {
  const missing = Object.entries(facts.unread);
  return (
    <section aria-label="What its vCenter tells">
      <p className="dim">
        {visible(facts.vcenter_name)} read it as {visible(facts.name)} <Instant at={facts.read_at} />
        {facts.is_fresh ? "" : ", too long ago to rely on"}: {facts.cluster ? `cluster ${visible(facts.cluster)}` : "no cluster"}
        {facts.is_in_maintenance ? ", in maintenance mode" : ""}
        {facts.exception_users?.length ? `, exception users ${visible(facts.exception_users.join(", "))}` : ""}.
      </p>
      {missing.length > 0 ? (
        <p className="dim small">Not told: {missing.map(([name, why]) => `${name.replaceAll("_", " ")} (${visible(why)})`).join("; ")}.</p>
      ) : null}
      {facts.reads.map((read) => (
        <details key={read.command}>
          <summary>
            <span className="mono">{read.command}</span>{" "}
            {read.status === "ok" ? (
              <span className="dim">{read.rows.length === 1 ? "1 row" : `${read.rows.length} rows`}</span>
            ) : (
              <Outcome status="unknown">{visible(read.error)}</Outcome>
            )}
          </summary>
          {read.rows.length > 0 ? <Rows rows={read.rows} /> : null}
        </details>
      ))}
    </section>
  );
}

function Rows({ rows }: { rows: Record<string, unknown>[] }) {
  const names = Object.keys(rows[0] ?? {});
  return (
    <ScrollX>
      <table className="data">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify(row)}>
              {names.map((name) => (
                <td key={name} className="mono small">
                  {visible(String(row[name] ?? ""))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
