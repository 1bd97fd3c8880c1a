const CAUSES: Record<string, string> = {
  first_seen: "First seen",
  driver_update: "Driver update",
  firmware_update: "Firmware update",
  toolkit: "Vendor toolkit",
  reboot: "Host restart",
  our_job: "Plumbline job",
  os_update: "Operating system update",
  group_policy: "Group policy",
  agent_upgrade: "Agent upgrade",
};

/** The word for the likely cause of a change, which the API names by a key. */
export const causeLabel = (cause: string): string => CAUSES[cause] ?? "Unknown";
