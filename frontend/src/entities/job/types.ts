import type { Schemas } from "@/shared/api/schemas";

export type JobRow = Schemas["JobRow"];
export type JobDetail = Schemas["JobDetail"];
export type JobStep = Schemas["JobStepOut"];
export type PendingEffect = Schemas["PendingEffect"];
export type JobEvent = Schemas["JobEventOut"];
