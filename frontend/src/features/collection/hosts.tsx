import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { ConfirmKey } from "@/entities/credential/confirm-host-key";
import { isKeyRefused, useCollectedHosts } from "@/entities/credential/queries";
import type { CollectedHost } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyAction } from "@/shared/ui/copy-button";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { ChangeHost, NewHost, RemoveHost } from "./host-forms";
import { ImportKeys } from "./import-keys";
import { ReachAgent } from "./reach-agent";

export function Hosts() {
  const hosts = useCollectedHosts();
  const [isAdding, adding] = useDisclosure(false);
  const [isReaching, reaching] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  return (
    <section aria-label="Hosts that Plumbline reads">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          Hosts that Plumbline reads <span className="dim">{hosts.data ? count(hosts.data.length) : ""}</span>
        </h2>
        <Button variant="filled" onClick={adding.open}>
          Add a host
        </Button>
        <Button onClick={reaching.open}>Reach a host's own agent</Button>
        <Button onClick={importing.open}>Import keys</Button>
      </div>
      <Modal
        opened={isReaching}
        onClose={reaching.close}
        title="Start a host's own agent when asked"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ReachAgent close={reaching.close} />
      </Modal>
      <Modal
        opened={isImporting}
        onClose={importing.close}
        title="Import the keys of hosts"
        size="xl"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ImportKeys close={importing.close} />
      </Modal>
      <Modal opened={isAdding} onClose={adding.close} title="Add a host that Plumbline reads" closeButtonProps={{ "aria-label": "Close" }}>
        <NewHost close={adding.close} />
      </Modal>
      <Panel
        query={hosts}
        height={140}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="Every host checks in by itself.">Add a host here where no agent may be installed.</Empty>}
      >
        {(data) => (
          <ScrollX>
            <table className="data" data-stacks>
              <thead>
                <tr>
                  <th scope="col">host</th>
                  <th scope="col">read over</th>
                  <th scope="col">as</th>
                  <th scope="col">key</th>
                  <th scope="col">last read</th>
                  <th scope="col">last try</th>
                  <th scope="col">
                    <span className="hidden-visually">change</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((host) => (
                  <Row key={host.host_id} host={host} />
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

function Row({ host }: { host: CollectedHost }) {
  const [isChanging, changing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const name = visible(host.name);
  return (
    <tr>
      <td data-head="host">
        <Link to="/hosts/$hostId" params={{ hostId: host.host_id }} className="link strong">
          {name}
        </Link>
        <div className="dim small">
          {visible(host.group_name)}
          {host.state === "waiting" ? ", waits for approval" : ""}
          {host.source === "agent" ? ", own agent, started when asked" : ""}
        </div>
      </td>
      <td data-head="read over">
        {host.channel === "ssh" ? "SSH" : "WinRM"}{" "}
        <span className="mono nowrap">
          {visible(host.address)}:{host.port}
        </span>
      </td>
      <td data-head="as">
        <span className="mono">{visible(host.account || "–")}</span>
        <div className="dim small">{visible(host.credential_name)}</div>
      </td>
      <td data-head="key">
        <Key host={host} />
      </td>
      <td data-head="last read" className="dim nowrap">
        <Instant at={host.last_ok_at} none="not read yet" />
      </td>
      <td data-head="last try" className={styles.error}>
        <LastTry host={host} />
      </td>
      <td data-head="">
        <span className={styles.acts}>
          <Button size="compact-sm" onClick={changing.open} aria-label={`Change ${name}`}>
            Change
          </Button>
          <Button size="compact-sm" onClick={removing.open} aria-label={`Stop reading ${name}`}>
            Stop reading
          </Button>
        </span>
        <Modal opened={isChanging} onClose={changing.close} title={`How ${name} is read`} closeButtonProps={{ "aria-label": "Close" }}>
          <ChangeHost host={host} close={changing.close} />
        </Modal>
        <Modal opened={isRemoving} onClose={removing.close} title={`Stop reading ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
          <RemoveHost host={host} close={removing.close} />
        </Modal>
      </td>
    </tr>
  );
}

function Key({ host }: { host: CollectedHost }) {
  const pin = host.pins[0];
  const isRefused = isKeyRefused(host);
  return (
    <div className={styles.pins}>
      {host.is_ca_trusted ? <Outcome status="pass">by its CA</Outcome> : null}
      {pin ? (
        <span className="nowrap">
          <Outcome status={isRefused ? "fail" : "pass"}>{isRefused ? "another key" : "confirmed"}</Outcome>{" "}
          <span className={`mono ${styles.pin}`} title={pin}>
            {pin}
          </span>
          <CopyAction text={pin} label="fingerprint" />
        </span>
      ) : null}
      {!pin && !host.is_ca_trusted ? <Outcome status="warn">not confirmed</Outcome> : null}
      {(!pin && !host.is_ca_trusted) || isRefused ? <ConfirmKey host={host} /> : null}
    </div>
  );
}

function LastTry({ host }: { host: CollectedHost }) {
  if (host.is_running) return <Outcome status="running">being read now</Outcome>;
  if (host.last_error) {
    return (
      <>
        <Outcome status="fail">failed</Outcome> <Instant at={host.last_tried_at} />: {visible(host.last_error)}
      </>
    );
  }
  if (host.source === "agent" && host.last_tried_at === null) return <span className="dim">nobody asked yet</span>;
  if (host.last_tried_at === null) return <span className="dim">{host.pins.length > 0 ? "comes soon" : "nothing is sent yet"}</span>;
  return <Outcome status="pass">read</Outcome>;
}
