import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isOpen, jobKey, jobsKey } from "@/entities/job/queries";
import type { JobDetail } from "@/entities/job/types";
import { api, query } from "@/shared/api/client";

export const useJob = (id: number) =>
  query.useQuery(
    "get",
    "/api/v1/jobs/{job_id}",
    { params: { path: { job_id: id } } },
    { refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? 5000 : 60_000) },
  );

/** One act on a job; the answer is a job as it then is: this one, or the one that undoes it. */
function useJobAct<T>(id: number, act: (given: T) => Promise<{ data?: JobDetail }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: T) => {
      const { data } = await act(given);
      if (!data) throw new TypeError("the job had no body");
      return data;
    },
    onSuccess: (job) => {
      client.setQueryData(jobKey(job.id), job);
      void client.invalidateQueries({ queryKey: jobsKey });
      if (job.id !== id) void client.invalidateQueries({ queryKey: jobKey(id) });
    },
    // Somebody else was quicker: the page shows what they did.
    onError: () => void client.invalidateQueries({ queryKey: jobKey(id) }),
  });
}

const on = (id: number) => ({ params: { path: { job_id: id } } });

export const useCancel = (id: number) =>
  useJobAct(id, (reason: string) => api.POST("/api/v1/jobs/{job_id}/cancel", { ...on(id), body: { reason } }));

export const useUndo = (id: number) => useJobAct(id, (_: undefined) => api.POST("/api/v1/jobs/{job_id}/undo", on(id)));

export const useResolve = (id: number) =>
  useJobAct(id, (words: string) => api.POST("/api/v1/jobs/{job_id}/resolve", { ...on(id), body: { words } }));
