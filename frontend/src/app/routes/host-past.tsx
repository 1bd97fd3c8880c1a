import { getRouteApi } from "@tanstack/react-router";
import { HostPastPage } from "@/features/previews/host-past-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/hosts/$hostId/past");

export function HostPastRoute() {
  const { hostId } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <HostPastPage hostId={hostId} search={search} setSearch={setSearch} />;
}
