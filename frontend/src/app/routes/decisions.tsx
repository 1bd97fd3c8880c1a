import { getRouteApi } from "@tanstack/react-router";

import { DecisionsPage } from "@/features/packs/decisions-page";

const route = getRouteApi("/decisions");

export function DecisionsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DecisionsPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
