import { useQueryClient } from "@tanstack/react-query";
import { breakGlassKey } from "@/entities/controls/queries";
import { planPath, usePlanAct } from "@/entities/plan/queries";
import { api } from "@/shared/api/client";

export const useApprove = (id: number) =>
  usePlanAct(id, (password: string) => api.POST("/api/v1/plans/{plan_id}/approve", { ...planPath(id), body: { password } }));

export const useRefuse = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/refuse", { ...planPath(id), body: { reason } }));

export const useStop = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/stop", { ...planPath(id), body: { reason } }));

export const useResume = (id: number) =>
  usePlanAct(id, (reason: string) => api.POST("/api/v1/plans/{plan_id}/resume", { ...planPath(id), body: { reason } }));

export const useBreakGlass = (id: number) =>
  usePlanAct(id, (given: { reason: string; password: string }) =>
    api.POST("/api/v1/plans/{plan_id}/break-glass", { ...planPath(id), body: given }),
  );

/** Says that somebody looked at what was run without an approver; the alarm above every page ends with it. */
export function useReview(id: number) {
  const client = useQueryClient();
  return usePlanAct(id, async (words: string) => {
    const response = await api.POST("/api/v1/plans/{plan_id}/review", { ...planPath(id), body: { words } });
    void client.invalidateQueries({ queryKey: breakGlassKey });
    return response;
  });
}

/** The plan as text: a script, or a playbook; `isUndo` for the way back. */
export async function planText(id: number, form: "script" | "ansible", isUndo: boolean): Promise<string> {
  const { data } = await api.GET("/api/v1/plans/{plan_id}/text", {
    ...planPath(id),
    params: { path: { plan_id: id }, query: { form, undo: isUndo } },
    parseAs: "text",
  });
  return data ?? "";
}
