import { Button } from "@mantine/core";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { ConfirmedKey, RunningOrFailed, SignsInAs } from "./connection-cells";
import { useReadVCenter, useRemoveVCenter, useVCenters } from "./queries";
import type { VCenter } from "./types";
import { ConfirmVCenter, NewVCenter } from "./vcenter-forms";
import { VCenterHosts } from "./vcenter-hosts";

/** vCenters that are asked about their ESXi hosts: clusters, lockdown, SSH, maintenance mode. */
export function VCenters() {
  const vcenters = useVCenters();
  return (
    <section className="section" aria-label="vCenters">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          vCenters <span className="dim">{vcenters.data ? count(vcenters.data.length) : ""}</span>
        </h2>
        <FormDialog title="Add vCenter" opener={(open) => <Button onClick={open}>Add vCenter</Button>}>
          {(close) => <NewVCenter close={close} />}
        </FormDialog>
      </div>
      <QueryPanel
        query={vcenters}
        height={110}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No vCenters">vCenter provides each ESXi host's cluster, lockdown mode and SSH status. Access is read-only.</Empty>
        }
      >
        {(data) => <DataTable columns={COLUMNS} rows={data} rowKey={(vcenter) => vcenter.id} />}
      </QueryPanel>
    </section>
  );
}

const COLUMNS: Column<VCenter>[] = [
  {
    head: "vCenter",
    cell: (vcenter) => (
      <>
        <span className="strong">{visible(vcenter.name)}</span>
        <div className="dim small">
          {visible(vcenter.group_name)}
          {vcenter.product ? `, ${visible(vcenter.product)}` : ""}
        </div>
      </>
    ),
  },
  { head: "Address", className: "mono nowrap", cell: (vcenter) => `${visible(vcenter.address)}:${vcenter.port}` },
  { head: "Account", cell: (vcenter) => <SignsInAs account={vcenter.account} credential={vcenter.credential_name} /> },
  { head: "Certificate", cell: (vcenter) => <Certificate vcenter={vcenter} /> },
  {
    head: "Hosts",
    className: "nowrap",
    cell: (vcenter) => (vcenter.last_ok_at ? <Linked vcenter={vcenter} /> : <span className="dim">–</span>),
  },
  { head: "Last read", className: styles.error, cell: (vcenter) => <LastRead vcenter={vcenter} /> },
  { head: "Change", isHeadHidden: true, cell: (vcenter) => <Acts vcenter={vcenter} /> },
];

function Certificate({ vcenter }: { vcenter: VCenter }) {
  const name = visible(vcenter.name);
  const isRefused = vcenter.last_error_code === "host_identity_wrong";
  return (
    <div className={styles.pins}>
      {vcenter.pin ? (
        <ConfirmedKey fingerprint={vcenter.pin} isRefused={isRefused} refused="Changed" />
      ) : (
        <StatusLabel status="warn">Not verified</StatusLabel>
      )}
      {!vcenter.pin || isRefused ? (
        <FormDialog
          title={`Verify the certificate of ${name}`}
          size="lg"
          opener={(open) => (
            <Button size="compact-sm" onClick={open} aria-label={`Verify certificate of ${name}`}>
              Verify certificate…
            </Button>
          )}
        >
          {(close) => <ConfirmVCenter vcenter={vcenter} close={close} />}
        </FormDialog>
      ) : null}
    </div>
  );
}

function Linked({ vcenter }: { vcenter: VCenter }) {
  const name = visible(vcenter.name);
  return (
    <FormDialog
      title={`Hosts of ${name}`}
      size="xl"
      opener={(open) => (
        <Button size="compact-sm" onClick={open} aria-label={`Hosts of ${name}`}>
          {count(vcenter.linked)} of {count(vcenter.hosts)} linked
        </Button>
      )}
    >
      {() => <VCenterHosts vcenter={vcenter} />}
    </FormDialog>
  );
}

function Acts({ vcenter }: { vcenter: VCenter }) {
  const read = useReadVCenter(vcenter.id);
  const remove = useRemoveVCenter(vcenter.id);
  const name = visible(vcenter.name);
  return (
    <>
      <span className={styles.acts}>
        <Button
          size="compact-sm"
          onClick={() => read.mutate()}
          disabled={!vcenter.pin}
          loading={read.isPending}
          aria-label={`Read ${name} now`}
        >
          Read now
        </Button>
        <ActionDialog
          title={`Remove ${name}`}
          label="Remove vCenter"
          opener={(open) => (
            <Button size="compact-sm" onClick={open} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          )}
          onConfirm={() => remove.mutateAsync()}
        >
          <p>
            Imported data and clusters are deleted. Hosts without a known cluster are then changed one at a time per group. vCenter itself
            is not changed.
          </p>
        </ActionDialog>
      </span>
      {read.error ? <Failed error={read.error} /> : null}
    </>
  );
}

function LastRead({ vcenter }: { vcenter: VCenter }) {
  if (vcenter.is_running || vcenter.last_error) return <RunningOrFailed of={vcenter} />;
  if (!vcenter.pin) return <span className="dim">Waiting for certificate verification</span>;
  return <TimeAgo at={vcenter.last_ok_at} none="Queued" />;
}
