import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { ReportsPage } from "@/features/reports/reports-page";

const route = getRouteApi("/reports");

export function ReportsRoute() {
  const can = useCan();
  return <ReportsPage canMake={can.make_reports ?? false} canExportEvidence={can.export_evidence ?? false} search={route.useSearch()} />;
}
