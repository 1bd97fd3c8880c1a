/** What a step interrupts, from the least to the most, as people choose and read it. */
export const IMPACTS = [
  { value: "none", label: "None" },
  { value: "new_sessions", label: "New sessions only" },
  { value: "adapter_restart", label: "Adapter restart" },
  { value: "path_loss", label: "Path loss" },
  { value: "maintenance", label: "Maintenance mode" },
  { value: "reboot", label: "Host restart" },
];

/** The word of one impact; "Unknown" cannot be chosen; only the API sends it. */
export const impactLabel = (impact: string): string =>
  impact === "unknown" ? "Unknown" : (IMPACTS.find((one) => one.value === impact)?.label ?? impact);
