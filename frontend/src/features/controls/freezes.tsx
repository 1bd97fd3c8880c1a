import { Button, Select, Textarea, TextInput } from "@mantine/core";
import type { Freeze } from "@/entities/controls/types";
import { useGroupChoices } from "@/entities/group/queries";
import { dateFieldIn, fromDateField } from "@/shared/lib/date-field";
import { visible } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import styles from "./controls.module.css";
import { useEndFreeze, useFreezes, useMakeFreeze } from "./queries";

/** Times in which no job of a group starts, whatever its windows say. */
export function Freezes({ canManage }: { canManage: boolean }) {
  const freezes = useFreezes();
  return (
    <section className={styles.part} aria-label="Change freezes">
      <div className={styles.bar}>
        <h2>Change freezes</h2>
        <span className="dim small">No jobs start during a freeze. Freezes override maintenance windows.</span>
        {canManage ? (
          <FormDialog title="New change freeze" opener={(open) => <Button onClick={open}>New freeze…</Button>}>
            {(close) => <FreezeForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Only admins can manage freezes.</span>
        )}
      </div>
      <QueryPanel
        query={freezes}
        height={90}
        lines={3}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No change freezes">Use a freeze to block changes, for example during quarter end, an audit or a migration.</Empty>
        }
      >
        {(data) => data.map((one) => <One key={one.id} freeze={one} canManage={canManage} />)}
      </QueryPanel>
    </section>
  );
}

function One({ freeze, canManage }: { freeze: Freeze; canManage: boolean }) {
  const end = useEndFreeze(freeze.id);
  const title = `End freeze on ${visible(freeze.group_name)}`;
  return (
    <article className={styles.one} aria-label={`Freeze on ${visible(freeze.group_name)}`}>
      <div>
        <h3>
          {visible(freeze.group_name)}{" "}
          <StatusLabel status={freeze.is_on ? "excluded" : "neutral"}>{freeze.is_on ? "Active" : "Planned"}</StatusLabel>
        </h3>
        <p>{visible(freeze.reason)}</p>
        <div className={styles.facts}>
          <span>
            {freeze.is_on ? "Since " : "From "}
            <TimeAgo at={freeze.starts_at} form="exact" />
          </span>
          <span>
            Until <TimeAgo at={freeze.ends_at} form="exact" />
          </span>
          <span>Created by {visible(freeze.created_by)}</span>
        </div>
      </div>
      {canManage ? (
        <div>
          <ActionDialog
            title={title}
            opener={(open) => (
              <Button size="compact-sm" onClick={open} aria-label={title}>
                {freeze.is_on ? "End freeze…" : "Delete freeze…"}
              </Button>
            )}
            onConfirm={() => end.mutateAsync()}
          >
            <p>Waiting jobs may start within minutes, in their own windows.</p>
          </ActionDialog>
        </div>
      ) : null}
    </article>
  );
}

function FreezeForm({ close }: { close: () => void }) {
  const make = useMakeFreeze();
  const zone = useZone();
  const groups = useGroupChoices();
  const form = useActForm({
    initialValues: { group: null as string | null, reason: "", starts: "", ends: dateFieldIn(72, zone) },
    send: ({ group, reason, starts, ends }) =>
      make.mutateAsync({
        group_id: Number(group),
        reason: reason.trim(),
        starts_at: fromDateField(starts, zone) ?? null,
        ends_at: fromDateField(ends, zone) ?? "",
      }),
    whenDone: close,
  });
  const { group, reason } = form.values;
  const startsAt = fromDateField(form.values.starts, zone);
  const endsAt = fromDateField(form.values.ends, zone);
  const missing = !group
    ? "Choose a group"
    : reason.trim().length < 3
      ? "Enter a reason"
      : endsAt === undefined
        ? "Enter an end time"
        : startsAt !== undefined && startsAt >= endsAt
          ? "End must be after start"
          : "";
  return (
    <FormBody form={form} label="Start freeze" missing={missing}>
      <Select label="Group (including subgroups)" searchable data={groups} {...form.getInputProps("group")} />
      <Textarea label="Reason" description="Shown on waiting jobs." autosize minRows={2} {...form.getInputProps("reason")} />
      <div className={styles.pair}>
        <TextInput
          label={`From (${zoneLabel(zone)})`}
          description="Leave empty to start now."
          type="datetime-local"
          {...form.getInputProps("starts")}
        />
        <TextInput
          label={`Until (${zoneLabel(zone)})`}
          description="The freeze ends automatically."
          type="datetime-local"
          min={dateFieldIn(0, zone)}
          {...form.getInputProps("ends")}
        />
      </div>
    </FormBody>
  );
}
