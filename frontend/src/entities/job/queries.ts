import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { JobRow } from "./types";

/** Every read of job lists, whatever its filter. */
export const jobsKey = ["get", "/api/v1/jobs"] as const;
export const jobKey = (id: number) => ["get", "/api/v1/jobs/{job_id}", { params: { path: { job_id: id } } }] as const;

interface JobFilter {
  state?: string[] | undefined;
  host?: string | undefined;
  plan?: number | undefined;
  is_open?: boolean | undefined;
}

/** Jobs page by page, newest first; read again while the page is open, often where some of them are under way. */
export function useJobs(filter: JobFilter) {
  return useInfiniteQuery({
    queryKey: [...jobsKey, filter] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/jobs", { params: { query: { ...filter, after: pageParam } }, signal });
      if (!response.data) throw new TypeError("the list of jobs had no body");
      return response.data;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.next ? Number(last.next) : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some(isOpen)) ? 3000 : 10_000),
  });
}

/** Jobs that have not ended, for the tray: one page of them, which says whether there are more. */
export const useOpenJobs = () =>
  query.useQuery(
    "get",
    "/api/v1/jobs",
    { params: { query: { is_open: true, limit: 20 } } },
    { refetchInterval: ({ state }) => (state.data?.items.length ? 3000 : 10_000) },
  );

/** Changes that wait for a restart or for new sessions, of the fleet or of one host. */
export const usePendingEffects = (host_id?: string) =>
  query.useQuery("get", "/api/v1/pending-effects", { params: { query: { host_id } } }, { refetchInterval: 30_000 });

/** Whether it has not ended. An ended job has a time of its end, whatever its state is called. */
export const isOpen = (job: Pick<JobRow, "finished_at">): boolean => job.finished_at === null;
