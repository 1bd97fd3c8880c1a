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
    head: "Host",
    cell: (one) => (
      <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link">
        {visible(one.host.name)}
      </Link>
    ),
  },
  {
    head: "Change",
    cell: (one) => (
      <>
        {one.kind === "undo" ? "Undone: " : ""}
        {visible(one.settings.join(", "))}
      </>
    ),
  },
  {
    head: "Needs",
    cell: (one) => (
      <>
        <StatusLabel status="warn">{one.waits_for === "reboot" ? "Host restart" : "New session"}</StatusLabel>{" "}
        <span className="dim">{visible(one.words)}</span>
      </>
    ),
  },
  { head: "Since", className: "nowrap", cell: (one) => <TimeAgo at={one.since} /> },
  {
    head: "Job",
    cell: (one) => (
      <Link to="/jobs/$jobId" params={{ jobId: String(one.job_id) }} className="link">
        {one.job_id}
      </Link>
    ),
  },
];

/** Changes that are set and not active yet: the host restarts and new logins that are still to be made. Nothing where there are none. */
export function PendingEffects() {
  const pending = usePendingEffects();
  const rows = pending.data ?? [];
  if (rows.length === 0) return null;
  return (
    <details className={styles.pending}>
      <summary>
        <b>Pending restart</b> <span className="dim">{plural(rows.length, "change")}</span>
      </summary>
      <p className="dim">Set and verified. Active after a host restart or a new iSCSI login.</p>
      <DataTable columns={COLUMNS} rows={rows} rowKey={(one) => one.job_id} />
    </details>
  );
}
