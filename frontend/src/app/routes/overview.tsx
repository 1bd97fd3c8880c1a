import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { OverviewPage } from "@/features/overview/overview-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/");

export function OverviewRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate(), true);
  const can = useCan();
  return <OverviewPage search={search} setSearch={setSearch} canEnrol={can.enrol ?? false} />;
}
