import { AssessPage } from "@/features/assess/assess-page";

export function AssessRoute() {
  return <AssessPage />;
}
