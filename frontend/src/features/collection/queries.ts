import { useQueryClient } from "@tanstack/react-query";
import { collectedHostsKey } from "@/entities/credential/queries";
import { query } from "@/shared/api/client";
import type { CredentialKind, VCenter } from "@/shared/api/types";

const vcentersKey = ["get", "/api/v1/collection/vcenters"] as const;
const credentialsKey = ["get", "/api/v1/collection/credentials"] as const;

export const useCredentials = () => query.useQuery("get", "/api/v1/collection/credentials");

/** Whether something about this vCenter is under way: it is read now, or was asked for its certificate and did not answer yet. */
const isUnderWay = (one: VCenter): boolean => one.is_running || (one.pin === "" && one.shown_at === null);

export const useVCenters = () =>
  query.useQuery(
    "get",
    "/api/v1/collection/vcenters",
    {},
    { refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 2_000 : 15_000) },
  );

/** What a vCenter told of its hosts. */
export const useVCenterHosts = (id: number) =>
  query.useQuery("get", "/api/v1/collection/vcenters/{vcenter_id}/hosts", { params: { path: { vcenter_id: id } } });

/** Reads credentials and hosts again, since one names the other. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: credentialsKey }),
      client.invalidateQueries({ queryKey: collectedHostsKey }),
      client.invalidateQueries({ queryKey: vcentersKey }),
      client.invalidateQueries({ queryKey: ["get", "/api/v1/enrolment/waiting"] }),
    ]);
  };
}

/** Each kind of credential: what people call it, over which channel it signs in, and what it consists of. */
export const KINDS: Record<
  CredentialKind,
  { label: string; channel: "ssh" | "winrm" | "vcenter"; parts: ("private_key" | "password" | "certificate")[] }
> = {
  ssh_key: { label: "SSH key (ESXi)", channel: "ssh", parts: ["private_key"] },
  ssh_password: { label: "SSH password (ESXi)", channel: "ssh", parts: ["password"] },
  certificate: { label: "Client certificate (Windows)", channel: "winrm", parts: ["certificate", "private_key"] },
  kerberos: { label: "Kerberos (Windows, by the worker's own ticket)", channel: "winrm", parts: [] },
  ntlm: { label: "NTLM (Windows)", channel: "winrm", parts: ["password"] },
  vcenter: { label: "vCenter account, read only", channel: "vcenter", parts: ["password"] },
};

export const kindOf = (kind: string) => KINDS[kind as CredentialKind] as (typeof KINDS)[CredentialKind] | undefined;
