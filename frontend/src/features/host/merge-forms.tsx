import { Button, Select, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, query } from "@/shared/api/client";
import type { GoneSubject, HostDetail } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { Instant } from "@/shared/ui/time-ago";

const GRID = { display: "grid", gap: 14 } as const;

/** A host that was imaged anew and enrolled under a new id goes on as its old self. */
export function MergeHost({ host, close }: { host: HostDetail; close: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 200);
  const [old, setOld] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const found = query.useQuery("get", "/api/v1/hosts", {
    params: { query: { q: wanted, sort: "name", limit: 20, state: ["active", "quarantined", "retired"], platform: [host.platform] } },
  });
  const choices = (found.data?.items ?? []).filter((one) => one.id !== host.id);
  const merge = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/hosts/{host_id}/merge", { params: { path: { host_id: host.id } }, body: { old_id: old ?? "", reason } }),
    onSuccess: async () => {
      notifications.show({ message: `${host.name} goes on with the history of its old self.` });
      await client.invalidateQueries();
      close();
    },
  });
  return (
    <div style={GRID}>
      <p>
        For a machine that was imaged anew and enrolled under a new id. {visible(host.name)} takes over the other one's history, counters,
        waivers, tags and group; the other one is retired. It cannot be undone.
      </p>
      <Select
        label="Its old self"
        placeholder="Type its name"
        searchable
        nothingFoundMessage="No host of that name"
        data={choices.map((one) => ({ value: one.id, label: `${visible(one.name)}, ${one.state}, ${one.id.slice(0, 8)}` }))}
        value={old}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={setOld}
      />
      <Textarea label="Reason" autosize minRows={2} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      {merge.error ? <Failed error={merge.error} /> : null}
      <Button variant="filled" disabled={old === null || reason.trim().length < 3} onClick={() => merge.mutate()} loading={merge.isPending}>
        Merge the two
      </Button>
    </div>
  );
}

const keyOf = (gone: GoneSubject) => `${gone.kind}/${gone.id}`;

/** A card that was swapped: what was known of the old one goes on under the new one. */
export function MergeSubject({ host, close }: { host: HostDetail; close: () => void }) {
  const gone = query.useQuery("get", "/api/v1/hosts/{host_id}/gone-subjects", { params: { path: { host_id: host.id } } });
  return (
    <Panel
      query={gone}
      height={180}
      isEmpty={(data) => data.length === 0}
      empty={
        <Empty title="Nothing is missing.">Every adapter, interface, initiator and volume that this host ever had is still there.</Empty>
      }
    >
      {(data) => <SubjectForm host={host} gone={data} close={close} />}
    </Panel>
  );
}

function SubjectForm({ host, gone, close }: { host: HostDetail; gone: GoneSubject[]; close: () => void }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const [instead, setInstead] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const old = gone.find((one) => keyOf(one) === chosen);
  const merge = useMutation({
    mutationFn: async () => {
      if (!old || instead === null) return;
      await api.POST("/api/v1/hosts/{host_id}/merge-subjects", {
        params: { path: { host_id: host.id } },
        body: { kind: old.kind, old_id: old.id, new_id: instead, reason },
      });
    },
    onSuccess: async () => {
      await client.invalidateQueries();
      close();
    },
  });
  return (
    <div style={GRID}>
      <p>What was known of the part that is gone (its changes, counters, waivers, role and fabric) goes on under the one in its place.</p>
      <Select
        label="Gone"
        data={gone.map((one) => ({ value: keyOf(one), label: `${one.kind} ${visible(one.name)} (${visible(one.id)})` }))}
        value={chosen}
        onChange={(value) => {
          setChosen(value);
          setInstead(null);
        }}
      />
      {old ? (
        <span className="dim small">
          gone <Instant at={old.gone_at} />
        </span>
      ) : null}
      <Select
        label="In its place"
        disabled={!old}
        data={(old?.instead ?? []).map((one) => ({ value: one.id, label: `${visible(one.name)} (${visible(one.id)})` }))}
        value={instead}
        onChange={setInstead}
      />
      <Textarea label="Reason" autosize minRows={2} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      {merge.error ? <Failed error={merge.error} /> : null}
      <Button
        variant="filled"
        disabled={!old || instead === null || reason.trim().length < 3}
        onClick={() => merge.mutate()}
        loading={merge.isPending}
      >
        Merge the two
      </Button>
    </div>
  );
}
