import { useNavigate } from "@tanstack/react-router";
import { useDraftPlan, withdrawPlan } from "@/entities/plan/queries";
import type { PlanCreate, PlanDetail } from "@/entities/plan/types";

/** Plans the same findings again on the facts of now, with what is given changed; the plan before is withdrawn and the new one is shown. */
export function usePlanAgain(plan: PlanDetail) {
  const navigate = useNavigate();
  const draft = useDraftPlan((made) => {
    void withdrawPlan(plan.id, `replaced by plan ${made.id}`);
    void navigate({ to: "/remediate/$planId", params: { planId: String(made.id) }, replace: true });
  });
  return {
    mutateAsync: (changed: Partial<PlanCreate>) =>
      draft.mutateAsync({
        findings: plan.request.findings as PlanCreate["findings"],
        options: (plan.request.options ?? {}) as PlanCreate["options"],
        reason: plan.reason,
        ticket: plan.ticket,
        window_id: plan.window_id,
        ...changed,
      }),
  };
}
