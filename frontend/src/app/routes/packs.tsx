import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { PacksPage } from "@/features/packs/packs-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/packs");

export function PacksRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <PacksPage search={search} can={useCan()} setSearch={setSearch} />;
}
