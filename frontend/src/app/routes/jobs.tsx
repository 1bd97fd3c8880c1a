import { getRouteApi } from "@tanstack/react-router";
import { JobsPage } from "@/features/jobs/jobs-page";

const route = getRouteApi("/jobs");

export function JobsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <JobsPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
    />
  );
}
