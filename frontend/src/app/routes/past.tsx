import { getRouteApi } from "@tanstack/react-router";

import { PastPage } from "@/features/previews/past-page";

const route = getRouteApi("/past");

export function PastRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PastPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
