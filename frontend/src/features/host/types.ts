import type { Schemas } from "@/shared/api/schemas";

export type HostScore = Schemas["HostScore"];
export type HostSetting = Schemas["HostSetting"];
export type HostTimeline = Schemas["HostTimeline"];
export type Change = Schemas["Change"];
export type PathMap = Schemas["HostPaths"];
export type VCenterFacts = Schemas["VCenterFacts"];
export type HostReach = Schemas["HostReach"];
export type GoneSubject = Schemas["GoneSubject"];
export type ProbeRun = Schemas["ProbeRunOut"];
export type RemediationTarget = Schemas["WayToHost"];
