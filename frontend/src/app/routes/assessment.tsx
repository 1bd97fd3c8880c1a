import { getRouteApi } from "@tanstack/react-router";
import { AssessmentPage } from "@/features/assess/assessment-page";

const route = getRouteApi("/assess/$assessmentId");

export function AssessmentRoute() {
  const { assessmentId } = route.useParams();
  return <AssessmentPage key={assessmentId} id={Number(assessmentId)} host={route.useSearch().host} />;
}
