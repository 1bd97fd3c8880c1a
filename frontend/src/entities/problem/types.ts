import type { Schemas } from "@/shared/api/schemas";

export type OnCall = Schemas["OnCall"];
export type OnCallProblem = Schemas["ProblemOut"];
export type ProblemFix = Schemas["ProblemFix"];
