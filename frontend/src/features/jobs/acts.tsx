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
  /** What follows once a job that takes this one back is made; by default its page opens. */
  whenUndone?: (() => void) | undefined;
  isWide?: boolean;
}

/** What this person may do with the job now. */
export function Acts({ job, whenUndone, isWide = false }: ActsProps) {
  const may = new Set(job.may);
  return (
    <>
      {job.is_cancelling ? (
        <p className={styles.explanation}>
          {visible(job.cancel_by)} asked it to end at the next step boundary
          {job.cancel_reason ? `: ${visible(job.cancel_reason)}` : ""}. The step under way is brought to its end first; what is done stands
          below.
        </p>
      ) : null}
      {job.resolution && job.state === "NEEDS_HUMAN" ? (
        <p className={styles.explanation}>
          {visible(job.resolved_by)} says: {visible(job.resolution)}. The host's fence is being raised; then the job ends.
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
        onHeld={() =>
          undo.mutate(undefined, {
            onSuccess: (made) => {
              notifications.show({ message: `Job ${made.id} takes it back, under the same signature.` });
              if (whenUndone) whenUndone();
              else void navigate({ to: "/jobs/$jobId", params: { jobId: String(made.id) } });
            },
          })
        }
      >
        Hold 2 s to undo
      </HoldButton>
      <span className="dim small">
        Puts back each value that this job set, if it still stands; until <TimeAgo at={job.undo_until} form="exact" />.
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
      title="Cancel the job"
      size="lg"
      opener={(open) => <Button onClick={open}>Cancel …</Button>}
      reason={{ label: "Reason, kept in the audit trail", missing: "Say why first." }}
      leaveLabel="Keep job"
      onConfirm={({ reason }) => cancel.mutateAsync(reason)}
    >
      <p>
        {hasBegun
          ? `It ends at the next step boundary: the step under way is brought to its end, no other begins. ${job.steps_done} of ${job.steps_total} steps are done; they stand, are listed here, and can be undone for 24 hours.`
          : "It has not begun: nothing of it is sent to the host."}
      </p>
    </ActionDialog>
  );
}

function Resolve({ job }: { job: JobDetail }) {
  const resolve = useResolve(job.id);
  return (
    <ActionDialog
      title="Say how it was settled"
      size="lg"
      opener={(open) => (
        <Button variant="filled" onClick={open}>
          It is settled …
        </Button>
      )}
      reason={{
        label: "How the host stands now, for the auditor and for whoever comes next",
        least: 10,
        missing: "Ten letters at least: what you found, and what stands now.",
      }}
      hasBack
      onConfirm={({ reason }) => resolve.mutateAsync(reason)}
    >
      <p>
        You looked at {visible(job.host.name)} itself. Its fence is raised first, so that nothing that was sent before can act any more;
        then the host may be changed again.
      </p>
    </ActionDialog>
  );
}
