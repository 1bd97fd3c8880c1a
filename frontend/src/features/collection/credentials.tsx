import { Button } from "@mantine/core";
import type { Credential } from "@/entities/credential/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { NewCredential, ReplaceCredential } from "./credential-forms";
import { kindOf, useCredentials, useStopCredential } from "./queries";
import { TestCredential, TrialOutcome } from "./test-credential";

export function Credentials() {
  const credentials = useCredentials();
  return (
    <section className="section" aria-label="Credentials">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          Credentials <span className="dim">{credentials.data ? count(credentials.data.length) : ""}</span>
        </h2>
        <FormDialog title="Add credential" opener={(open) => <Button onClick={open}>Add credential</Button>}>
          {(close) => <NewCredential close={close} />}
        </FormDialog>
      </div>
      <QueryPanel
        query={credentials}
        height={110}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No credentials">Add the account used to read your hosts before adding hosts.</Empty>}
      >
        {(data) => <DataTable columns={COLUMNS} rows={data} rowKey={(credential) => credential.id} />}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<Credential>[] = [
  { head: "Name", className: "strong", cell: (credential) => visible(credential.name) },
  { head: "Type", cell: (credential) => kindOf(credential.kind)?.label ?? credential.kind },
  { head: "Account", className: "mono", cell: (credential) => visible(credential.account || "–") },
  { head: "Group", cell: (credential) => visible(credential.group_name) },
  { head: "Hosts", isNumber: true, cell: (credential) => count(credential.hosts) },
  { head: "Last changed", className: "dim nowrap", cell: (credential) => <TimeAgo at={credential.changed_at} /> },
  { head: "Status", className: styles.error, cell: (credential) => <State credential={credential} /> },
  { head: "Change", isHeadHidden: true, cell: (credential) => <Acts credential={credential} /> },
];

function State({ credential }: { credential: Credential }) {
  if (credential.stopped_at) {
    return (
      <>
        <StatusLabel status="fail">Disabled</StatusLabel> {visible(credential.stopped_reason)}
      </>
    );
  }
  if (credential.last_trial) return <TrialOutcome trial={credential.last_trial} />;
  return <span className="dim">Active, never tested</span>;
}

function Acts({ credential }: { credential: Credential }) {
  const stop = useStopCredential(credential.id);
  const name = visible(credential.name);
  return (
    <span className={styles.acts}>
      {kindOf(credential.kind)?.channel === "vcenter" ? null : (
        <FormDialog
          title={`Test ${name}`}
          opener={(open) => (
            <Button size="compact-sm" onClick={open} disabled={credential.stopped_at !== null} aria-label={`Test ${name}`}>
              Test
            </Button>
          )}
        >
          {() => <TestCredential credential={credential} />}
        </FormDialog>
      )}
      <FormDialog
        title={`Replace ${name}`}
        opener={(open) => (
          <Button size="compact-sm" onClick={open} aria-label={`Replace ${name}`}>
            Replace
          </Button>
        )}
      >
        {(close) => <ReplaceCredential credential={credential} close={close} />}
      </FormDialog>
      <ActionDialog
        title={`Disable ${name}`}
        label="Disable credential"
        opener={(open) => (
          <Button size="compact-sm" onClick={open} disabled={credential.stopped_at !== null} aria-label={`Disable ${name}`}>
            Disable
          </Button>
        )}
        reason={{ label: "Reason" }}
        onConfirm={({ reason }) => stop.mutateAsync(reason)}
      >
        <p>No host is read with it until it is replaced. The reason is kept in the audit log.</p>
      </ActionDialog>
    </span>
  );
}
