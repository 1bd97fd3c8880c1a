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
    <section aria-label="Hosts that Plumbline reads">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          Hosts that Plumbline reads <span className="dim">{hosts.data ? count(hosts.data.length) : ""}</span>
        </h2>
        <FormDialog
          title="Add a host that Plumbline reads"
          opener={(open) => (
            <Button variant="filled" onClick={open}>
              Add a host
            </Button>
          )}
        >
          {(close) => <NewHost close={close} />}
        </FormDialog>
        <FormDialog title="Start a host's own agent when asked" opener={(open) => <Button onClick={open}>Reach a host's own agent</Button>}>
          {(close) => <ReachAgent close={close} />}
        </FormDialog>
        <FormDialog title="Import the keys of hosts" size="xl" opener={(open) => <Button onClick={open}>Import keys</Button>}>
          {(close) => <ImportKeys close={close} />}
        </FormDialog>
      </div>
      <QueryPanel
        query={hosts}
        height={140}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="Every host checks in by itself.">Add a host here where no agent may be installed.</Empty>}
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
          {host.state === "waiting" ? ", waits for approval" : ""}
          {host.source === "agent" ? ", own agent, started when asked" : ""}
        </div>
      </>
    ),
  },
  {
    head: "Read over",
    cell: (host) => (
      <>
        {host.channel === "ssh" ? "SSH" : "WinRM"}{" "}
        <span className="mono nowrap">
          {visible(host.address)}:{host.port}
        </span>
      </>
    ),
  },
  { head: "As", cell: (host) => <SignsInAs account={host.account} credential={host.credential_name} /> },
  { head: "Key", cell: (host) => <Key host={host} /> },
  { head: "Last read", className: "dim nowrap", cell: (host) => <TimeAgo at={host.last_ok_at} none="not read yet" /> },
  { head: "Last try", className: styles.error, cell: (host) => <LastTry host={host} /> },
  { head: "Change", isHeadHidden: true, cell: (host) => <Acts host={host} /> },
];

function Acts({ host }: { host: CollectedHost }) {
  const remove = useRemoveCollectedHost(host.host_id);
  const name = visible(host.name);
  return (
    <span className={styles.acts}>
      <FormDialog
        title={`How ${name} is read`}
        opener={(open) => (
          <Button size="compact-sm" onClick={open} aria-label={`Change ${name}`}>
            Change
          </Button>
        )}
      >
        {(close) => <ChangeHost host={host} close={close} />}
      </FormDialog>
      <ActionDialog
        title={`Stop reading ${name}`}
        label="Stop reading the host"
        opener={(open) => (
          <Button size="compact-sm" onClick={open} aria-label={`Stop reading ${name}`}>
            Stop reading
          </Button>
        )}
        onConfirm={() => remove.mutateAsync()}
      >
        <p>
          {host.source === "agent"
            ? `Plumbline signs in to ${name} no more. Its own agent goes on as before.`
            : `Plumbline signs in to ${name} no more. Its history stays; it goes silent until an agent is enrolled on it, or it is retired.`}
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
      {host.is_ca_trusted ? <StatusLabel status="pass">by its CA</StatusLabel> : null}
      {pin ? <ConfirmedKey fingerprint={pin} isRefused={isRefused} refused="another key" /> : null}
      {!pin && !host.is_ca_trusted ? <StatusLabel status="warn">not confirmed</StatusLabel> : null}
      {(!pin && !host.is_ca_trusted) || isRefused ? <ConfirmHostKey host={host} /> : null}
    </div>
  );
}

function LastTry({ host }: { host: CollectedHost }) {
  if (host.is_running || host.last_error) return <RunningOrFailed of={host} />;
  if (host.source === "agent" && host.last_tried_at === null) return <span className="dim">nobody asked yet</span>;
  if (host.last_tried_at === null) return <span className="dim">{host.pins.length > 0 ? "comes soon" : "nothing is sent yet"}</span>;
  return <StatusLabel status="pass">read</StatusLabel>;
}
