import { useInfiniteQuery } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";

const of = (host_id: string) => ({ params: { path: { host_id } } });

export const useHost = (id: string) => query.useQuery("get", "/api/v1/hosts/{host_id}", of(id));
export const useFindings = (id: string) => query.useQuery("get", "/api/v1/hosts/{host_id}/findings", of(id));
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

export const useCounters = (id: string, hours: number, series: string[] | undefined) =>
  query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/counters",
    { params: { path: { host_id: id }, query: { hours, series: series?.join(",") } } },
    { refetchInterval: 60_000 },
  );

/** Changes of one host, newest first, as many as were asked for so far. */
export function useChanges(host_id: string) {
  return useInfiniteQuery({
    queryKey: ["get", "/api/v1/hosts/{host_id}/changes", { params: { path: { host_id } } }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.GET("/api/v1/hosts/{host_id}/changes", {
        params: { path: { host_id }, query: { after: pageParam, limit: 100 } },
        signal,
      });
      if (!answer.data) throw new TypeError("the list of changes had no body");
      return answer.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
}
