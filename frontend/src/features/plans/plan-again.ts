import { useNavigate } from "@tanstack/react-router";
import { useDraftPlan, withdrawPlan } from "@/entities/plan/queries";
import type { PlanCreate, PlanDetail } from "@/entities/plan/types";

/** The settings that a plan was drafted for, as a new draft takes them. */
export const settingsOf = (plan: PlanDetail): NonNullable<PlanCreate["settings"]> =>
  ((plan.request.settings ?? []) as NonNullable<PlanCreate["settings"]>).map(({ host_id, key, subject_id, to, reference }) => ({
    host_id,
    key,
    subject_id,
    to,
    reference,
  }));

/** Plans the same findings and settings again on the facts of now, with what is given changed; the plan before is withdrawn and the new one is shown. */
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
        settings: settingsOf(plan),
        options: (plan.request.options ?? {}) as PlanCreate["options"],
        reason: plan.reason,
        ticket: plan.ticket,
        window_id: plan.window_id,
        ...changed,
      }),
  };
}
