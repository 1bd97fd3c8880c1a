import type { Schemas } from "@/shared/api/schemas";

export type HostRow = Schemas["HostRow"];
export type HostDetail = Schemas["HostDetail"];
export type WaitingHost = Schemas["WaitingHost"];
