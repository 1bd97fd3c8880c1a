import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "./client";
import type { PlanCreate, PlanDetail } from "./types";

/** Every read of plans, whatever its filter. */
export const plansKey = ["get", "/api/v1/plans"] as const;
export const planKey = (id: number) => ["get", "/api/v1/plans/{plan_id}", { params: { path: { plan_id: id } } }] as const;

/** Drafts a plan; it is planned in the background, and its page shows how that goes. */
export function useDraftPlan(whenDrafted: (plan: PlanDetail) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (asked: Partial<PlanCreate>) => {
      const answer = await api.POST("/api/v1/plans", { body: { title: "", reason: "", ticket: "", options: {}, ...asked } as PlanCreate });
      if (!answer.data) throw new TypeError("the plan had no body");
      return answer.data;
    },
    onSuccess: (plan) => {
      client.setQueryData(planKey(plan.id), plan);
      void client.invalidateQueries({ queryKey: plansKey });
      whenDrafted(plan);
    },
  });
}
