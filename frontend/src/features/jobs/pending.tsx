import { Link } from "@tanstack/react-router";
import { usePendingEffects } from "@/entities/job/queries";
import type { PendingEffect } from "@/entities/job/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./jobs.module.css";

const COLUMNS: Column<PendingEffect>[] = [
  {
    head: "host",
    cell: (one) => (
      <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link">
        {visible(one.host.name)}
      </Link>
    ),
  },
  {
    head: "what was set",
    cell: (one) => (
      <>
        {one.kind === "undo" ? "taken back: " : ""}
        {visible(one.settings.join(", "))}
      </>
    ),
  },
  {
    head: "waits for",
    cell: (one) => (
      <>
        <StatusLabel status="warn">{one.waits_for === "reboot" ? "restart" : "new session"}</StatusLabel>{" "}
        <span className="dim">{visible(one.words)}</span>
      </>
    ),
  },
  { head: "since", className: "nowrap", cell: (one) => <TimeAgo at={one.since} /> },
  {
    head: "job",
    cell: (one) => (
      <Link to="/jobs/$jobId" params={{ jobId: String(one.job_id) }} className="link">
        {one.job_id}
      </Link>
    ),
  },
];

/** Changes that are set and not in force yet: the fleet's list of restarts and new log-ins that a person still makes. Nothing where none waits. */
export function PendingEffects() {
  const pending = usePendingEffects();
  const rows = pending.data ?? [];
  if (rows.length === 0) return null;
  return (
    <details className={styles.pending}>
      <summary>
        <b>Waiting for restart</b> <span className="dim">{plural(rows.length, "change")}</span>
      </summary>
      <p className="dim">Set and verified, and in force only after a restart of the host or a new log-in of its iSCSI sessions.</p>
      <DataTable columns={COLUMNS} rows={rows} rowKey={(one) => one.job_id} />
    </details>
  );
}
