import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { HostPage } from "@/features/host/host-page";

const route = getRouteApi("/hosts/$hostId");

export function HostRoute() {
  const { hostId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <HostPage
      key={hostId}
      hostId={hostId}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      can={can}
    />
  );
}
