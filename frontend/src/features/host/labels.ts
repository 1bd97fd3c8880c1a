/** Labels of closed lists that the API names by keys; an unknown key is shown as it is. */

const IMPACT: Record<string, string> = {
  none: "disturbs nothing",
  new_sessions: "for new sessions only",
  adapter_restart: "one adapter restart",
  path_loss: "loses a path while it runs",
  maintenance: "in maintenance mode",
  reboot: "with a reboot",
  unknown: "what it disturbs is not known",
};
export const impactLabel = (impact: string): string => IMPACT[impact] ?? impact.replaceAll("_", " ");

const TAKES_EFFECT: Record<string, string> = {
  now: "at once",
  new_session: "with the next session",
  adapter_restart: "with an adapter restart",
  reboot: "with a reboot",
};
export const effectLabel = (effect: string): string => TAKES_EFFECT[effect] ?? effect.replaceAll("_", " ");

const SUBJECT: Record<string, string> = {
  host: "host",
  adapter: "adapters",
  vnic: "virtual adapters",
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
