import { Button, Select } from "@mantine/core";
import { useWindows } from "@/entities/controls/queries";
import type { MaintenanceWindow } from "@/entities/controls/types";
import { useGroupChoices } from "@/entities/group/queries";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { capital, visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./controls.module.css";
import { recurrence } from "./labels";
import { useEndWindow } from "./queries";
import type { ControlsSearch } from "./search";
import { WindowForm } from "./window-form";

interface WindowsProps {
  search: ControlsSearch;
  setSearch: PatchSearch<ControlsSearch>;
  canManage: boolean;
}

/** When plans that name a window may run, in the site's time zone. */
export function Windows({ search, setSearch, canManage }: WindowsProps) {
  const windows = useWindows(search.group);
  const groups = useGroupChoices();
  return (
    <section className={styles.part} aria-label="Maintenance windows">
      <div className={styles.bar}>
        <h2>Maintenance windows</h2>
        <Select
          size="xs"
          aria-label="Filter by group"
          placeholder="All groups"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "All groups" }}
          data={groups}
          value={search.group === undefined ? null : String(search.group)}
          onChange={(value) => setSearch({ group: value ? Number(value) : undefined })}
        />
        {canManage ? (
          <FormDialog title="New maintenance window" opener={(open) => <Button onClick={open}>New window…</Button>}>
            {(close) => <WindowForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Only admins can manage windows.</span>
        )}
      </div>
      <QueryPanel
        query={windows}
        height={120}
        lines={4}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title={search.group === undefined ? "No maintenance windows" : "No windows for this group"}>
            Without a window, approved plans can run at any time until the approval expires, except during a change freeze.
          </Empty>
        }
      >
        {(data) => data.map((one) => <One key={one.id} window={one} canManage={canManage} />)}
      </QueryPanel>
    </section>
  );
}

function One({ window, canManage }: { window: MaintenanceWindow; canManage: boolean }) {
  const end = useEndWindow(window.id);
  const title = `End window ${visible(window.name)}`;
  return (
    <article className={styles.one} aria-label={`Window ${visible(window.name)}`}>
      <div>
        <h3>
          {visible(window.name)}{" "}
          <StatusLabel status={window.open_until ? "pass" : "neutral"}>{window.open_until ? "Open" : "Closed"}</StatusLabel>
        </h3>
        <p>{capital(recurrence(window))}</p>
        <div className={styles.facts}>
          <span>{visible(window.group_name)} and subgroups</span>
          <Next window={window} />
        </div>
      </div>
      {canManage ? (
        <div>
          <ActionDialog
            title={title}
            opener={(open) => (
              <Button size="compact-sm" onClick={open} aria-label={title}>
                End window…
              </Button>
            )}
            onConfirm={() => end.mutateAsync()}
          >
            <p>
              Plans approved for this window will no longer run. Windows can't be edited because they are part of signed approvals: end this
              one and create another.
            </p>
          </ActionDialog>
        </div>
      ) : null}
    </article>
  );
}

function Next({ window }: { window: MaintenanceWindow }) {
  if (window.open_until) {
    return (
      <span>
        Open until <TimeAgo at={window.open_until} form="exact" />
      </span>
    );
  }
  if (!window.next_open) return <span>No more openings</span>;
  return (
    <span>
      Next opening <TimeAgo at={window.next_open} form="exact" /> (<TimeAgo at={window.next_open} />)
    </span>
  );
}
