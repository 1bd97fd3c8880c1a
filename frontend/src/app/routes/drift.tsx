import { getRouteApi } from "@tanstack/react-router";
import { DriftPage } from "@/features/drift/drift-page";

const route = getRouteApi("/drift");

export function DriftRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DriftPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
