import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./drift.module.css";
import { causeLabel } from "./labels";
import type { ChangeGroup, DriftPage } from "./types";

/** Equal changes together, newest first; changes by Plumbline's own jobs are separate, since they were planned. */
export function Changes({ data }: { data: DriftPage }) {
  const unexpected = data.groups.filter((group) => !group.is_expected);
  const expected = data.groups.filter((group) => group.is_expected);
  return (
    <>
      {unexpected.length > 0 ? (
        <section aria-label="Unplanned changes">
          <Table groups={unexpected} />
        </section>
      ) : null}
      {expected.length > 0 ? (
        <section className="section" aria-label="Changes by Plumbline jobs">
          <h2>
            By Plumbline jobs <span className="dim">planned and approved</span>
          </h2>
          <Table groups={expected} />
        </section>
      ) : null}
      {data.more > 0 ? <p className="dim">{count(data.more)} older entries not shown. Choose a shorter period.</p> : null}
      {data.is_cut ? <p className="dim">Too many changes to show all. The oldest are left out.</p> : null}
    </>
  );
}

function Table({ groups }: { groups: ChangeGroup[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <DataTable
      columns={columnsOf(open, (id) => setOpen(open === id ? null : id))}
      rows={groups}
      rowKey={(group) => group.id}
      detail={(group) => (open === group.id ? <Hosts group={group} /> : null)}
    />
  );
}

const onlyHost = (group: ChangeGroup) => (group.host_count === 1 ? group.hosts[0] : undefined);

const columnsOf = (open: string | null, toggle: (id: string) => void): Column<ChangeGroup>[] => [
  { head: "Hosts", isNumber: true, className: "strong", width: 48, cell: (group) => count(group.host_count) },
  { head: "Change", cell: (group) => <WhatChanged group={group} /> },
  {
    head: "Likely cause",
    cell: (group) => (group.cause_detail ? visible(group.cause_detail) : <span className="dim">{causeLabel(group.cause)}</span>),
  },
  { head: "Where", cell: (group) => visible(onlyHost(group)?.name ?? group.group_name) },
  { head: "Time", className: "nowrap", cell: (group) => <TimeAgo at={group.last_at} form="moment" /> },
  {
    head: "View",
    isHeadHidden: true,
    isNumber: true,
    cell: (group) => <Look group={group} isOpen={open === group.id} toggle={() => toggle(group.id)} />,
  },
];

function WhatChanged({ group }: { group: ChangeGroup }) {
  const kind = group.key.split(".")[0] ?? "";
  return (
    <>
      {visible(group.label)} <FromTo from={group.old} to={group.new} />
      {group.subjects > group.host_count ? <span className="dim small">, {plural(group.subjects, kind)}</span> : null}
    </>
  );
}

function Look({ group, isOpen, toggle }: { group: ChangeGroup; isOpen: boolean; toggle: () => void }) {
  const only = onlyHost(group);
  if (only) {
    return (
      <Link
        to="/hosts/$hostId"
        params={{ hostId: only.id }}
        search={{ tab: "timeline" }}
        className={styles.look}
        aria-label={`View ${only.name}`}
      >
        View
      </Link>
    );
  }
  return (
    <button type="button" className={styles.look} aria-expanded={isOpen} onClick={toggle}>
      {isOpen ? "Hide hosts" : `Show ${plural(group.host_count, "host")}`}
    </button>
  );
}

function Hosts({ group }: { group: ChangeGroup }) {
  return (
    <>
      <div className={styles.hosts}>
        {group.hosts.map((host) => (
          <Link key={host.id} to="/hosts/$hostId" params={{ hostId: host.id }} search={{ tab: "timeline" }} className="link">
            {visible(host.name)}
          </Link>
        ))}
        {group.host_count > group.hosts.length ? (
          <span className="dim">and {count(group.host_count - group.hosts.length)} more</span>
        ) : null}
      </div>
      <div className="dim small">
        First <TimeAgo at={group.first_at} form="exact" />, last <TimeAgo at={group.last_at} form="exact" />
      </div>
    </>
  );
}
