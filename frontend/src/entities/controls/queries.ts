import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";

const switchKey = ["get", "/api/v1/stop-switch"] as const;

/** The switch that stops everything; read often, because every page says when it is pulled. */
export const useStopSwitch = () => query.useQuery("get", "/api/v1/stop-switch", {}, { refetchInterval: 10_000 });

/** Stops everything, or lets jobs begin again; what a restore stopped is lifted by an act of its own. */
export function useSetStopSwitch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ is_stopped, is_restored, reason }: { is_stopped: boolean; is_restored: boolean; reason: string }) =>
      is_restored
        ? api.POST("/api/v1/stop-switch/lift-restore", { body: { reason } })
        : api.PUT("/api/v1/stop-switch", { body: { is_stopped, reason } }),
    // Somebody else may have been quicker: then the page shows what they did.
    onSettled: () => client.invalidateQueries({ queryKey: switchKey }),
  });
}

/** Every read of the alarm for plans that run without an approver. */
export const breakGlassKey = ["get", "/api/v1/broken-glass"] as const;

/** Plans that run without an approver and that nobody has reviewed; read often, because every page says so. */
export const useBreakGlassAlarms = () => query.useQuery("get", "/api/v1/broken-glass", {}, { refetchInterval: 20_000 });

/** Every read of the standing approvals, and of the maintenance windows. */
export const standingApprovalsKey = ["get", "/api/v1/standing-approvals"] as const;
export const windowsKey = ["get", "/api/v1/windows"] as const;

export const useStandingApprovals = () => query.useQuery("get", "/api/v1/standing-approvals", {}, { refetchInterval: 30_000 });
export const useWindows = (group?: number) =>
  query.useQuery("get", "/api/v1/windows", { params: { query: { group } } }, { refetchInterval: 30_000 });
