import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { CollectedHost } from "./types";

export const collectedHostsKey = ["get", "/api/v1/collection/hosts"] as const;

/** Whether the host shows another key than the confirmed one: after a new installation, or because it is not the host. */
export const isKeyRefused = (host: CollectedHost): boolean => host.last_error_code === "host_identity_wrong";

/** Whether something about this host is under way: it is read now, or has been asked for its key and did not answer yet. */
const isUnderWay = (host: CollectedHost): boolean =>
  host.is_running || (host.shown_at === null && (isKeyRefused(host) || (host.pins.length === 0 && !host.is_ca_trusted)));

/** Hosts that Plumbline reads; asked again often while one of them is under way. */
export const useCollectedHosts = () =>
  query.useQuery(
    "get",
    "/api/v1/collection/hosts",
    {},
    { refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 2_000 : 10_000) },
  );

/** Asks a host which key it shows; no credential is sent. */
export function useFetchHostKey(hostId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST("/api/v1/collection/hosts/{host_id}/look", { params: { path: { host_id: hostId } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: collectedHostsKey }),
  });
}

/** Pins what a person compared with the host's own console. */
export function useConfirmHostKey(hostId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fingerprint: string) =>
      api.POST("/api/v1/collection/hosts/{host_id}/confirm", { params: { path: { host_id: hostId } }, body: { fingerprint } }),
    onSuccess: () => client.invalidateQueries({ queryKey: collectedHostsKey }),
  });
}
