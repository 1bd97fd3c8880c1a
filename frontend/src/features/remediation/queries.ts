import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/api/client";
import { planKey, plansKey } from "@/api/plans";
import type { PlanDetail } from "@/api/types";

/** How often a plan is read again, by its state; in milliseconds. A plan that ended is not. */
const PACE: Record<string, number> = {
  DRAFT: 1000,
  PLANNING: 1000,
  PLANNED: 30_000,
  AWAITING_APPROVAL: 10_000,
  APPROVED: 3000,
  RUNNING: 3000,
  PAUSED: 5000,
};

export const usePlan = (id: number) =>
  query.useQuery(
    "get",
    "/api/v1/plans/{plan_id}",
    { params: { path: { plan_id: id } } },
    { refetchInterval: (read) => PACE[read.state.data?.state ?? ""] ?? false },
  );

export const useStandingApprovals = (isWanted: boolean) =>
  query.useQuery("get", "/api/v1/standing-approvals", {}, { enabled: isWanted, staleTime: 60_000 });

export const useWindows = () => query.useQuery("get", "/api/v1/windows", {}, { staleTime: 60_000 });

/** One act on a plan; the answer is the plan as it then is. */
function usePlanAct<T>(id: number, act: (given: T) => Promise<{ data?: PlanDetail }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: T) => {
      const { data } = await act(given);
      if (!data) throw new TypeError("the plan had no body");
      return data;
    },
    onSuccess: (plan) => {
      client.setQueryData(planKey(id), plan);
      void client.invalidateQueries({ queryKey: plansKey });
    },
    // Somebody else was quicker: the page shows what they did.
    onError: () => void client.invalidateQueries({ queryKey: planKey(id) }),
  });
}

const on = (id: number) => ({ params: { path: { plan_id: id } } });

export const useSubmit = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/submit", { ...on(id), body: { reason } }));

export const useApprove = (id: number) =>
  usePlanAct(id, (password: string) => api.POST("/api/v1/plans/{plan_id}/approve", { ...on(id), body: { password } }));

export const useRefuse = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/refuse", { ...on(id), body: { reason } }));

export const useWithdraw = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/withdraw", { ...on(id), body: { reason } }));

export const useStop = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/stop", { ...on(id), body: { reason } }));

export const useResume = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/resume", { ...on(id), body: { reason } }));

export const useBreakGlass = (id: number) =>
  usePlanAct(id, (given: { reason: string; password: string }) =>
    api.POST("/api/v1/plans/{plan_id}/break-glass", { ...on(id), body: given }),
  );

export const useRunUnderStanding = (id: number) =>
  usePlanAct(id, (standing_id: number) => api.POST("/api/v1/plans/{plan_id}/run-under-standing", { ...on(id), body: { standing_id } }));

/** The plan as text: a script, or a playbook; `isUndo` for the way back. */
export async function planText(id: number, form: "script" | "ansible", isUndo: boolean): Promise<string> {
  const { data } = await api.GET("/api/v1/plans/{plan_id}/text", {
    ...on(id),
    params: { path: { plan_id: id }, query: { form, undo: isUndo } },
    parseAs: "text",
  });
  return data ?? "";
}
