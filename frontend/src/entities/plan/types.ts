import type { Schemas } from "@/shared/api/schemas";

export type PlanRow = Schemas["PlanRow"];
export type PlanDetail = Schemas["PlanDetail"];
export type PlanCreate = Schemas["PlanCreate"];
export type PlannedWork = Schemas["Plan"];
export type HostPlan = Schemas["HostPlan"];
export type PlanStep = Schemas["Step"];
export type PlanElement = Schemas["Element"];
export type PlanWave = Schemas["Wave"];
export type PlanRefusal = Schemas["Refusal"];
export type PlanChecklist = Schemas["Checklist"];
