import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { OverviewPage } from "@/features/overview/overview-page";

const route = getRouteApi("/");

export function OverviewRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <OverviewPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace })}
      canEnrol={can.enrol ?? false}
    />
  );
}
