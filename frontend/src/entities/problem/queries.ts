import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";

const onCallKey = ["get", "/api/v1/on-call"] as const;

/** Open problems of all groups, or of one with its subgroups; read again while the page is open, and at once when a host checks in. */
export const useOnCall = (group?: number) =>
  query.useQuery("get", "/api/v1/on-call", { params: { query: group === undefined ? {} : { group } } }, { refetchInterval: 10_000 });

/** One act on a problem; the list is read again, also where it was refused: the problem may be over. */
function useProblemAct<T>(act: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSettled: () => client.invalidateQueries({ queryKey: onCallKey }) });
}

const at = (problem: string) => ({ params: { path: { problem } } });

export const useAcknowledge = (problem: string) =>
  useProblemAct((_: undefined) => api.PUT("/api/v1/on-call/{problem}/acknowledgement", { ...at(problem), body: {} }));

export const useSnooze = (problem: string) =>
  useProblemAct((given: { until: string; reason: string }) => api.PUT("/api/v1/on-call/{problem}/snooze", { ...at(problem), body: given }));

export const useReleaseProblem = (problem: string) =>
  useProblemAct((_: undefined) => api.DELETE("/api/v1/on-call/{problem}/note", at(problem)));
