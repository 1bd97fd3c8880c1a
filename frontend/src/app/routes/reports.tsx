import { useCan } from "@/entities/person/queries";
import { ReportsPage } from "@/features/reports/reports-page";

export function ReportsRoute() {
  const can = useCan();
  return <ReportsPage canExport={can.export ?? false} canExportEvidence={can.export_evidence ?? false} />;
}
