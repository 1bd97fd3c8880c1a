import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel, StatusSentence } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { scheduleWords, templateLabel } from "./labels";
import { useChangeSchedule, useCreateSchedule, useRemoveSchedule, useSchedules } from "./queries";
import styles from "./reports.module.css";
import { ScheduleForm } from "./schedule-form";
import type { Schedule } from "./types";

/** Reports that are made by themselves, every week, month or quarter. */
export function Schedules({ canMake }: { canMake: boolean }) {
  const schedules = useSchedules();
  const create = useCreateSchedule();
  return (
    <section aria-label="Schedules">
      {canMake ? (
        <FormDialog
          title="New schedule"
          size="lg"
          opener={(open) => (
            <Button variant="filled" onClick={open}>
              Create schedule…
            </Button>
          )}
        >
          {(close) => <ScheduleForm send={(body) => create.mutateAsync(body)} close={close} />}
        </FormDialog>
      ) : null}
      <QueryPanel
        query={schedules}
        height={160}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No schedules yet">A schedule creates a report every week, month or quarter, and can mail it.</Empty>}
      >
        {(data) => (
          <ul className={styles.list}>
            {data.map((schedule) => (
              <Row key={schedule.id} schedule={schedule} />
            ))}
          </ul>
        )}
      </QueryPanel>
    </section>
  );
}

function Row({ schedule }: { schedule: Schedule }) {
  const change = useChangeSchedule(schedule.id);
  const remove = useRemoveSchedule(schedule.id);
  const name = visible(schedule.name);
  return (
    <li className={styles.report} aria-label={`Schedule ${name}`}>
      <div>
        <div className="strong">
          {name} {schedule.is_enabled ? null : <StatusLabel status="neutral">Off</StatusLabel>}
        </div>
        <div>
          {templateLabel(schedule.template)}, {visible(schedule.view_name || schedule.group_name)} · {scheduleWords(schedule)} (
          {schedule.time_zone})
        </div>
        <div className="dim">
          {schedule.is_enabled ? (
            <>
              Next <TimeAgo at={schedule.next_due_at} form="exact" /> ·{" "}
            </>
          ) : null}
          {schedule.channel_id === null
            ? "not mailed"
            : `mailed by ${visible(schedule.channel_name)}${schedule.recipients.length > 0 ? ` to ${schedule.recipients.map(visible).join(", ")}` : ""}`}{" "}
          · owner {visible(schedule.owner)}
        </div>
        {schedule.off_words ? <StatusSentence status="warn">{visible(schedule.off_words)}</StatusSentence> : null}
      </div>
      <div className={styles.files}>
        {schedule.last_report_id === null ? null : (
          <Link to="/reports" search={{ schedule: schedule.id }} className="link">
            Reports
          </Link>
        )}
        {schedule.may_change ? (
          <>
            <FormDialog
              title={`Change ${name}`}
              size="lg"
              opener={(open) => (
                <Button size="compact-sm" onClick={open} aria-label={`Change the schedule ${name}`}>
                  Change…
                </Button>
              )}
            >
              {(close) => <ScheduleForm schedule={schedule} send={(body) => change.mutateAsync(body)} close={close} />}
            </FormDialog>
            <ActionDialog
              title={`Delete ${name}`}
              label="Delete schedule"
              opener={(open) => (
                <Button size="compact-sm" onClick={open} aria-label={`Delete the schedule ${name}`}>
                  Delete…
                </Button>
              )}
              onConfirm={() => remove.mutateAsync(undefined)}
            >
              The reports that it created stay.
            </ActionDialog>
          </>
        ) : null}
      </div>
    </li>
  );
}
