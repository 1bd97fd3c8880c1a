import { keepPreviousData, useInfiniteQuery, useMutation, useQueries } from "@tanstack/react-query";
import { packQuery, usePacks } from "@/entities/pack/queries";
import { api } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";

/** The hosts of a run, page by page. */
export function useRunHosts(run: number) {
  return useInfiniteQuery({
    queryKey: ["get", "/api/v1/judging-runs/{run_id}/hosts", run] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/judging-runs/{run_id}/hosts", {
        params: { path: { run_id: run }, query: { after: pageParam, limit: 50 } },
        signal,
      });
      if (!response.data) throw new TypeError("the list of hosts had no body");
      return response.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useStartPastRun() {
  return useMutation({
    mutationFn: async ({ at, group, versions }: { at: string; group: number; versions: number[] }) =>
      requireBody((await api.POST("/api/v1/past-runs", { body: { as_of: at, group_id: group, version_ids: versions } })).data),
  });
}

/** Every published version as a choice, by pack. Packs are few. */
export function useVersionChoices() {
  const packs = usePacks();
  const details = useQueries({
    queries: (packs.data?.items ?? []).map(({ pack }) => packQuery(pack)),
  });
  return details.flatMap(({ data }) =>
    data
      ? [{ group: data.title, items: data.versions.map((one) => ({ value: String(one.id), label: `${data.pack} ${one.version}` })) }]
      : [],
  );
}
