import type { Schemas } from "@/shared/api/schemas";

export type SwitchRow = Schemas["SwitchRow"];
export type SwitchPortRow = Schemas["SwitchPortRow"];
export type PortIssue = SwitchPortRow["issues"][number];
export type SwitchList = Schemas["SwitchList"];
