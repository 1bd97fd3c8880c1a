import { Button, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, query } from "@/shared/api/client";
import type { VCenter, VCenterHost } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import styles from "./collection.module.css";
import { useVCenterHosts } from "./queries";

/** What a vCenter told of its hosts, and which of ours they are. A doubt is left to a person. */
export function VCenterHosts({ vcenter }: { vcenter: VCenter }) {
  const hosts = useVCenterHosts(vcenter.id);
  return (
    <Panel
      query={hosts}
      height={140}
      isEmpty={(data) => data.length === 0}
      empty={<Empty title="It tells of no host.">Its account may see none: give it the role Read-only on the vCenter itself.</Empty>}
    >
      {(data) => (
        <ScrollX>
          <table className="data" data-stacks>
            <thead>
              <tr>
                <th scope="col">in the vCenter</th>
                <th scope="col">cluster</th>
                <th scope="col">lockdown</th>
                <th scope="col">SSH</th>
                <th scope="col">maintenance</th>
                <th scope="col">host here</th>
              </tr>
            </thead>
            <tbody>
              {data.map((told) => (
                <Row key={told.moid} vcenter={vcenter} told={told} />
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}

function Row({ vcenter, told }: { vcenter: VCenter; told: VCenterHost }) {
  return (
    <tr>
      <td data-head="in the vCenter">
        <span className="strong">{visible(told.name)}</span>
        {told.connection && told.connection !== "connected" ? (
          <div>
            <Outcome status="warn">{told.connection.replace("_", " ")}</Outcome>
          </div>
        ) : null}
      </td>
      <td data-head="cluster">{visible(told.cluster) || <span className="dim">stands alone</span>}</td>
      <td data-head="lockdown">{lockdown(told.lockdown)}</td>
      <td data-head="SSH">
        {told.is_ssh_running === null ? (
          <Outcome status="unknown">not told</Outcome>
        ) : (
          <Outcome status={told.is_ssh_running ? "pass" : "warn"}>{told.is_ssh_running ? "runs" : "stopped"}</Outcome>
        )}
      </td>
      <td data-head="maintenance">
        {told.is_in_maintenance === null ? <Outcome status="unknown">not told</Outcome> : told.is_in_maintenance ? "yes" : "no"}
      </td>
      <td data-head="host here">
        <HostHere vcenter={vcenter} told={told} />
      </td>
    </tr>
  );
}

function lockdown(mode: VCenterHost["lockdown"]) {
  if (mode === null) return <Outcome status="unknown">not told</Outcome>;
  return mode === "disabled" ? <Outcome status="pass">off</Outcome> : <Outcome status="warn">{mode}</Outcome>;
}

function HostHere({ vcenter, told }: { vcenter: VCenter; told: VCenterHost }) {
  const client = useQueryClient();
  const [isLinking, setLinking] = useState(false);
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 200);
  const hosts = query.useQuery(
    "get",
    "/api/v1/hosts",
    { params: { query: { q: wanted, sort: "name", limit: 20 } } },
    { enabled: isLinking },
  );
  const link = useMutation({
    mutationFn: (host_id: string | null) =>
      api.PUT("/api/v1/collection/vcenters/{vcenter_id}/hosts/{moid}/link", {
        params: { path: { vcenter_id: vcenter.id, moid: told.moid } },
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
      {told.host ? (
        <Link to="/hosts/$hostId" params={{ hostId: told.host.id }} className="link strong">
          {visible(told.host.name)}
        </Link>
      ) : null}
      <span className="dim small">{visible(told.matched_words)}</span>
      {isLinking ? (
        <Select
          aria-label={`Host that ${told.name} is`}
          placeholder="Type its name"
          searchable
          data-autofocus
          nothingFoundMessage="No host of that name"
          data={(hosts.data?.items ?? [])
            .filter((one) => one.platform === "esxi")
            .map((one) => ({ value: one.id, label: visible(one.name) }))}
          searchValue={typed}
          onSearchChange={setTyped}
          onChange={(chosen) => (chosen ? link.mutate(chosen) : undefined)}
        />
      ) : (
        <span className={styles.acts} style={{ justifyContent: "flex-start" }}>
          <Button size="compact-xs" onClick={() => setLinking(true)} aria-label={`Link ${told.name} with a host`}>
            {told.host ? "Link another" : "Link with a host"}
          </Button>
          {told.host ? (
            <Button size="compact-xs" onClick={() => link.mutate(null)} loading={link.isPending} aria-label={`Unlink ${told.name}`}>
              Unlink
            </Button>
          ) : null}
        </span>
      )}
      {link.error ? <Failed error={link.error} /> : null}
    </div>
  );
}
