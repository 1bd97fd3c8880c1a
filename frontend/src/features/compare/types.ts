import type { Schemas } from "@/shared/api/schemas";

export type HostComparison = Schemas["HostComparison"];
export type ComparedSetting = Schemas["ComparedSetting"];
export type ComparedFinding = Schemas["ComparedFinding"];
export type FindingSide = Schemas["FindingSide"];
