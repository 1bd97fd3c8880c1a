import { getRouteApi } from "@tanstack/react-router";
import { DriftPage } from "@/features/drift/drift-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/drift");

export function DriftRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <DriftPage search={search} setSearch={setSearch} />;
}
