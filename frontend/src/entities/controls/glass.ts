import { query } from "@/shared/api/client";

export const brokenGlassKey = ["get", "/api/v1/broken-glass"] as const;

/** Plans that run without an approver and that nobody has reviewed; read often, because every page says so. */
export const useBrokenGlass = () => query.useQuery("get", "/api/v1/broken-glass", {}, { refetchInterval: 20_000 });
