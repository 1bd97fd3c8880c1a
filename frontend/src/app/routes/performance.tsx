import { getRouteApi } from "@tanstack/react-router";
import { PerformancePage } from "@/features/performance/performance-page";

const route = getRouteApi("/performance");

export function PerformanceRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PerformancePage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
