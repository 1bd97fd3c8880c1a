import { keepPreviousData } from "@tanstack/react-query";
import { query } from "@/shared/api/client";

/** Which series over which time. `from` and `to` are used before `hours`. */
export interface ChartRequest {
  host?: string[] | undefined;
  series?: string[] | undefined;
  hours?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  compare?: string | undefined;
}

/** Series of one or more hosts on common steps. A range that ends now is read again each minute. */
export const useCharts = (request: ChartRequest, isEnabled = true) =>
  query.useQuery(
    "get",
    "/api/v1/performance/charts",
    { params: { query: request } },
    { enabled: isEnabled, placeholderData: keepPreviousData, refetchInterval: request.to === undefined ? 60_000 : false },
  );
