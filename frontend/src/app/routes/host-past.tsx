import { getRouteApi } from "@tanstack/react-router";
import { HostPastPage } from "@/features/previews/host-past-page";

const route = getRouteApi("/hosts/$hostId/past");

export function HostPastRoute() {
  const { hostId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <HostPastPage
      hostId={hostId}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
