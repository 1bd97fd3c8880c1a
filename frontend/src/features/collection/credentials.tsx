import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import type { Credential } from "@/shared/api/types";
import { count } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { NewCredential, ReplaceCredential } from "./credential-forms";
import { kindOf, useCredentials, useRefresh } from "./queries";
import { TestCredential, TrialOutcome } from "./test-credential";

export function Credentials() {
  const credentials = useCredentials();
  const [isAdding, adding] = useDisclosure(false);
  return (
    <section className="section" aria-label="Credentials">
      <div className="row" style={{ marginBottom: 12 }}>
        <h2 style={{ margin: 0 }}>
          Credentials <span className="dim">{credentials.data ? count(credentials.data.length) : ""}</span>
        </h2>
        <Button onClick={adding.open}>Add a credential</Button>
      </div>
      <Modal opened={isAdding} onClose={adding.close} title="Add a credential" closeButtonProps={{ "aria-label": "Close" }}>
        <NewCredential close={adding.close} />
      </Modal>
      <Panel
        query={credentials}
        height={110}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No credential yet.">Add one for the account that reads your hosts; hosts can be added after that.</Empty>}
      >
        {(data) => (
          <ScrollX>
            <table className="data" data-stacks>
              <thead>
                <tr>
                  <th scope="col">name</th>
                  <th scope="col">kind</th>
                  <th scope="col">account</th>
                  <th scope="col">for the group</th>
                  <th scope="col" className="num">
                    hosts
                  </th>
                  <th scope="col">changed</th>
                  <th scope="col">state</th>
                  <th scope="col">
                    <span className="hidden-visually">change</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((credential) => (
                  <Row key={credential.id} credential={credential} />
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

function Row({ credential }: { credential: Credential }) {
  const [isTesting, testing] = useDisclosure(false);
  const [isReplacing, replacing] = useDisclosure(false);
  const [isStopping, stopping] = useDisclosure(false);
  const name = visible(credential.name);
  return (
    <tr>
      <td data-head="name" className="strong">
        {name}
      </td>
      <td data-head="kind">{kindOf(credential.kind)?.label ?? credential.kind}</td>
      <td data-head="account" className="mono">
        {visible(credential.account || "–")}
      </td>
      <td data-head="for the group">{visible(credential.group_name)}</td>
      <td data-head="hosts" className="num">
        {count(credential.hosts)}
      </td>
      <td data-head="changed" className="dim nowrap">
        <Instant at={credential.changed_at} />
      </td>
      <td data-head="state" className={styles.error}>
        {credential.stopped_at ? (
          <>
            <Outcome status="fail">stopped</Outcome> {visible(credential.stopped_reason)}
          </>
        ) : credential.last_trial ? (
          <TrialOutcome trial={credential.last_trial} />
        ) : (
          <span className="dim">in use, never tested</span>
        )}
      </td>
      <td data-head="">
        <span className={styles.acts}>
          {kindOf(credential.kind)?.channel === "vcenter" ? null : (
            <Button size="compact-sm" onClick={testing.open} disabled={credential.stopped_at !== null} aria-label={`Test ${name}`}>
              Test
            </Button>
          )}
          <Button size="compact-sm" onClick={replacing.open} aria-label={`Replace ${name}`}>
            Replace
          </Button>
          <Button size="compact-sm" onClick={stopping.open} disabled={credential.stopped_at !== null} aria-label={`Stop ${name}`}>
            Stop
          </Button>
        </span>
        <Modal opened={isTesting} onClose={testing.close} title={`Test ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
          <TestCredential credential={credential} />
        </Modal>
        <Modal opened={isReplacing} onClose={replacing.close} title={`Replace ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
          <ReplaceCredential credential={credential} close={replacing.close} />
        </Modal>
        <Modal opened={isStopping} onClose={stopping.close} title={`Stop ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
          <StopCredential credential={credential} close={stopping.close} />
        </Modal>
      </td>
    </tr>
  );
}

function StopCredential({ credential, close }: { credential: Credential; close: () => void }) {
  const refresh = useRefresh();
  const [reason, setReason] = useState("");
  const stop = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/collection/credentials/{credential_id}/stop", {
        params: { path: { credential_id: credential.id } },
        body: { reason: reason.trim() },
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  return (
    <div className={styles.form}>
      <p>No host is read with it until it is replaced. The reason is kept in the audit trail.</p>
      <Textarea label="Reason" autosize minRows={2} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      {stop.error ? <Failed error={stop.error} /> : null}
      <Button variant="filled" disabled={reason.trim().length < 3} loading={stop.isPending} onClick={() => stop.mutate()}>
        Stop the credential
      </Button>
    </div>
  );
}
