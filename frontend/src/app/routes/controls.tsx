import { getRouteApi } from "@tanstack/react-router";
import { useSession } from "@/entities/person/queries";
import { SafetyPage } from "@/features/controls/controls-page";

const route = getRouteApi("/safety");

export function SafetyRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession().data;
  if (!session) return null;
  return (
    <SafetyPage
      search={search}
      session={session}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
