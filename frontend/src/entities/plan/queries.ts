import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { PlanCreate, PlanDetail } from "./types";

/** Every read of plans, whatever its filter. */
export const plansKey = ["get", "/api/v1/plans"] as const;
export const planKey = (id: number) => ["get", "/api/v1/plans/{plan_id}", { params: { path: { plan_id: id } } }] as const;

/** Drafts a plan; it is planned in the background, and its page shows how that goes. */
export function useDraftPlan(whenDrafted: (plan: PlanDetail) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: Partial<PlanCreate>) => {
      const response = await api.POST("/api/v1/plans", {
        body: { title: "", reason: "", ticket: "", options: {}, ...request } as PlanCreate,
      });
      if (!response.data) throw new TypeError("the plan had no body");
      return response.data;
    },
    onSuccess: (plan) => {
      client.setQueryData(planKey(plan.id), plan);
      void client.invalidateQueries({ queryKey: plansKey });
      whenDrafted(plan);
    },
  });
}

/** How often a plan is read again, by its state; in milliseconds. A plan that ended is not. */
const REREAD_MS: Record<string, number> = {
  DRAFT: 1000,
  PLANNING: 1000,
  PLANNED: 30_000,
  AWAITING_APPROVAL: 10_000,
  APPROVED: 3000,
  RUNNING: 3000,
  PAUSED: 5000,
};

/** One plan, read again as often as its state asks for. */
export const usePlan = (id: number) =>
  query.useQuery(
    "get",
    "/api/v1/plans/{plan_id}",
    { params: { path: { plan_id: id } } },
    { refetchInterval: (read) => REREAD_MS[read.state.data?.state ?? ""] ?? false },
  );

/** One act on a plan; the answer is the plan as it then is. */
export function usePlanAct<T>(id: number, act: (given: T) => Promise<{ data?: PlanDetail }>) {
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

export const planPath = (id: number) => ({ params: { path: { plan_id: id } } });

export const useSubmit = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/submit", { ...planPath(id), body: { reason } }));

export const withdrawPlan = (id: number, reason: string) =>
  api.POST("/api/v1/plans/{plan_id}/withdraw", { ...planPath(id), body: { reason } });

export const useWithdraw = (id: number) => usePlanAct(id, (reason: string) => withdrawPlan(id, reason));

export const useRunUnderStanding = (id: number) =>
  usePlanAct(id, (standing_id: number) =>
    api.POST("/api/v1/plans/{plan_id}/run-under-standing", { ...planPath(id), body: { standing_id } }),
  );
