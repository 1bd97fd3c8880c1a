import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { PacksPage } from "@/features/packs/packs-page";

const route = getRouteApi("/packs");

export function PacksRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PacksPage
      search={search}
      can={useCan()}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
