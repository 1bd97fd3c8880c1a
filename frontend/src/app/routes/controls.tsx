import { getRouteApi } from "@tanstack/react-router";
import { useSession } from "@/entities/person/queries";
import { ControlsPage } from "@/features/controls/controls-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/safety");

export function ControlsRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  const session = useSession().data;
  if (!session) return null;
  return <ControlsPage search={search} session={session} setSearch={setSearch} />;
}
