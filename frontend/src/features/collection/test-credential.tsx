import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { useCollectedHosts } from "@/entities/credential/queries";
import type { Credential } from "@/entities/credential/types";
import { visible } from "@/shared/lib/text";
import { Empty, Failed } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { isOver, kindOf, useTestCredential } from "./queries";
import type { Trial } from "./types";

/** Signs in to one host once and says what came of it. */
export function TestCredential({ credential }: { credential: Credential }) {
  const { test, trial } = useTestCredential(credential.id);
  const collected = useCollectedHosts();
  const channel = kindOf(credential.kind)?.channel;
  const hosts = (collected.data ?? []).filter((host) => host.channel === channel && (host.pins.length > 0 || host.is_ca_trusted));
  const own = hosts.filter((host) => host.credential_id === credential.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const hostId = chosen ?? own[0]?.host_id ?? hosts[0]?.host_id ?? null;
  if (collected.data !== undefined && hosts.length === 0) {
    return <Empty title="No host to test with">Add a host that uses this credential and verify its key first.</Empty>;
  }
  return (
    <div className={styles.form}>
      <p>Plumbline signs in once and runs nothing. After two failed sign-ins within 15 minutes it stops, to avoid locking the account.</p>
      <Select
        label="Host"
        searchable
        data={hosts.map((host) => ({ value: host.host_id, label: host.name }))}
        value={hostId}
        onChange={setChosen}
        allowDeselect={false}
      />
      {test.error ? <Failed error={test.error} /> : null}
      {trial ? (
        <p role="status">
          <TrialOutcome trial={trial} />
        </p>
      ) : null}
      <Button
        variant="filled"
        disabled={hostId === null}
        loading={test.isPending || (trial !== undefined && !isOver(trial))}
        onClick={() => hostId && test.mutate(hostId)}
      >
        Test sign-in
      </Button>
    </div>
  );
}

export function TrialOutcome({ trial }: { trial: Trial }) {
  if (trial.state === "waiting" || trial.state === "running")
    return <StatusLabel status="running">Signing in to {visible(trial.host.name)}…</StatusLabel>;
  if (trial.state === "accepted") {
    return (
      <>
        <StatusLabel status="pass">Accepted</StatusLabel> by {visible(trial.host.name)} <TimeAgo at={trial.finished_at} />
      </>
    );
  }
  return (
    <>
      <StatusLabel status={trial.state === "rejected" ? "fail" : "warn"}>
        {trial.state === "rejected" ? "Rejected" : "Not attempted"}
      </StatusLabel>{" "}
      {visible(trial.words)}
    </>
  );
}
