import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { JobPage } from "@/features/jobs/job-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/jobs/$jobId");

export function JobRoute() {
  const { jobId } = route.useParams();
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  return <JobPage key={jobId} jobId={Number(jobId) || 0} search={search} setSearch={setSearch} can={useCan()} />;
}
