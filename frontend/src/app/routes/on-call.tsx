import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { JobCard } from "@/features/jobs/job-card";
import { OnCallPage } from "@/features/oncall/oncall-page";

const route = getRouteApi("/on-call");

export function OnCallRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <OnCallPage
      search={search}
      setSearch={(patch, replace = false) => void navigate({ search: (before) => ({ ...before, ...patch }), replace, resetScroll: false })}
      drawJob={(jobId, whenUndone) => <JobCard key={jobId} jobId={jobId} canPlan={can.draft_plans ?? false} whenUndone={whenUndone} />}
    />
  );
}
