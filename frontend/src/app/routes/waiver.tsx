import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/entities/person/queries";
import { WaiverPage } from "@/features/waivers/waiver-page";

const route = getRouteApi("/waivers/$waiverId");

export function WaiverRoute() {
  const { waiverId } = route.useParams();
  const can = useCan();
  return <WaiverPage key={waiverId} waiverId={Number(waiverId)} canRequest={can.request_waivers ?? false} />;
}
