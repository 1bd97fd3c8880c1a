import { Link } from "@tanstack/react-router";
import { usePendingEffects } from "@/entities/job/queries";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./jobs.module.css";

/** Changes that stand and do not work yet: the fleet's list of restarts and new log-ins that a person still makes. Nothing where none waits. */
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
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">host</th>
              <th scope="col">what was set</th>
              <th scope="col">waits for</th>
              <th scope="col">since</th>
              <th scope="col">job</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.job_id}>
                <td>
                  <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link">
                    {visible(one.host.name)}
                  </Link>
                </td>
                <td>
                  {one.kind === "undo" ? "taken back: " : ""}
                  {visible(one.settings.join(", "))}
                </td>
                <td>
                  <Outcome status="warn">{one.waits_for === "reboot" ? "restart" : "new session"}</Outcome>{" "}
                  <span className="dim">{visible(one.words)}</span>
                </td>
                <td className="nowrap">
                  <Instant at={one.since} />
                </td>
                <td>
                  <Link to="/jobs/$jobId" params={{ jobId: String(one.job_id) }} className="link">
                    {one.job_id}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </details>
  );
}
