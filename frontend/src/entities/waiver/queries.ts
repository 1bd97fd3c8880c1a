import { query } from "@/shared/api/client";

/** What waits for a decision and what ends soon. */
export const useWaiverNotices = () => query.useQuery("get", "/api/v1/waivers/notices", {}, { refetchInterval: 60_000 });
