import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "./client";

const switchKey = ["get", "/api/v1/stop-switch"] as const;

/** The switch that stops everything; read often, because every page says when it is pulled. */
export const useStopSwitch = () => query.useQuery("get", "/api/v1/stop-switch", {}, { refetchInterval: 10_000 });

/** Stops everything, or lets jobs begin again. */
export function useSetStopSwitch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { is_stopped: boolean; reason: string }) => api.PUT("/api/v1/stop-switch", { body: given }),
    // Somebody else may have been quicker: then the page shows what they did.
    onSettled: () => client.invalidateQueries({ queryKey: switchKey }),
  });
}
