/** Labels of closed lists that the API names by keys; an unknown key is shown as it is. */

const IMPACT: Record<string, string> = {
  none: "no interruption",
  new_sessions: "new sessions only",
  adapter_restart: "restarts the adapter",
  path_loss: "takes a path down briefly",
  maintenance: "needs maintenance mode",
  reboot: "needs a restart",
  unknown: "disruption unknown",
};
export const impactLabel = (impact: string): string => IMPACT[impact] ?? impact.replaceAll("_", " ");

const TAKES_EFFECT: Record<string, string> = {
  now: "Immediately",
  new_session: "Next session",
  adapter_restart: "Adapter restart",
  reboot: "Host restart",
};
export const effectLabel = (effect: string): string => TAKES_EFFECT[effect] ?? effect.replaceAll("_", " ");

const SUBJECT: Record<string, string> = {
  host: "host",
  adapter: "adapters",
  vnic: "vNICs and VMkernel ports",
  initiator: "initiators",
  target: "targets",
  volume: "volumes",
  vswitch: "virtual switches",
  portgroup: "port groups",
  team: "teams",
  tcp_template: "TCP templates",
  module: "modules",
  qos_class: "QoS classes",
  qos_policy: "QoS policies",
  transport_filter: "transport filters",
};
export const subjectKindLabel = (kind: string): string => SUBJECT[kind] ?? kind.replaceAll("_", " ");
