import { getRouteApi } from "@tanstack/react-router";
import { PlansPage } from "@/features/plans/plans-page";

const route = getRouteApi("/remediate");

export function PlansRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PlansPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
