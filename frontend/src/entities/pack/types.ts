import type { components } from "@/shared/api/schema.gen";

/** Names for the API's shapes of packs; every one of them is generated. */
type Shapes = components["schemas"];

export type PackSummary = Shapes["PackSummary"];
export type PackDetail = Shapes["PackDetail"];
export type PackGroup = Shapes["PackGroup"];
export type PackVersion = Shapes["PackVersionRow"];
export type Draft = Shapes["DraftShape"];
export type UploadResult = Shapes["UploadResult"];
export type Difference = Shapes["PackDifference"];
export type PackBeside = Shapes["PackBeside"];
export type BesideRule = Shapes["BesideRule"];
export type BesidePair = Shapes["BesidePair"];
export type RuleDifference = Shapes["RuleDifference"];
export type Run = Shapes["RunShape"];
export type RunFigures = Shapes["RunFigures"];
export type RunHost = Shapes["RunHost"];
export type ConflictCard = Shapes["ConflictCard"];
export type ConflictSide = Shapes["ConflictSide"];
export type Decision = Shapes["DecisionShape"];
export type HostPast = Shapes["HostPast"];
export type PastFinding = Shapes["PastFinding"];
