import { Button, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useDraftPlan } from "@/entities/plan/queries";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./event.module.css";
import { restorable, restoreReason, settingsOf } from "./restore";
import type { EventChange } from "./types";

interface RestoreProps {
  /** Those that were selected; what cannot be restored is left out and counted. */
  changes: EventChange[];
  cause: string;
  /** The ticket that the plan belongs to, if there is one. */
  ticket: string;
}

/** Lines shown before the dialog counts the rest. */
const MOST_LINES = 12;

/** Plans the former values: the same pre-checks, approval and job as a fix. */
export function RestoreFormer({ changes, cause, ticket }: RestoreProps) {
  const restored = restorable(changes);
  return (
    <FormDialog
      title="Restore former values"
      opener={(open) => (
        <Button size="compact-sm" onClick={open} disabled={restored.length === 0}>
          Restore former values… ({restored.length})
        </Button>
      )}
    >
      {() => <RestoreForm changes={changes} restored={restored} cause={cause} ticket={ticket} />}
    </FormDialog>
  );
}

function RestoreForm({ changes, restored, cause, ticket }: RestoreProps & { restored: EventChange[] }) {
  const navigate = useNavigate();
  const draft = useDraftPlan((plan) => void navigate({ to: "/remediate/$planId", params: { planId: String(plan.id) } }));
  const form = useActForm({
    initialValues: { reason: restoreReason(restored, cause) },
    send: ({ reason }) =>
      draft.mutateAsync({ settings: settingsOf(restored, "the value before the change"), reason: reason.trim(), ticket }),
  });
  const left = changes.length - restored.length;
  return (
    <FormBody
      form={form}
      label="Create plan"
      isDisabled={form.values.reason.trim().length < 3}
      note="Creates a plan. Nothing changes before another person approves it. The job can be undone for 24 hours."
    >
      <ul className={styles.lines}>
        {restored.slice(0, MOST_LINES).map((change) => (
          <li key={change.change_id}>
            {visible(change.host.name)}, {visible(change.subject.label)}: {change.label} <FromTo from={change.now} to={change.old} />
          </li>
        ))}
        {restored.length > MOST_LINES ? <li className="dim">and {restored.length - MOST_LINES} more</li> : null}
      </ul>
      {left > 0 ? <p className="dim small">{plural(left, "change")} can't be restored by a plan; the list shows why.</p> : null}
      <Textarea label="Reason" data-autofocus autosize minRows={2} {...form.getInputProps("reason")} />
    </FormBody>
  );
}
