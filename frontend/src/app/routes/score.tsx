import { getRouteApi } from "@tanstack/react-router";
import { ScorePage } from "@/features/overview/score-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/score");

export function ScoreRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <ScorePage search={search} setSearch={setSearch} />;
}
