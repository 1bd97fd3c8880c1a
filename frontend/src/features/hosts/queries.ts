import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { HostFilters, HostsSearch } from "./search";

/** Rows asked for at once. */
const PAGE = 100;

export const DEFAULT_SORT = "score" satisfies NonNullable<HostsSearch["sort"]>;

/** Hosts that match, page by page as the list is scrolled; the last answer stays on screen while a new filter loads. */
export function useHostPages(filters: HostFilters, sort: NonNullable<HostsSearch["sort"]>) {
  return useInfiniteQuery({
    queryKey: ["get", "/api/v1/hosts", { filters, sort }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/hosts", { params: { query: { ...filters, sort, limit: PAGE, after: pageParam } }, signal });
      if (!response.data) throw new TypeError("the list of hosts had no body");
      return response.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export const useFacets = (filters: HostFilters) =>
  query.useQuery("get", "/api/v1/hosts/facets", { params: { query: filters } }, { placeholderData: keepPreviousData });

/** Clusters by a part of their name; the list holds the largest only. Asked once something is typed. */
export const useClusters = (filters: HostFilters, named: string) =>
  query.useQuery(
    "get",
    "/api/v1/hosts/facets/cluster",
    { params: { query: { ...filters, named } } },
    { enabled: named !== "", placeholderData: keepPreviousData },
  );
