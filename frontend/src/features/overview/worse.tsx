import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./overview.module.css";
import type { WorseGroup } from "./types";

/** What got worse, one row for a change that happened alike on several hosts. */
export function Worse({ groups, days }: { groups: WorseGroup[]; days: number }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section className="section" id="worse" aria-label="Worse">
      <h2>
        Got worse in the last {days === 1 ? "24 hours" : `${days} days`} <span className="dim">grouped by cause</span>
      </h2>
      {groups.length === 0 ? (
        <Empty title="Nothing got worse">No check that passed before is failing now.</Empty>
      ) : (
        <DataTable
          columns={columnsOf(open, (id) => setOpen(open === id ? null : id))}
          rows={groups}
          rowKey={(group) => group.alike}
          detail={(group) => (open === group.alike ? <Hosts group={group} /> : null)}
        />
      )}
    </section>
  );
}

const onlyHost = (group: WorseGroup) => (group.host_count === 1 ? group.hosts[0] : undefined);

const columnsOf = (open: string | null, toggle: (alike: string) => void): Column<WorseGroup>[] => [
  { head: "Hosts", isNumber: true, className: "strong", width: 48, cell: (group) => count(group.host_count) },
  {
    head: "What changed",
    cell: (group) => (
      <>
        {visible(group.label)} <FromTo from={group.old} to={group.new} />
      </>
    ),
  },
  {
    head: "Likely cause",
    cell: (group) => (group.cause_detail ? visible(group.cause_detail) : <span className="dim">Unknown</span>),
  },
  { head: "Where", cell: (group) => visible(onlyHost(group)?.name ?? group.group_name) },
  { head: "When", className: "nowrap", cell: (group) => <TimeAgo at={group.last_at} form="moment" /> },
  {
    head: "Actions",
    isHeadHidden: true,
    isNumber: true,
    cell: (group) => <Look group={group} isOpen={open === group.alike} toggle={() => toggle(group.alike)} />,
  },
];

function Look({ group, isOpen, toggle }: { group: WorseGroup; isOpen: boolean; toggle: () => void }) {
  const only = onlyHost(group);
  if (only) {
    return (
      <Link
        to="/hosts/$hostId"
        params={{ hostId: only.id }}
        search={group.key ? { tab: "timeline" } : {}}
        className={styles.look}
        aria-label={`View ${only.name}`}
      >
        View
      </Link>
    );
  }
  return (
    <button type="button" className={styles.look} aria-expanded={isOpen} onClick={toggle}>
      {isOpen ? "Close" : `Show ${plural(group.host_count, "host")}`}
    </button>
  );
}

function Hosts({ group }: { group: WorseGroup }) {
  return (
    <div className={styles.hosts}>
      {group.hosts.map((host) => (
        <Link key={host.id} to="/hosts/$hostId" params={{ hostId: host.id }} search={group.key ? { tab: "timeline" } : {}} className="link">
          {visible(host.name)}
        </Link>
      ))}
      {group.host_count > group.hosts.length ? <span className="dim">and {group.host_count - group.hosts.length} more</span> : null}
    </div>
  );
}
