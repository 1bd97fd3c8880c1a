import { useQueryClient } from "@tanstack/react-query";
import { query } from "@/api/client";
import { collectedHostsKey } from "@/api/collection";
import type { CredentialKind } from "@/api/types";

const credentialsKey = ["get", "/api/v1/collection/credentials"] as const;

export const useCredentials = () => query.useQuery("get", "/api/v1/collection/credentials");

/** Reads credentials and hosts again, since one names the other. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: credentialsKey }),
      client.invalidateQueries({ queryKey: collectedHostsKey }),
      client.invalidateQueries({ queryKey: ["get", "/api/v1/enrolment/waiting"] }),
    ]);
  };
}

/** Each kind of credential: what people call it, over which channel it signs in, and what it consists of. */
export const KINDS: Record<
  CredentialKind,
  { label: string; channel: "ssh" | "winrm"; parts: ("private_key" | "password" | "certificate")[] }
> = {
  ssh_key: { label: "SSH key (ESXi)", channel: "ssh", parts: ["private_key"] },
  ssh_password: { label: "SSH password (ESXi)", channel: "ssh", parts: ["password"] },
  certificate: { label: "Client certificate (Windows)", channel: "winrm", parts: ["certificate", "private_key"] },
  kerberos: { label: "Kerberos (Windows, domain)", channel: "winrm", parts: ["password"] },
  ntlm: { label: "NTLM (Windows)", channel: "winrm", parts: ["password"] },
};

export const kindOf = (kind: string) => KINDS[kind as CredentialKind] as (typeof KINDS)[CredentialKind] | undefined;
