import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { HostsPage } from "@/features/hosts/hosts-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/hosts");

export function HostsRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  const can = useCan();
  return <HostsPage search={search} setSearch={setSearch} canCheckNow={can.check_now ?? false} />;
}
