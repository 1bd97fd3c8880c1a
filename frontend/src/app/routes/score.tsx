import { getRouteApi } from "@tanstack/react-router";
import { ScorePage } from "@/features/overview/score-page";

const route = getRouteApi("/score");

export function ScoreRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ScorePage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
