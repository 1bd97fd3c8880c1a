import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { VCenter } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyAction } from "@/shared/ui/copy-button";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { useRefresh, useVCenters } from "./queries";
import { ConfirmVCenter, NewVCenter, RemoveVCenter } from "./vcenter-forms";
import { VCenterHosts } from "./vcenter-hosts";

/** vCenters that are asked about their ESXi hosts: clusters, lockdown, SSH, maintenance mode. */
export function VCenters() {
  const vcenters = useVCenters();
  const [isAdding, adding] = useDisclosure(false);
  return (
    <section className="section" aria-label="vCenters">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          vCenters <span className="dim">{vcenters.data ? count(vcenters.data.length) : ""}</span>
        </h2>
        <Button onClick={adding.open}>Add a vCenter</Button>
      </div>
      <Modal opened={isAdding} onClose={adding.close} title="Add a vCenter" closeButtonProps={{ "aria-label": "Close" }}>
        <NewVCenter close={adding.close} />
      </Modal>
      <Panel
        query={vcenters}
        height={110}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No vCenter yet.">
            It tells which cluster a host is in, and whether lockdown or a stopped SSH service keeps changes out. It is only read.
          </Empty>
        }
      >
        {(data) => (
          <ScrollX>
            <table className="data" data-stacks>
              <thead>
                <tr>
                  <th scope="col">vCenter</th>
                  <th scope="col">address</th>
                  <th scope="col">as</th>
                  <th scope="col">certificate</th>
                  <th scope="col">hosts</th>
                  <th scope="col">last read</th>
                  <th scope="col">
                    <span className="hidden-visually">change</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((vcenter) => (
                  <Row key={vcenter.id} vcenter={vcenter} />
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

function Row({ vcenter }: { vcenter: VCenter }) {
  const refresh = useRefresh();
  const [isShowing, showing] = useDisclosure(false);
  const [isConfirming, confirming] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const read = useMutation({
    mutationFn: () => api.POST("/api/v1/collection/vcenters/{vcenter_id}/read", { params: { path: { vcenter_id: vcenter.id } } }),
    onSuccess: refresh,
  });
  const name = visible(vcenter.name);
  const isRefused = vcenter.last_error.includes("not the one on record");
  return (
    <tr>
      <td data-head="vCenter">
        <span className="strong">{name}</span>
        <div className="dim small">
          {visible(vcenter.group_name)}
          {vcenter.product ? `, ${visible(vcenter.product)}` : ""}
        </div>
      </td>
      <td data-head="address" className="mono nowrap">
        {visible(vcenter.address)}:{vcenter.port}
      </td>
      <td data-head="as">
        <span className="mono">{visible(vcenter.account)}</span>
        <div className="dim small">{visible(vcenter.credential_name)}</div>
      </td>
      <td data-head="certificate">
        <div className={styles.pins}>
          {vcenter.pin ? (
            <span className="nowrap">
              <Outcome status={isRefused ? "fail" : "pass"}>{isRefused ? "another one" : "confirmed"}</Outcome>{" "}
              <span className={`mono ${styles.pin}`} title={vcenter.pin}>
                {vcenter.pin}
              </span>
              <CopyAction text={vcenter.pin} label="fingerprint" />
            </span>
          ) : (
            <Outcome status="warn">not confirmed</Outcome>
          )}
          {!vcenter.pin || isRefused ? (
            <Button size="compact-sm" onClick={confirming.open} aria-label={`Confirm the certificate of ${name}`}>
              Confirm the certificate …
            </Button>
          ) : null}
        </div>
      </td>
      <td data-head="hosts" className="nowrap">
        {vcenter.last_ok_at ? (
          <Button size="compact-sm" onClick={showing.open} aria-label={`Hosts of ${name}`}>
            {count(vcenter.linked)} of {count(vcenter.hosts)} linked
          </Button>
        ) : (
          <span className="dim">–</span>
        )}
      </td>
      <td data-head="last read" className={styles.error}>
        <LastRead vcenter={vcenter} />
        {read.error ? <Failed error={read.error} /> : null}
      </td>
      <td data-head="">
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
          <Button size="compact-sm" onClick={removing.open} aria-label={`Forget ${name}`}>
            Forget
          </Button>
        </span>
        <Modal opened={isShowing} onClose={showing.close} title={`Hosts of ${name}`} size="xl" closeButtonProps={{ "aria-label": "Close" }}>
          <VCenterHosts vcenter={vcenter} />
        </Modal>
        <Modal
          opened={isConfirming}
          onClose={confirming.close}
          title={`The certificate of ${name}`}
          size="lg"
          closeButtonProps={{ "aria-label": "Close" }}
        >
          <ConfirmVCenter vcenter={vcenter} close={confirming.close} />
        </Modal>
        <Modal opened={isRemoving} onClose={removing.close} title={`Forget ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
          <RemoveVCenter vcenter={vcenter} close={removing.close} />
        </Modal>
      </td>
    </tr>
  );
}

function LastRead({ vcenter }: { vcenter: VCenter }) {
  if (vcenter.is_running) return <Outcome status="running">being read now</Outcome>;
  if (vcenter.last_error) {
    return (
      <>
        <Outcome status="fail">failed</Outcome> <Instant at={vcenter.last_tried_at} />: {visible(vcenter.last_error)}
      </>
    );
  }
  if (!vcenter.pin) return <span className="dim">nothing is sent yet</span>;
  return <Instant at={vcenter.last_ok_at} none="comes soon" />;
}
