import type { Schemas } from "@/shared/api/schemas";

export type Overview = Schemas["Overview"];
export type OutcomeBar = Schemas["OutcomeBar"];
export type StricterPack = Schemas["StricterPack"];
export type WorseGroup = Schemas["WorseGroup"];
export type FleetScoreParts = Schemas["FleetScoreApart"];
