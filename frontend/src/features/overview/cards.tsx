import { Link } from "@tanstack/react-router";
import { count, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./overview.module.css";
import type { Overview } from "./types";

const RULES: Column<Overview["failing_rules"][number]>[] = [
  {
    head: "Rule",
    width: "46%",
    className: (rule) => (rule.also.length > 0 ? styles.asked : undefined),
    cell: (rule) => (
      <>
        <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
          {rule.title}
        </Link>
        {rule.kind === "guard_rail" ? <span className="dim"> (guardrail)</span> : null}
        {rule.also.map((other) => (
          <div key={other.rule_no} className="dim small">
            Also required by{" "}
            <Link to="/rules/$pack/$rule" params={{ pack: other.pack, rule: other.rule }} className="link">
              {other.pack}
            </Link>
          </div>
        ))}
      </>
    ),
  },
  {
    head: "Hosts",
    isNumber: true,
    cell: (rule) => (
      <Link
        to="/hosts"
        search={{ rule: [rule, ...rule.also].map((one) => `${one.pack}/${one.rule}`), outcome: ["fail"] }}
        className="link"
        aria-label={`${plural(rule.hosts, "host")} failing ${rule.title}`}
      >
        {count(rule.hosts)}
      </Link>
    ),
  },
  { head: "Impact", className: "dim", cell: (rule) => rule.effect || "Plumbline's recommendation" },
];

export function FailingRules({ rules }: { rules: Overview["failing_rules"] }) {
  return (
    <section aria-label="Top failing rules">
      <h2>Top failing rules</h2>
      {rules.length === 0 ? (
        <p className="dim">No failing rules</p>
      ) : (
        <DataTable columns={RULES} rows={rules} rowKey={(rule) => `${rule.pack}/${rule.rule}`} />
      )}
    </section>
  );
}

const SILENT: Column<Overview["silent"][number]>[] = [
  { head: "Host", className: `nowrap ${styles.name}`, cell: (host) => <HostLink host={host} /> },
  {
    head: "Not reporting for",
    isNumber: true,
    className: "dim nowrap",
    cell: (host) => <TimeAgo at={host.last_seen_at} form="age" none="Never checked in" />,
  },
  { head: "Reason", className: "dim", cell: (host) => visible(host.why) },
];

export function Silent({ hosts }: { hosts: Overview["silent"] }) {
  return (
    <section aria-label="Hosts not reporting">
      <h2>
        Not reporting <span className="dim">{count(hosts.length)}</span>
      </h2>
      {hosts.length === 0 ? (
        <p className="dim">All hosts are reporting</p>
      ) : (
        <DataTable columns={SILENT} rows={hosts} rowKey={(host) => host.id} isHeadHidden isCards={false} />
      )}
    </section>
  );
}

const NEWLY_FAILING: Column<Overview["newly_failing"][number]>[] = [
  { head: "Host", className: `nowrap ${styles.name}`, cell: (host) => <HostLink host={host} /> },
  { head: "Finding", cell: (host) => visible(host.words) },
  { head: "Since", isNumber: true, className: "dim nowrap", cell: (host) => <TimeAgo at={host.at} form="moment" /> },
  { head: "Score", isNumber: true, cell: (host) => <StatusLabel status="fail">{score(host.score)}</StatusLabel> },
];

export function NewlyFailing({ hosts }: { hosts: Overview["newly_failing"] }) {
  return (
    <section aria-label="New failures in 24 hours">
      <h2>
        New failures, 24 h <span className="dim">{count(hosts.length)}</span>
      </h2>
      {hosts.length === 0 ? (
        <p className="dim">No new failures in the last 24 hours</p>
      ) : (
        <DataTable columns={NEWLY_FAILING} rows={hosts} rowKey={(host) => host.id} isHeadHidden isCards={false} />
      )}
    </section>
  );
}

function HostLink({ host }: { host: { id: string; name: string } }) {
  return (
    <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
      {visible(host.name)}
    </Link>
  );
}
