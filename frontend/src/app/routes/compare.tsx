import { getRouteApi } from "@tanstack/react-router";
import { ComparePage } from "@/features/compare/compare-page";

const route = getRouteApi("/hosts/$hostId/compare");

export function CompareRoute() {
  const { hostId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ComparePage
      key={hostId}
      hostId={hostId}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
