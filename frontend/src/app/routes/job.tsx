import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { JobPage } from "@/features/jobs/job-page";

const route = getRouteApi("/jobs/$jobId");

export function JobRoute() {
  const { jobId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <JobPage
      key={jobId}
      jobId={Number(jobId) || 0}
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      can={useCan()}
    />
  );
}
