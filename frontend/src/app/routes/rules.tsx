import { getRouteApi } from "@tanstack/react-router";
import { RulesPage } from "@/features/rules/rules-page";

const route = getRouteApi("/rules");

export function RulesRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <RulesPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
