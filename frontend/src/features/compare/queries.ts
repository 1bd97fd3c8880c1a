import { keepPreviousData } from "@tanstack/react-query";
import { query } from "@/shared/api/client";
import type { CompareSearch } from "./search";

/** What the address asks for, as the API takes it. A reference that lacks its host or date falls back to the peers. */
export function comparisonFilters({ with: reference = "peers", other, at, same }: CompareSearch) {
  const isWhole = (reference !== "host" || other !== undefined) && (reference !== "date" || at !== undefined);
  return {
    reference: isWhole ? reference : ("peers" as const),
    other: reference === "host" ? other : undefined,
    at: reference === "date" ? at : undefined,
    same: same === "yes" || undefined,
  };
}

export const useComparison = (host_id: string, search: CompareSearch) =>
  query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/comparison",
    { params: { path: { host_id }, query: comparisonFilters(search) } },
    { placeholderData: keepPreviousData },
  );
