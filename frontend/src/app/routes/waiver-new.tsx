import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { AskPage } from "@/features/waivers/ask-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/waivers/new");

export function WaiverNewRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  const can = useCan();
  return <AskPage search={search} setSearch={setSearch} canRequest={can.request_waivers ?? false} />;
}
