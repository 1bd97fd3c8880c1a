import type { Run } from "@/entities/preview/types";
import { count, plural } from "@/shared/lib/format";
import { StatusLabel } from "@/shared/ui/status";
import styles from "./previews.module.css";

/** The progress of a run, which continues without this page. */
export function RunProgress({ run }: { run: Run }) {
  const share = run.hosts_total > 0 ? run.hosts_done / run.hosts_total : 0;
  return (
    <div role="status" aria-live="polite">
      <StatusLabel status="running">
        {run.state === "queued" ? "Queued" : `${count(run.hosts_done)} of ${plural(run.hosts_total, "host")} evaluated`}
      </StatusLabel>
      <div className={styles.bar} style={{ marginTop: 8 }} aria-hidden="true">
        <span style={{ width: `${Math.round(share * 100)}%` }} />
      </div>
      <p className="dim small">You can leave this page. Use its link to come back.</p>
    </div>
  );
}
