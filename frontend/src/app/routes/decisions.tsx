import { getRouteApi } from "@tanstack/react-router";

import { DecisionsPage } from "@/features/packs/decisions-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/decisions");

export function DecisionsRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <DecisionsPage search={search} setSearch={setSearch} />;
}
