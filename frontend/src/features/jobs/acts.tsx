import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import type { JobDetail } from "@/entities/job/types";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { HoldButton } from "@/shared/ui/hold-button";
import { Failed } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./jobs.module.css";
import { useCancel, useResolve, useUndo } from "./queries";

interface ActsProps {
  job: JobDetail;
  /** What follows once the undo is created, with its job; by default its page opens. */
  whenUndone?: ((undo: number) => void) | undefined;
  isWide?: boolean;
}

/** What this user may do with the job now. */
export function Acts({ job, whenUndone, isWide = false }: ActsProps) {
  const may = new Set(job.may);
  return (
    <>
      {job.is_cancelling ? (
        <p className={styles.explanation}>
          {visible(job.cancel_by)} cancelled this job{job.cancel_reason ? `: ${visible(job.cancel_reason)}` : ""}. The current step finishes
          first. Completed steps are listed below.
        </p>
      ) : null}
      {job.resolution && job.state === "NEEDS_HUMAN" ? (
        <p className={styles.explanation}>
          Resolved by {visible(job.resolved_by)}: {visible(job.resolution)}. Blocking older commands on the host, then closing the job.
        </p>
      ) : null}
      {may.has("undo") || may.has("cancel") || may.has("resolve") ? (
        <div className={styles.acts}>
          {may.has("undo") ? <Undo job={job} whenUndone={whenUndone} isWide={isWide} /> : null}
          {may.has("cancel") && !job.is_cancelling ? <Cancel job={job} /> : null}
          {may.has("resolve") ? <Resolve job={job} /> : null}
        </div>
      ) : null}
    </>
  );
}

function Undo({ job, whenUndone, isWide = false }: ActsProps) {
  const navigate = useNavigate();
  const undo = useUndo(job.id);
  return (
    <div className={styles.act}>
      <HoldButton
        act="Undo"
        isBusy={undo.isPending}
        isWide={isWide}
        isQuiet={!isWide}
        onHeld={() =>
          undo.mutate(undefined, {
            onSuccess: (made) => {
              notifications.show({ message: `Undo started as job ${made.id}, under the same approval.` });
              if (whenUndone) whenUndone(made.id);
              else void navigate({ to: "/jobs/$jobId", params: { jobId: String(made.id) } });
            },
          })
        }
      >
        Hold for 2 s to undo
      </HoldButton>
      <span className="dim small">
        Restores every value this job set, unless it was changed since. Available until <TimeAgo at={job.undo_until} form="exact" />.
      </span>
      {undo.error ? <Failed error={undo.error} /> : null}
    </div>
  );
}

function Cancel({ job }: { job: JobDetail }) {
  const cancel = useCancel(job.id);
  const hasBegun = job.state === "RUNNING";
  return (
    <ActionDialog
      title="Cancel job"
      size="lg"
      opener={(open) => <Button onClick={open}>Cancel job…</Button>}
      reason={{ label: "Reason (saved in the audit log)", missing: "Enter a reason" }}
      leaveLabel="Keep job"
      onConfirm={({ reason }) => cancel.mutateAsync(reason)}
    >
      <p>
        {hasBegun
          ? `The current step finishes, then the job stops. ${job.steps_done} of ${job.steps_total} steps are done. They stay in place and can be undone for 24 hours.`
          : "The job hasn't started. Nothing is sent to the host."}
      </p>
    </ActionDialog>
  );
}

function Resolve({ job }: { job: JobDetail }) {
  const resolve = useResolve(job.id);
  return (
    <ActionDialog
      title="Resolve job"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          Resolve…
        </Button>
      )}
      reason={{
        label: "What you found and the host's current state",
        least: 10,
        missing: "Enter at least 10 characters",
      }}
      onConfirm={({ reason }) => resolve.mutateAsync(reason)}
    >
      <p>
        Confirm that you checked {visible(job.host.name)} itself. Plumbline first blocks any older command on the host, then unlocks it for
        new jobs.
      </p>
    </ActionDialog>
  );
}
