import { getRouteApi } from "@tanstack/react-router";
import { PlansPage } from "@/features/plans/plans-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/remediate");

export function PlansRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <PlansPage search={search} setSearch={setSearch} />;
}
