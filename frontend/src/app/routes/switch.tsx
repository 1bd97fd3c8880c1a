import { getRouteApi } from "@tanstack/react-router";
import { SwitchPage } from "@/features/switches/switch-page";

const route = getRouteApi("/switches/$switchId");

export function SwitchRoute() {
  const { switchId } = route.useParams();
  return <SwitchPage key={switchId} switchId={switchId} />;
}
