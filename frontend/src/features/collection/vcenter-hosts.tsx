import { Button, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHostSearch } from "@/entities/host/queries";
import { api } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import styles from "./collection.module.css";
import { useVCenterHosts } from "./queries";
import type { VCenter, VCenterHost } from "./types";

const columnsOf = (vcenter: VCenter): Column<VCenterHost>[] => [
  {
    head: "vCenter name",
    cell: (seen) => (
      <>
        <span className="strong">{visible(seen.name)}</span>
        {seen.connection && seen.connection !== "connected" ? (
          <div>
            <StatusLabel status="warn">{seen.connection.replace("_", " ")}</StatusLabel>
          </div>
        ) : null}
      </>
    ),
  },
  { head: "Cluster", cell: (seen) => visible(seen.cluster) || <span className="dim">Standalone</span> },
  { head: "Lockdown", cell: (seen) => lockdown(seen.lockdown) },
  {
    head: "SSH",
    cell: (seen) =>
      seen.is_ssh_running === null ? (
        <StatusLabel status="unknown">Unknown</StatusLabel>
      ) : (
        <StatusLabel status={seen.is_ssh_running ? "pass" : "warn"}>{seen.is_ssh_running ? "Running" : "Stopped"}</StatusLabel>
      ),
  },
  {
    head: "Maintenance",
    cell: (seen) =>
      seen.is_in_maintenance === null ? <StatusLabel status="unknown">Unknown</StatusLabel> : seen.is_in_maintenance ? "yes" : "no",
  },
  { head: "Plumbline host", cell: (seen) => <HostHere vcenter={vcenter} seen={seen} /> },
];

/** What a vCenter reports of its hosts, and which of ours they are. A doubt is left to a person. */
export function VCenterHosts({ vcenter }: { vcenter: VCenter }) {
  const hosts = useVCenterHosts(vcenter.id);
  return (
    <QueryPanel
      query={hosts}
      height={140}
      isEmpty={(data) => data.length === 0}
      empty={<Empty title="No hosts visible">Give the account the Read-only role on the vCenter object.</Empty>}
    >
      {(data) => <DataTable columns={columnsOf(vcenter)} rows={data} rowKey={(seen) => seen.moid} />}
    </QueryPanel>
  );
}

function lockdown(mode: VCenterHost["lockdown"]) {
  if (mode === null) return <StatusLabel status="unknown">Unknown</StatusLabel>;
  return mode === "disabled" ? <StatusLabel status="pass">off</StatusLabel> : <StatusLabel status="warn">{mode}</StatusLabel>;
}

function HostHere({ vcenter, seen }: { vcenter: VCenter; seen: VCenterHost }) {
  const client = useQueryClient();
  const [isLinking, setLinking] = useState(false);
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 200);
  const hosts = useHostSearch(wanted, isLinking);
  const link = useMutation({
    mutationFn: (host_id: string | null) =>
      api.PUT("/api/v1/collection/vcenters/{vcenter_id}/hosts/{moid}/link", {
        params: { path: { vcenter_id: vcenter.id, moid: seen.moid } },
        body: { host_id },
      }),
    onSuccess: async () => {
      setLinking(false);
      await client.invalidateQueries({ queryKey: ["get", "/api/v1/collection/vcenters/{vcenter_id}/hosts"] });
      await client.invalidateQueries({ queryKey: ["get", "/api/v1/collection/vcenters"] });
    },
  });
  return (
    <div className={styles.pins}>
      {seen.host ? (
        <Link to="/hosts/$hostId" params={{ hostId: seen.host.id }} className="link strong">
          {visible(seen.host.name)}
        </Link>
      ) : null}
      <span className="dim small">{visible(seen.matched_words)}</span>
      {isLinking ? (
        <Select
          aria-label={`Plumbline host for ${seen.name}`}
          placeholder="Type a host name"
          searchable
          data-autofocus
          nothingFoundMessage="No matching hosts"
          data={(hosts.data?.items ?? [])
            .filter((one) => one.platform === "esxi")
            .map((one) => ({ value: one.id, label: visible(one.name) }))}
          searchValue={typed}
          onSearchChange={setTyped}
          onChange={(chosen) => (chosen ? link.mutate(chosen) : undefined)}
        />
      ) : (
        <span className={styles.acts} style={{ justifyContent: "flex-start" }}>
          <Button size="compact-xs" onClick={() => setLinking(true)} aria-label={`Link ${seen.name} with a host`}>
            {seen.host ? "Change link" : "Link host"}
          </Button>
          {seen.host ? (
            <Button size="compact-xs" onClick={() => link.mutate(null)} loading={link.isPending} aria-label={`Unlink ${seen.name}`}>
              Unlink
            </Button>
          ) : null}
        </span>
      )}
      {link.error ? <Failed error={link.error} /> : null}
    </div>
  );
}
