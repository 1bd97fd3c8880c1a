import { getRouteApi } from "@tanstack/react-router";

import { PastPage } from "@/features/previews/past-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/past");

export function PastRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <PastPage search={search} setSearch={setSearch} />;
}
