import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { ReportsPage } from "@/features/reports/reports-page";

const route = getRouteApi("/reports");

export function ReportsRoute() {
  return <ReportsPage canMake={useCan().make_reports ?? false} search={route.useSearch()} />;
}
