import { notifications } from "@mantine/notifications";
import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Range } from "@/entities/counters/ranges";
import type { HostDetail } from "@/entities/host/types";
import { api, query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { Schemas } from "@/shared/api/schemas";
import { useChange } from "@/shared/api/use-change";

const of = (host_id: string) => ({ params: { path: { host_id } } });

export const useScore = (id: string, isWanted: boolean) =>
  query.useQuery("get", "/api/v1/hosts/{host_id}/score", of(id), { enabled: isWanted });
export const useSettings = (id: string) => query.useQuery("get", "/api/v1/hosts/{host_id}/settings", of(id));
export const usePaths = (id: string) => query.useQuery("get", "/api/v1/hosts/{host_id}/paths", of(id));

export const probesKey = (id: string) => ["get", "/api/v1/hosts/{host_id}/probes", of(id)] as const;
/** The pings that people asked for; read again at once while some are under way. */
export const useProbes = (id: string) =>
  query.useQuery("get", "/api/v1/hosts/{host_id}/probes", of(id), {
    refetchInterval: ({ state }) => (["waiting", "running"].includes(state.data?.[0]?.state ?? "") ? 1000 : 30_000),
  });

/** Hosts of one system that a host may go on as, also those that are retired. */
export const useMergeChoices = (host: HostDetail, q: string) =>
  query.useQuery("get", "/api/v1/hosts", {
    params: { query: { q, sort: "name", limit: 20, state: ["active", "quarantined", "retired"], platform: [host.platform] } },
  });

export const useGoneSubjects = (id: string) => query.useQuery("get", "/api/v1/hosts/{host_id}/gone-subjects", of(id));

export const useUpdateHost = (id: string) =>
  useChange((body: Schemas["HostUpdate"]) => api.PATCH("/api/v1/hosts/{host_id}", { ...of(id), body }));

export const useHoldHost = (id: string) =>
  useChange((body: Schemas["HoldCreate"]) => api.PUT("/api/v1/hosts/{host_id}/hold", { ...of(id), body }));

/** Ends a hold at once: what waits may begin within minutes. */
export function useReleaseHost(host: HostDetail) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE("/api/v1/hosts/{host_id}/hold", of(host.id)),
    onSuccess: () => notifications.show({ message: `${host.name} is no longer on hold.` }),
    onError: (error) => notifications.show({ title: "Couldn't release the hold", message: ApiProblem.of(error).message }),
    onSettled: () => client.invalidateQueries(),
  });
}

export const useRetireHost = (id: string) =>
  useChange((reason: string) => api.POST("/api/v1/hosts/{host_id}/retire", { ...of(id), body: { reason } }));

export const useMergeHost = (id: string) =>
  useChange((body: Schemas["HostMerge"]) => api.POST("/api/v1/hosts/{host_id}/merge", { ...of(id), body }));

export const useMergeSubjects = (id: string) =>
  useChange((body: Schemas["SubjectMerge"]) => api.POST("/api/v1/hosts/{host_id}/merge-subjects", { ...of(id), body }));

// The host's newest sections are read again in the background; by then its checks say what became of the value.
const EVALUATED_AGAIN_MS = 4000;

/** Enters a setting that the host cannot tell; null takes it back. */
export function useEnterValue(id: string, address: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (value: string | null) => api.PATCH("/api/v1/hosts/{host_id}", { ...of(id), body: { entered: { [address]: value } } }),
    onSuccess: (_, value) => {
      notifications.show({ message: value === null ? "Value cleared. Re-evaluating the host." : "Value saved. Re-evaluating the host." });
      void client.invalidateQueries();
      setTimeout(() => void client.invalidateQueries(), EVALUATED_AGAIN_MS);
    },
  });
}

/** Changes of one host, newest first, as many as were asked for so far. */
/** What happened on a host: since its enrolment where no range is given. */
export const useTimeline = (host_id: string, range: Range, unread: boolean) =>
  query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/timeline",
    { params: { path: { host_id }, query: { ...range, unread } } },
    { placeholderData: keepPreviousData },
  );

/** Whether the host can be reached for changes, and why not. */
export const useReach = (host_id: string, isWanted: boolean) =>
  query.useQuery("get", "/api/v1/hosts/{host_id}/reach", { params: { path: { host_id } } }, { enabled: isWanted, staleTime: 30_000 });
