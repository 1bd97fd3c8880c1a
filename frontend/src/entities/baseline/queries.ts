import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { BaselineProposal } from "./types";

export const useBaseline = (baseline_id: number) =>
  query.useQuery("get", "/api/v1/baselines/{baseline_id}", { params: { path: { baseline_id } } });

export const useHostBaseline = (host_id: string) =>
  query.useQuery("get", "/api/v1/hosts/{host_id}/baseline", { params: { path: { host_id } } });

/** Proposes what a host, or every host of a group, is configured like now. Marks and lists are read again. */
export function useProposeBaseline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BaselineProposal) => api.POST("/api/v1/baselines", { body }),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Accepts, refuses or takes back a proposal. */
export function useDecideBaseline(baseline_id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, reason }: { act: "accept" | "refuse" | "withdraw"; reason: string }) =>
      api.POST(`/api/v1/baselines/{baseline_id}/${act}`, { params: { path: { baseline_id } }, body: { reason } }),
    onSuccess: () => client.invalidateQueries(),
  });
}
