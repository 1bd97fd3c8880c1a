import { Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { JobStateBadge } from "@/entities/job/job-state-badge";
import { useOpenJobs } from "@/entities/job/queries";
import { visible } from "@/shared/lib/text";
import { StatusIcon } from "@/shared/ui/status";
import styles from "./jobs-tray.module.css";

/** Jobs that have not ended, with their number, on every page; absent while there is none. */
export function JobsTray() {
  const jobs = useOpenJobs();
  const [isOpen, tray] = useDisclosure(false);
  const rows = jobs.data?.items ?? [];
  if (rows.length === 0) return null;
  const number = `${rows.length}${jobs.data?.next ? "+" : ""}`;
  const needing = rows.filter((job) => job.state === "NEEDS_HUMAN").length;
  const wants = needing > 0;
  const open = `${number} open ${rows.length === 1 ? "job" : "jobs"}`;
  const label = wants ? `${open}, ${needing} ${needing === 1 ? "needs" : "need"} attention` : open;
  return (
    <Popover opened={isOpen} onChange={(next) => (next ? tray.open() : tray.close())} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={styles.tray} onClick={tray.toggle} aria-label={label} title={label}>
          <StatusIcon status={wants ? "fail" : "running"} />
          {number}
          <span className="on-desk">{rows.length === 1 ? "job" : "jobs"}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.list} aria-label="Open jobs">
        <ul>
          {rows.map((job) => (
            <li key={job.id}>
              <Link to="/jobs/$jobId" params={{ jobId: String(job.id) }} className="link" onClick={tray.close}>
                {visible(job.host.name)}
              </Link>{" "}
              <span className="dim">
                {job.kind === "undo" ? "undo, " : ""}step {Math.min(job.steps_done + 1, job.steps_total)} of {job.steps_total}
              </span>
              <div>
                <JobStateBadge job={job} />
              </div>
              {job.state_words && job.state_words !== job.state_label ? <div className="dim small">{visible(job.state_words)}</div> : null}
            </li>
          ))}
        </ul>
        <div className={styles.foot}>
          <Link to="/jobs" search={{ show: "open" }} className="link" onClick={tray.close}>
            View all open jobs
          </Link>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
