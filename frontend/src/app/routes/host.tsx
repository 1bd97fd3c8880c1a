import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { HostPage } from "@/features/host/host-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/hosts/$hostId");

export function HostRoute() {
  const { hostId } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  const can = useCan();
  return <HostPage key={hostId} hostId={hostId} search={search} setSearch={setSearch} can={can} />;
}
