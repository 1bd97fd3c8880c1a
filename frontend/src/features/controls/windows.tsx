import { Button, Modal, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useGroupChoices } from "@/entities/person/queries";
import type { MaintenanceWindow } from "@/shared/api/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./controls.module.css";
import { recurrence } from "./labels";
import { useEndWindow, useMaintenanceWindows } from "./queries";
import { ReasonDialog } from "./reason-dialog";
import type { SafetySearch } from "./search";
import { WindowForm } from "./window-form";

interface WindowsProps {
  search: SafetySearch;
  setSearch: PatchSearch<SafetySearch>;
  canManage: boolean;
}

/** When plans that name a window may run: by the site's own clock, said in words. */
export function Windows({ search, setSearch, canManage }: WindowsProps) {
  const windows = useMaintenanceWindows(search.group);
  const groups = useGroupChoices();
  const [isOpen, dialog] = useDisclosure(false);
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
        {canManage ? <Button onClick={dialog.open}>Make a window …</Button> : <span className="dim small">Admins make and end them.</span>}
      </div>
      <Panel
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
      </Panel>
      <Modal opened={isOpen} onClose={dialog.close} title="Make a maintenance window" closeButtonProps={{ "aria-label": "Close" }}>
        <WindowForm close={dialog.close} />
      </Modal>
    </section>
  );
}

function One({ window, canManage }: { window: MaintenanceWindow; canManage: boolean }) {
  const end = useEndWindow(window.id);
  return (
    <article className={styles.one} aria-label={`Window ${visible(window.name)}`}>
      <div>
        <h3>
          {visible(window.name)}{" "}
          <Outcome status={window.open_until ? "pass" : "neutral"}>{window.open_until ? "open now" : "closed now"}</Outcome>
        </h3>
        <p>{recurrence(window)}</p>
        <div className={styles.facts}>
          <span>for {visible(window.group_name)} and all below it</span>
          <Next window={window} />
        </div>
      </div>
      {canManage ? (
        <div>
          <ReasonDialog
            label="End …"
            title={`End the window ${visible(window.name)}`}
            asksReason={false}
            act={{ ...end, mutate: (_reason, after) => end.mutate(undefined, after) }}
          >
            Plans that were signed for it do not run any more. A window cannot be changed, because it was signed as it stands: end it and
            make another.
          </ReasonDialog>
        </div>
      ) : null}
    </article>
  );
}

function Next({ window }: { window: MaintenanceWindow }) {
  if (window.open_until) {
    return (
      <span>
        open until <Instant at={window.open_until} form="exact" />
      </span>
    );
  }
  if (!window.next_open) return <span>never opens again</span>;
  return (
    <span>
      opens next <Instant at={window.next_open} form="exact" /> (<Instant at={window.next_open} />)
    </span>
  );
}
