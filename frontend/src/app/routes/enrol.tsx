import { useCan, useSession } from "@/entities/person/queries";
import { EnrolPage } from "@/features/enrol/enrol-page";

export function EnrolRoute() {
  const can = useCan();
  const isLab = useSession().data?.is_demo ?? false;
  return <EnrolPage canEnrol={can.enrol ?? false} canApprove={can.approve_hosts ?? false} isLab={isLab} />;
}
