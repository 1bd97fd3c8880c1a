import { keepPreviousData } from "@tanstack/react-query";
import { query } from "@/shared/api/client";
import type { CompareSearch } from "./search";

/** What the address asks for, as the API takes it. A reference that lacks its host, date or bundle falls back to the peers. */
export function comparisonFilters({ with: reference = "peers", other, at, assessed, same }: CompareSearch) {
  const needed = { host: other, date: at, bundle: assessed };
  const isWhole = !(reference in needed) || needed[reference as keyof typeof needed] !== undefined;
  return {
    reference: isWhole ? reference : ("peers" as const),
    other: reference === "host" ? other : undefined,
    at: reference === "date" ? at : undefined,
    assessed: reference === "bundle" ? assessed : undefined,
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
