import { getRouteApi } from "@tanstack/react-router";
import { RulesPage } from "@/features/rules/rules-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/rules");

export function RulesRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <RulesPage search={search} setSearch={setSearch} />;
}
