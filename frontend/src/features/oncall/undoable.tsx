import { Button } from "@mantine/core";
import type { JobRow } from "@/entities/job/types";
import { capital, visible } from "@/shared/lib/text";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./oncall.module.css";

interface UndoableProps {
  jobs: JobRow[];
  canUndo: boolean;
  open: (job: number) => void;
}

/** The latest changes that can still be undone, whoever made them: one tap to the job, one hold to undo it. */
export function Undoable({ jobs, canUndo, open }: UndoableProps) {
  if (jobs.length === 0) return null;
  return (
    <section className="section" aria-label="Recent changes">
      <h2>
        Recent changes <span className="dim">can be undone for 24 hours</span>
      </h2>
      <ul className={styles.undoable}>
        {jobs.map((job) => (
          <li key={job.id}>
            <div>
              <div>
                <span className="strong">{visible(job.host.name)}</span> {visible(job.plan_title)}
              </div>
              <div className="dim small">
                {capital(job.state_label)}, <TimeAgo at={job.finished_at} />
                {job.requested_by ? `, by ${visible(job.requested_by)}` : ""}. Undo until <TimeAgo at={job.undo_until} form="moment" />.
              </div>
            </div>
            <Button onClick={() => open(job.id)} aria-label={`${canUndo ? "Undo" : "View"} job ${job.id} on ${visible(job.host.name)}`}>
              {canUndo ? "Undo…" : "View"}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
