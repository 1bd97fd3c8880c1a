import { getRouteApi } from "@tanstack/react-router";
import { PerformancePage } from "@/features/performance/performance-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/performance");

export function PerformanceRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <PerformancePage search={search} setSearch={setSearch} />;
}
