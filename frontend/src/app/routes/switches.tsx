import { SwitchesPage } from "@/features/switches/switches-page";

export function SwitchesRoute() {
  return <SwitchesPage />;
}
