import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ConfirmHostKey } from "@/entities/credential/confirm-host-key";
import { isKeyRefused, useCollectedHosts } from "@/entities/credential/queries";
import type { CollectedHost } from "@/entities/credential/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { ConfirmedKey, RunningOrFailed, SignsInAs } from "./connection-cells";
import { ChangeHost, NewHost } from "./host-forms";
import { ImportKeys } from "./import-keys";
import { useRemoveCollectedHost } from "./queries";
import { ReachAgent } from "./reach-agent";

export function Hosts() {
  const hosts = useCollectedHosts();
  return (
    <section aria-label="Agentless hosts">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          Agentless hosts <span className="dim">{hosts.data ? count(hosts.data.length) : ""}</span>
        </h2>
        <FormDialog
          title="Add agentless host"
          opener={(open) => (
            <Button variant="filled" onClick={open}>
              Add host
            </Button>
          )}
        >
          {(close) => <NewHost close={close} />}
        </FormDialog>
        <FormDialog title="Set up agent trigger" opener={(open) => <Button onClick={open}>Set up agent trigger…</Button>}>
          {(close) => <ReachAgent close={close} />}
        </FormDialog>
        <FormDialog title="Import host keys" size="xl" opener={(open) => <Button onClick={open}>Import keys…</Button>}>
          {(close) => <ImportKeys close={close} />}
        </FormDialog>
      </div>
      <QueryPanel
        query={hosts}
        height={140}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No agentless hosts">Add a host that can't run an agent.</Empty>}
      >
        {(data) => <DataTable columns={COLUMNS} rows={data} rowKey={(host) => host.host_id} />}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<CollectedHost>[] = [
  {
    head: "Host",
    cell: (host) => (
      <>
        <Link to="/hosts/$hostId" params={{ hostId: host.host_id }} className="link strong">
          {visible(host.name)}
        </Link>
        <div className="dim small">
          {visible(host.group_name)}
          {host.state === "waiting" ? ", pending approval" : ""}
          {host.source === "agent" ? ", agent triggered on request" : ""}
        </div>
      </>
    ),
  },
  {
    head: "Channel",
    cell: (host) => (
      <>
        {host.channel === "ssh" ? "SSH" : "WinRM"}{" "}
        <span className="mono nowrap">
          {visible(host.address)}:{host.port}
        </span>
      </>
    ),
  },
  { head: "Account", cell: (host) => <SignsInAs account={host.account} credential={host.credential_name} /> },
  { head: "Key", cell: (host) => <Key host={host} /> },
  { head: "Last read", className: "dim nowrap", cell: (host) => <TimeAgo at={host.last_ok_at} none="Not read yet" /> },
  { head: "Last attempt", className: styles.error, cell: (host) => <LastTry host={host} /> },
  { head: "Edit", isHeadHidden: true, cell: (host) => <Acts host={host} /> },
];

function Acts({ host }: { host: CollectedHost }) {
  const remove = useRemoveCollectedHost(host.host_id);
  const name = visible(host.name);
  return (
    <span className={styles.acts}>
      <FormDialog
        title={`Edit collection of ${name}`}
        opener={(open) => (
          <Button size="compact-sm" onClick={open} aria-label={`Change ${name}`}>
            Edit
          </Button>
        )}
      >
        {(close) => <ChangeHost host={host} close={close} />}
      </FormDialog>
      <ActionDialog
        title={`Stop collecting ${name}`}
        label="Stop collection"
        opener={(open) => (
          <Button size="compact-sm" onClick={open} aria-label={`Stop collecting ${name}`}>
            Stop collection
          </Button>
        )}
        onConfirm={() => remove.mutateAsync()}
      >
        <p>
          {host.source === "agent"
            ? `Plumbline no longer signs in to ${name}. Its agent keeps checking in.`
            : `Plumbline no longer collects from ${name}. Its history is kept. It shows as not reporting until you enrol an agent or retire it.`}
        </p>
      </ActionDialog>
    </span>
  );
}

function Key({ host }: { host: CollectedHost }) {
  const pin = host.pins[0];
  const isRefused = isKeyRefused(host);
  return (
    <div className={styles.pins}>
      {host.is_ca_trusted ? <StatusLabel status="pass">Trusted CA</StatusLabel> : null}
      {pin ? <ConfirmedKey fingerprint={pin} isRefused={isRefused} refused="Key changed" /> : null}
      {!pin && !host.is_ca_trusted ? <StatusLabel status="warn">Not verified</StatusLabel> : null}
      {(!pin && !host.is_ca_trusted) || isRefused ? <ConfirmHostKey host={host} /> : null}
    </div>
  );
}

function LastTry({ host }: { host: CollectedHost }) {
  if (host.is_running || host.last_error) return <RunningOrFailed of={host} />;
  if (host.source === "agent" && host.last_tried_at === null) return <span className="dim">Not triggered yet</span>;
  if (host.last_tried_at === null) return <span className="dim">{host.pins.length > 0 ? "Queued" : "Waiting for key verification"}</span>;
  return <StatusLabel status="pass">OK</StatusLabel>;
}
