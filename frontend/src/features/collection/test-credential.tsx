import { Button, Select } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCollectedHosts } from "@/entities/credential/queries";
import { api } from "@/shared/api/client";
import type { Credential, Trial } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Empty, Failed } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./collection.module.css";
import { kindOf, useRefresh } from "./queries";

const isOver = (trial: Trial | undefined): boolean => trial !== undefined && trial.state !== "waiting" && trial.state !== "running";

/** Signs in to one host once and says what came of it. */
export function TestCredential({ credential }: { credential: Credential }) {
  const refresh = useRefresh();
  const collected = useCollectedHosts();
  const channel = kindOf(credential.kind)?.channel;
  const hosts = (collected.data ?? []).filter((host) => host.channel === channel && (host.pins.length > 0 || host.is_ca_trusted));
  const own = hosts.filter((host) => host.credential_id === credential.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const hostId = chosen ?? own[0]?.host_id ?? hosts[0]?.host_id ?? null;
  const ask = useMutation({
    mutationFn: async (host_id: string) => {
      const answer = await api.POST("/api/v1/collection/credentials/{credential_id}/test", {
        params: { path: { credential_id: credential.id } },
        body: { host_id },
      });
      if (!answer.data) throw new TypeError("the test had no body");
      return answer.data;
    },
  });
  const asked = ask.data?.id;
  const followed = useQuery({
    queryKey: ["get", "/api/v1/collection/tests/{trial_id}", asked],
    enabled: asked !== undefined,
    queryFn: async ({ signal }) => {
      const answer = await api.GET("/api/v1/collection/tests/{trial_id}", { params: { path: { trial_id: asked ?? 0 } }, signal });
      if (!answer.data) throw new TypeError("the test had no body");
      if (isOver(answer.data)) await refresh();
      return answer.data;
    },
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 1_000),
  });
  if (collected.data !== undefined && hosts.length === 0) {
    return (
      <Empty title="No host to sign in to.">Add a host that this credential is for, and confirm its key; then it can be tested.</Empty>
    );
  }
  const trial = followed.data ?? ask.data;
  return (
    <div className={styles.form}>
      <p>
        Plumbline signs in to one host once and runs nothing there. A refused sign-in counts: two within 15 minutes and it is not tried
        again, so that no account is locked.
      </p>
      <Select
        label="On the host"
        searchable
        data={hosts.map((host) => ({ value: host.host_id, label: host.name }))}
        value={hostId}
        onChange={setChosen}
        allowDeselect={false}
      />
      {ask.error ? <Failed error={ask.error} /> : null}
      {trial ? (
        <p role="status">
          <TrialOutcome trial={trial} />
        </p>
      ) : null}
      <Button
        variant="filled"
        disabled={hostId === null}
        loading={ask.isPending || (trial !== undefined && !isOver(trial))}
        onClick={() => hostId && ask.mutate(hostId)}
      >
        Sign in now
      </Button>
    </div>
  );
}

export function TrialOutcome({ trial }: { trial: Trial }) {
  if (trial.state === "waiting" || trial.state === "running")
    return <Outcome status="running">signing in to {visible(trial.host.name)}</Outcome>;
  if (trial.state === "accepted") {
    return (
      <>
        <Outcome status="pass">taken</Outcome> by {visible(trial.host.name)} <Instant at={trial.finished_at} />
      </>
    );
  }
  return (
    <>
      <Outcome status={trial.state === "rejected" ? "fail" : "warn"}>{trial.state === "rejected" ? "refused" : "not tried"}</Outcome>{" "}
      {visible(trial.words)}
    </>
  );
}
