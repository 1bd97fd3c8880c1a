import type { Schemas } from "@/shared/api/schemas";

export type RuleRemediation = Schemas["RuleRemediation"];

export type Evidence = Schemas["EvidenceOut"];
export type RuleRow = Schemas["RuleRow"];
export type RuleDetail = Schemas["RuleDetail"];
export type PackRow = Schemas["PackRow"];
export type RuleHost = Schemas["RuleHost"];
