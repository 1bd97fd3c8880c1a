import { getRouteApi } from "@tanstack/react-router";
import { ComparePage } from "@/features/compare/compare-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/hosts/$hostId/compare");

export function CompareRoute() {
  const { hostId } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <ComparePage key={hostId} hostId={hostId} search={search} setSearch={setSearch} />;
}
