import { getRouteApi } from "@tanstack/react-router";
import { PlanPage } from "@/features/plans/plan-page";

const route = getRouteApi("/remediate/$planId");

export function PlanRoute() {
  const { planId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PlanPage
      key={planId}
      planId={Number(planId) || 0}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
