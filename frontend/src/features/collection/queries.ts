import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { collectedHostsKey } from "@/entities/credential/queries";
import type { CredentialKind } from "@/entities/credential/types";
import { waitingHostsKey } from "@/entities/host/queries";
import { api, query } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";
import type { Schemas } from "@/shared/api/schemas";
import type { Trial, VCenter } from "./types";

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

/** What a vCenter reports of its hosts. */
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
      client.invalidateQueries({ queryKey: waitingHostsKey }),
    ]);
  };
}

/** A change of a connection; credentials, hosts and vCenters are read again. */
function useConnectionChange<Given, Made>(change: (given: Given) => Promise<Made>) {
  const refresh = useRefresh();
  return useMutation({ mutationFn: change, onSuccess: refresh });
}

const credentialPath = (credential_id: number) => ({ params: { path: { credential_id } } });
const hostPath = (host_id: string) => ({ params: { path: { host_id } } });
const vcenterPath = (vcenter_id: number) => ({ params: { path: { vcenter_id } } });

export const useCreateCredential = () =>
  useConnectionChange((body: Schemas["CredentialCreate"]) => api.POST("/api/v1/collection/credentials", { body }));

export const useReplaceCredential = (id: number) =>
  useConnectionChange((body: Schemas["CredentialReplace"]) =>
    api.PATCH("/api/v1/collection/credentials/{credential_id}", { ...credentialPath(id), body }),
  );

export const useStopCredential = (id: number) =>
  useConnectionChange((reason: string) =>
    api.POST("/api/v1/collection/credentials/{credential_id}/stop", { ...credentialPath(id), body: { reason } }),
  );

export const useCreateCollectedHost = () =>
  useConnectionChange((body: Schemas["CollectedHostCreate"]) => api.POST("/api/v1/collection/hosts", { body }));

export const useUpdateCollectedHost = (id: string) =>
  useConnectionChange((body: Schemas["CollectedHostUpdate"]) => api.PATCH("/api/v1/collection/hosts/{host_id}", { ...hostPath(id), body }));

export const useRemoveCollectedHost = (id: string) =>
  useConnectionChange(() => api.DELETE("/api/v1/collection/hosts/{host_id}", hostPath(id)));

export const useCreateVCenter = () =>
  useConnectionChange((body: Schemas["VCenterCreate"]) => api.POST("/api/v1/collection/vcenters", { body }));

export const useReadVCenter = (id: number) =>
  useConnectionChange(() => api.POST("/api/v1/collection/vcenters/{vcenter_id}/read", vcenterPath(id)));

export const useRemoveVCenter = (id: number) =>
  useConnectionChange(() => api.DELETE("/api/v1/collection/vcenters/{vcenter_id}", vcenterPath(id)));

/** Asks a vCenter which certificate it shows; no credential is sent. */
export const useFetchVCenterCertificate = (id: number) =>
  useConnectionChange(() => api.POST("/api/v1/collection/vcenters/{vcenter_id}/look", vcenterPath(id)));

/** Pins what a person compared with the vCenter's own console. */
export const useConfirmVCenter = (id: number) =>
  useConnectionChange((fingerprint: string) =>
    api.POST("/api/v1/collection/vcenters/{vcenter_id}/confirm", { ...vcenterPath(id), body: { fingerprint } }),
  );

/** Whether a test of a credential has ended. */
export const isOver = (trial: Trial | undefined): boolean => trial !== undefined && trial.state !== "waiting" && trial.state !== "running";

/** Signs in to one host once, and follows that until it ends. */
export function useTestCredential(id: number) {
  const refresh = useRefresh();
  const test = useMutation({
    mutationFn: async (host_id: string) =>
      requireBody(
        (await api.POST("/api/v1/collection/credentials/{credential_id}/test", { ...credentialPath(id), body: { host_id } })).data,
      ),
  });
  const trialId = test.data?.id;
  const followed = useQuery({
    queryKey: ["get", "/api/v1/collection/tests/{trial_id}", trialId],
    enabled: trialId !== undefined,
    queryFn: async ({ signal }) => {
      const response = await api.GET("/api/v1/collection/tests/{trial_id}", { params: { path: { trial_id: trialId ?? 0 } }, signal });
      const trial = requireBody(response.data);
      if (isOver(trial)) await refresh();
      return trial;
    },
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 1_000),
  });
  return { test, trial: followed.data ?? test.data };
}

/** Each kind of credential: what people call it, over which channel it signs in, and what it consists of. */
export const KINDS: Record<
  CredentialKind,
  { label: string; channel: "ssh" | "winrm" | "vcenter"; parts: ("private_key" | "password" | "certificate")[] }
> = {
  ssh_key: { label: "SSH key (ESXi)", channel: "ssh", parts: ["private_key"] },
  ssh_password: { label: "SSH password (ESXi)", channel: "ssh", parts: ["password"] },
  certificate: { label: "Client certificate (Windows)", channel: "winrm", parts: ["certificate", "private_key"] },
  kerberos: { label: "Kerberos (Windows, worker's ticket)", channel: "winrm", parts: [] },
  ntlm: { label: "NTLM (Windows)", channel: "winrm", parts: ["password"] },
  vcenter: { label: "vCenter account (read-only)", channel: "vcenter", parts: ["password"] },
};

export const kindOf = (kind: string) => KINDS[kind as CredentialKind] as (typeof KINDS)[CredentialKind] | undefined;
