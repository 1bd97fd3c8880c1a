import { useCan } from "@/entities/person/queries";
import { ReportsPage } from "@/features/reports/reports-page";

export function ReportsRoute() {
  return <ReportsPage canExport={useCan().export ?? false} />;
}
