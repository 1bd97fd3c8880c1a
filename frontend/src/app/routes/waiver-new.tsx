import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { AskPage } from "@/features/waivers/ask-page";

const route = getRouteApi("/waivers/new");

export function WaiverNewRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <AskPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      canRequest={can.request_waivers ?? false}
    />
  );
}
