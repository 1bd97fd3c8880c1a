import { Button, Select, Textarea, TextInput } from "@mantine/core";
import type { Freeze } from "@/entities/controls/types";
import { useGroupChoices } from "@/entities/group/queries";
import { dateFieldIn, fromDateField } from "@/shared/lib/date-field";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./controls.module.css";
import { useEndFreeze, useFreezes, useMakeFreeze } from "./queries";

/** Spans in which nothing of a group is changed, whatever its windows say. */
export function Freezes({ canManage }: { canManage: boolean }) {
  const freezes = useFreezes();
  return (
    <section className={styles.part} aria-label="Freezes">
      <div className={styles.bar}>
        <h2>Freezes</h2>
        <span className="dim small">nothing is changed while one holds; it beats every window</span>
        {canManage ? (
          <FormDialog title="Freeze a group" opener={(open) => <Button onClick={open}>Freeze a group …</Button>}>
            {(close) => <FreezeForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Admins make and end them.</span>
        )}
      </div>
      <QueryPanel
        query={freezes}
        height={90}
        lines={3}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="Nothing is frozen, and nothing will be.">Freeze a group over a quarter's end, an audit, or a migration.</Empty>
        }
      >
        {(data) => data.map((one) => <One key={one.id} freeze={one} canManage={canManage} />)}
      </QueryPanel>
    </section>
  );
}

function One({ freeze, canManage }: { freeze: Freeze; canManage: boolean }) {
  const end = useEndFreeze(freeze.id);
  const title = `End the freeze of ${visible(freeze.group_name)}`;
  return (
    <article className={styles.one} aria-label={`Freeze of ${visible(freeze.group_name)}`}>
      <div>
        <h3>
          {visible(freeze.group_name)}{" "}
          <StatusLabel status={freeze.is_on ? "excluded" : "neutral"}>{freeze.is_on ? "frozen now" : "to come"}</StatusLabel>
        </h3>
        <p>{visible(freeze.reason)}</p>
        <div className={styles.facts}>
          <span>
            {freeze.is_on ? "since " : "from "}
            <TimeAgo at={freeze.starts_at} form="exact" />
          </span>
          <span>
            until <TimeAgo at={freeze.ends_at} form="exact" />
          </span>
          <span>made by {visible(freeze.created_by)}</span>
        </div>
      </div>
      {canManage ? (
        <div>
          <ActionDialog
            title={title}
            opener={(open) => (
              <Button size="compact-sm" onClick={open} aria-label={title}>
                {freeze.is_on ? "End now …" : "Take back …"}
              </Button>
            )}
            hasBack
            onConfirm={() => end.mutateAsync()}
          >
            <p>Jobs that wait for its end may begin within minutes, each in its own window.</p>
          </ActionDialog>
        </div>
      ) : null}
    </article>
  );
}

function FreezeForm({ close }: { close: () => void }) {
  const make = useMakeFreeze();
  const groups = useGroupChoices();
  const form = useActForm({
    initialValues: { group: null as string | null, reason: "", starts: "", ends: dateFieldIn(72) },
    send: ({ group, reason, starts, ends }) =>
      make.mutateAsync({
        group_id: Number(group),
        reason: reason.trim(),
        starts_at: fromDateField(starts) ?? null,
        ends_at: fromDateField(ends) ?? "",
      }),
    whenDone: close,
  });
  const { group, reason } = form.values;
  const startsAt = fromDateField(form.values.starts);
  const endsAt = fromDateField(form.values.ends);
  const missing = !group
    ? "Choose the group first."
    : reason.trim().length < 3
      ? "Say why first."
      : endsAt === undefined
        ? "Say until when."
        : startsAt !== undefined && startsAt >= endsAt
          ? "It ends before it begins."
          : "";
  return (
    <FormBody form={form} label="Freeze it" missing={missing} back={close}>
      <Select label="Group, and all below it" searchable data={groups} {...form.getInputProps("group")} />
      <Textarea label="Reason" description="Whoever waits for it reads it." autosize minRows={2} {...form.getInputProps("reason")} />
      <div className={styles.pair}>
        <TextInput label="From (UTC)" description="Empty: from now on." type="datetime-local" {...form.getInputProps("starts")} />
        <TextInput
          label="Until (UTC)"
          description="It ends by itself."
          type="datetime-local"
          min={dateFieldIn(0)}
          {...form.getInputProps("ends")}
        />
      </div>
    </FormBody>
  );
}
