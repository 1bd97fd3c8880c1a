import { Button, Select } from "@mantine/core";
import { useWindows } from "@/entities/controls/queries";
import type { MaintenanceWindow } from "@/entities/controls/types";
import { useGroupChoices } from "@/entities/group/queries";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
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

/** When plans that name a window may run: by the site's own clock, written out. */
export function Windows({ search, setSearch, canManage }: WindowsProps) {
  const windows = useWindows(search.group);
  const groups = useGroupChoices();
  return (
    <section className={styles.part} aria-label="Maintenance windows">
      <div className={styles.bar}>
        <h2>Maintenance windows</h2>
        <Select
          size="xs"
          aria-label="Windows that serve a group"
          placeholder="of every group"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Of every group" }}
          data={groups}
          value={search.group === undefined ? null : String(search.group)}
          onChange={(value) => setSearch({ group: value ? Number(value) : undefined })}
        />
        {canManage ? (
          <FormDialog title="Make a maintenance window" opener={(open) => <Button onClick={open}>Make a window …</Button>}>
            {(close) => <WindowForm close={close} />}
          </FormDialog>
        ) : (
          <span className="dim small">Admins make and end them.</span>
        )}
      </div>
      <QueryPanel
        query={windows}
        height={120}
        lines={4}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title={search.group === undefined ? "There is no maintenance window." : "No window serves this group."}>
            Without one, a plan that was approved runs at any time before its approval ends, freezes excepted.
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
  const title = `End the window ${visible(window.name)}`;
  return (
    <article className={styles.one} aria-label={`Window ${visible(window.name)}`}>
      <div>
        <h3>
          {visible(window.name)}{" "}
          <StatusLabel status={window.open_until ? "pass" : "neutral"}>{window.open_until ? "open now" : "closed now"}</StatusLabel>
        </h3>
        <p>{recurrence(window)}</p>
        <div className={styles.facts}>
          <span>for {visible(window.group_name)} and all below it</span>
          <Next window={window} />
        </div>
      </div>
      {canManage ? (
        <div>
          <ActionDialog
            title={title}
            opener={(open) => (
              <Button size="compact-sm" onClick={open} aria-label={title}>
                End …
              </Button>
            )}
            hasBack
            onConfirm={() => end.mutateAsync()}
          >
            <p>
              Plans that were signed for it do not run any more. A window cannot be changed, because it was signed as it stands: end it and
              make another.
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
        open until <TimeAgo at={window.open_until} form="exact" />
      </span>
    );
  }
  if (!window.next_open) return <span>never opens again</span>;
  return (
    <span>
      opens next <TimeAgo at={window.next_open} form="exact" /> (<TimeAgo at={window.next_open} />)
    </span>
  );
}
