import type { Schemas } from "@/shared/api/schemas";

export type RunRow = Schemas["RunRow"];
export type RunDetail = Schemas["RunDetail"];
export type ProofRow = Schemas["ProofRow"];
export type ProofDetail = Schemas["ProofDetail"];
export type ProofMethod = Schemas["ProofMethod"];
export type LoadVerdict = Schemas["LoadVerdictOut"];
export type ReferenceRun = Schemas["ReferenceRunOut"];
export type JobEffect = Schemas["JobEffect"];
export type CounterEffect = Schemas["CounterEffect"];
