import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { HostsPage } from "@/features/hosts/hosts-page";

const route = getRouteApi("/hosts");

export function HostsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <HostsPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      canCheckNow={can.check_now ?? false}
    />
  );
}
