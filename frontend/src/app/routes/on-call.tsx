import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { JobCard } from "@/features/jobs/job-card";
import { OnCallPage } from "@/features/oncall/oncall-page";
import { usePatchSearch } from "../use-patch-search";

const route = getRouteApi("/on-call");

export function OnCallRoute() {
  const search = route.useSearch();
  const setSearch = usePatchSearch(route.useNavigate());
  const can = useCan();
  return (
    <OnCallPage
      search={search}
      setSearch={setSearch}
      drawJob={(jobId, whenUndone) => <JobCard key={jobId} jobId={jobId} canPlan={can.draft_plans ?? false} whenUndone={whenUndone} />}
    />
  );
}
