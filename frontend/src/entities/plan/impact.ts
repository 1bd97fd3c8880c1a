/** What a step disturbs, from the least to the most, as people choose and read it. */
export const IMPACTS = [
  { value: "none", label: "none" },
  { value: "new_sessions", label: "new sessions" },
  { value: "adapter_restart", label: "adapter restart" },
  { value: "path_loss", label: "path loss" },
  { value: "maintenance", label: "maintenance mode" },
  { value: "reboot", label: "restart of the host" },
];

/** The word of one impact; "not known" is no choice of anybody, but an answer. */
export const impactLabel = (impact: string): string =>
  impact === "unknown" ? "not known" : (IMPACTS.find((one) => one.value === impact)?.label ?? impact);
