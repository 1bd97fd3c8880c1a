import { getRouteApi } from "@tanstack/react-router";
import { useSession } from "@/entities/person/queries";
import { ControlsPage } from "@/features/controls/controls-page";

const route = getRouteApi("/safety");

export function ControlsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession().data;
  if (!session) return null;
  return (
    <ControlsPage
      search={search}
      session={session}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
