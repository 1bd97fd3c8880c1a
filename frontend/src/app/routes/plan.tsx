import { getRouteApi } from "@tanstack/react-router";
import { PlanPage } from "@/features/plans/plan-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/remediate/$planId");

export function PlanRoute() {
  const { planId } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <PlanPage key={planId} planId={Number(planId) || 0} search={search} setSearch={setSearch} />;
}
