import { useCan } from "@/entities/person/queries";
import { EnrolPage } from "@/features/enrol/enrol-page";

export function EnrolRoute() {
  const can = useCan();
  return <EnrolPage canEnrol={can.enrol ?? false} canApprove={can.approve_hosts ?? false} />;
}
