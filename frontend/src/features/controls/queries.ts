import { useMutation, useQueryClient } from "@tanstack/react-query";
import { standingApprovalsKey, windowsKey } from "@/entities/controls/queries";
import type { FreezeCreate, StandingCreate, WindowCreate } from "@/entities/controls/types";
import { api, query } from "@/shared/api/client";

const freezesKey = ["get", "/api/v1/freezes"] as const;
const domainsKey = ["get", "/api/v1/domains"] as const;

export const useFreezes = () => query.useQuery("get", "/api/v1/freezes", {}, { refetchInterval: 30_000 });
export const useDomains = () => query.useQuery("get", "/api/v1/domains", {}, { refetchInterval: 5_000 });
export const useWorkers = () => query.useQuery("get", "/api/v1/remediation/workers", {}, { refetchInterval: 10_000 });

/** One act; the list it changes is read again, also where it was refused: somebody else may have been quicker. */
function useAct<T>(key: readonly string[], act: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSettled: () => client.invalidateQueries({ queryKey: key }) });
}

export const useSignStanding = () =>
  useAct(standingApprovalsKey, (body: StandingCreate) => api.POST("/api/v1/standing-approvals", { body }));
export const useWithdrawStanding = (standing_id: number) =>
  useAct(standingApprovalsKey, (reason: string) =>
    api.POST("/api/v1/standing-approvals/{standing_id}/withdraw", { params: { path: { standing_id } }, body: { reason } }),
  );
export const useMakeWindow = () => useAct(windowsKey, (body: WindowCreate) => api.POST("/api/v1/windows", { body }));
export const useEndWindow = (window_id: number) =>
  useAct(windowsKey, () => api.POST("/api/v1/windows/{window_id}/end", { params: { path: { window_id } } }));
export const useMakeFreeze = () => useAct(freezesKey, (body: FreezeCreate) => api.POST("/api/v1/freezes", { body }));
export const useEndFreeze = (freeze_id: number) =>
  useAct(freezesKey, () => api.POST("/api/v1/freezes/{freeze_id}/end", { params: { path: { freeze_id } } }));
export const useSetBudget = () => useAct(domainsKey, (body: { domain: string; slots: number }) => api.PUT("/api/v1/domains", { body }));
