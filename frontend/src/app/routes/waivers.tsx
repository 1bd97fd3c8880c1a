import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { WaiversPage } from "@/features/waivers/waivers-page";

const route = getRouteApi("/waivers");

export function WaiversRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <WaiversPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      can={useCan()}
    />
  );
}
