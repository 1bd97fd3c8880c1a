import { getRouteApi } from "@tanstack/react-router";
import { ReportPage } from "@/features/reports/report-page";

const route = getRouteApi("/reports/$reportId");

export function ReportRoute() {
  const { reportId } = route.useParams();
  return <ReportPage key={reportId} reportId={Number(reportId)} search={route.useSearch()} />;
}
