import type { Schemas } from "@/shared/api/schemas";

export type BreakGlassAlarm = Schemas["BrokenGlass"];
export type StandingApproval = Schemas["StandingApprovalOut"];
export type MaintenanceWindow = Schemas["MaintenanceWindowOut"];
export type StopSwitch = Schemas["StopSwitchOut"];
export type StandingCreate = Schemas["StandingCreate"];
export type WindowCreate = Schemas["WindowCreate"];
export type Freeze = Schemas["FreezeOut"];
export type FreezeCreate = Schemas["FreezeCreate"];
export type ExecutorActivity = Schemas["WorkerOut"];
export type FailureDomain = Schemas["DomainOut"];
