import { getRouteApi } from "@tanstack/react-router";
import { JobsPage } from "@/features/jobs/jobs-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/jobs");

export function JobsRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <JobsPage search={search} setSearch={setSearch} />;
}
