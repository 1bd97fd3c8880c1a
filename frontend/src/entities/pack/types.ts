import type { Schemas } from "@/shared/api/schemas";

export type PackSummary = Schemas["PackSummary"];
export type PackDetail = Schemas["PackDetail"];
export type PackGroup = Schemas["PackGroup"];
export type Draft = Schemas["DraftOut"];
export type UploadResult = Schemas["UploadResult"];
export type Difference = Schemas["PackDifference"];
export type PackComparison = Schemas["PackBeside"];
export type ComparedRule = Schemas["BesideRule"];
export type ComparedPair = Schemas["BesidePair"];
export type RuleDifference = Schemas["RuleDifference"];
export type ConflictCard = Schemas["ConflictCard"];
export type ConflictSide = Schemas["ConflictSide"];
export type Decision = Schemas["DecisionOut"];
