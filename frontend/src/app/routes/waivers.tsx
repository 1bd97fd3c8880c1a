import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { WaiversPage } from "@/features/waivers/waivers-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/waivers");

export function WaiversRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <WaiversPage search={search} setSearch={setSearch} can={useCan()} />;
}
