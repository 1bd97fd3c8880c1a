import { query } from "@/shared/api/client";

export const useFindings = (host_id: string, isWanted = true) =>
  query.useQuery("get", "/api/v1/hosts/{host_id}/findings", { params: { path: { host_id } } }, { enabled: isWanted });
