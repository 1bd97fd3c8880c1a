import type { Schemas } from "@/shared/api/schemas";

export type DriftPage = Schemas["DriftPage"];
export type ChangeGroup = Schemas["ChangeGroup"];
export type EventDetail = Schemas["EventDetail"];
export type EventChange = Schemas["EventChange"];
