import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { JobDetail } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { HoldButton } from "@/shared/ui/hold-button";
import { Failed } from "@/shared/ui/query-panel";
import { Instant } from "@/shared/ui/time-ago";
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
        <p className={styles.told}>
          {visible(job.cancel_by)} asked it to end at the next step boundary
          {job.cancel_reason ? `: ${visible(job.cancel_reason)}` : ""}. The step under way is brought to its end first; what is done stands
          below.
        </p>
      ) : null}
      {job.resolution && job.state === "NEEDS_HUMAN" ? (
        <p className={styles.told}>
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
        Puts back each value that this job set, if it still stands; until <Instant at={job.undo_until} form="exact" />.
      </span>
      {undo.error ? <Failed error={undo.error} /> : null}
    </div>
  );
}

function Cancel({ job }: { job: JobDetail }) {
  const cancel = useCancel(job.id);
  const hasBegun = job.state === "RUNNING";
  return (
    <Ask label="Cancel …" title="Cancel the job" field="Reason, kept in the audit trail" least={3} leastWords="Say why first." act={cancel}>
      <p>
        {hasBegun
          ? `It ends at the next step boundary: the step under way is brought to its end, no other begins. ${job.steps_done} of ${job.steps_total} steps are done; they stand, are listed here, and can be undone for 24 hours.`
          : "It has not begun: nothing of it is sent to the host."}
      </p>
    </Ask>
  );
}

function Resolve({ job }: { job: JobDetail }) {
  const resolve = useResolve(job.id);
  return (
    <Ask
      label="It is settled …"
      title="Say how it was settled"
      field="How the host stands now, for the auditor and for whoever comes next"
      least={10}
      leastWords="Ten letters at least: what you found, and what stands now."
      isMain
      act={resolve}
    >
      <p>
        You looked at {visible(job.host.name)} itself. Its fence is raised first, so that nothing that was sent before can act any more;
        then the host may be changed again.
      </p>
    </Ask>
  );
}

interface AskProps {
  label: string;
  title: string;
  field: string;
  least: number;
  leastWords: string;
  isMain?: boolean;
  children: ReactNode;
  act: {
    mutate: (words: string, after: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
    reset: () => void;
  };
}

/** An act that wants words before it is done. */
function Ask({ label, title, field, least, leastWords, isMain = false, children, act }: AskProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const [words, setWords] = useState("");
  const close = () => {
    act.reset();
    dialog.close();
  };
  const isShort = words.trim().length < least;
  return (
    <>
      <Button variant={isMain ? "filled" : undefined} onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isShort) act.mutate(words.trim(), { onSuccess: close });
          }}
        >
          {children}
          <Textarea label={field} autosize minRows={2} value={words} onChange={(event) => setWords(event.currentTarget.value)} />
          {act.error ? <Failed error={act.error} /> : null}
          {isShort ? <span className="dim small">{leastWords}</span> : null}
          <div className="row">
            <Button type="submit" variant="filled" disabled={isShort} loading={act.isPending}>
              {title}
            </Button>
            <Button onClick={close}>Back</Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
