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
    head: "rule",
    width: "46%",
    className: (rule) => (rule.also.length > 0 ? styles.asked : undefined),
    cell: (rule) => (
      <>
        <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
          {rule.title}
        </Link>
        {rule.kind === "guard_rail" ? <span className="dim"> (guard-rail)</span> : null}
        {rule.also.map((other) => (
          <div key={other.rule_no} className="dim small">
            asked also by{" "}
            <Link to="/rules/$pack/$rule" params={{ pack: other.pack, rule: other.rule }} className="link">
              {other.pack}
            </Link>
          </div>
        ))}
      </>
    ),
  },
  {
    head: "hosts",
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
  { head: "when wrong", className: "dim", cell: (rule) => rule.effect || "own judgement, no paper" },
];

export function FailingRules({ rules }: { rules: Overview["failing_rules"] }) {
  return (
    <section aria-label="Failing most">
      <h2>Failing most</h2>
      {rules.length === 0 ? (
        <p className="dim">No rule fails on any host.</p>
      ) : (
        <DataTable columns={RULES} rows={rules} rowKey={(rule) => `${rule.pack}/${rule.rule}`} />
      )}
    </section>
  );
}

const SILENT: Column<Overview["silent"][number]>[] = [
  { head: "host", className: "nowrap", cell: (host) => <HostLink host={host} /> },
  {
    head: "silent for",
    isNumber: true,
    className: "dim nowrap",
    cell: (host) => <TimeAgo at={host.last_seen_at} form="age" none="never checked in" />,
  },
  { head: "why", className: "dim", cell: (host) => visible(host.why) },
];

export function Silent({ hosts }: { hosts: Overview["silent"] }) {
  return (
    <section aria-label="Silent hosts">
      <h2>
        Silent <span className="dim">{count(hosts.length)}</span>
      </h2>
      {hosts.length === 0 ? (
        <p className="dim">Every host has checked in on time.</p>
      ) : (
        <DataTable columns={SILENT} rows={hosts} rowKey={(host) => host.id} isHeadHidden isCards={false} />
      )}
    </section>
  );
}

const NEWLY_FAILING: Column<Overview["newly_failing"][number]>[] = [
  { head: "host", className: "nowrap", cell: (host) => <HostLink host={host} /> },
  { head: "what fails", cell: (host) => visible(host.words) },
  { head: "since", isNumber: true, className: "dim nowrap", cell: (host) => <TimeAgo at={host.at} form="moment" /> },
  { head: "score", isNumber: true, cell: (host) => <StatusLabel status="fail">{score(host.score)}</StatusLabel> },
];

export function NewlyFailing({ hosts }: { hosts: Overview["newly_failing"] }) {
  return (
    <section aria-label="Newly failing in 24 hours">
      <h2>
        Newly failing, 24 h <span className="dim">{count(hosts.length)}</span>
      </h2>
      {hosts.length === 0 ? (
        <p className="dim">No rule began to fail in the last 24 hours.</p>
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
