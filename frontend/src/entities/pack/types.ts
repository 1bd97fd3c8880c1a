import type { Schemas } from "@/shared/api/schemas";

export type PackSummary = Schemas["PackSummary"];
export type PackDetail = Schemas["PackDetail"];
export type PackGroup = Schemas["PackGroup"];
export type Draft = Schemas["DraftOut"];
export type UploadResult = Schemas["UploadResult"];
export type Difference = Schemas["PackDifference"];
export type PackComparison = Schemas["PacksSideBySide"];
export type ComparedRule = Schemas["SideBySideRule"];
export type ComparedPair = Schemas["SideBySidePair"];
export type RuleDifference = Schemas["RuleDifference"];
export type ConflictCard = Schemas["ConflictCard"];
export type ConflictSide = Schemas["ConflictSide"];
export type Decision = Schemas["DecisionOut"];
