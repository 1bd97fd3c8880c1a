import type { Schemas } from "@/shared/api/schemas";

export type ImportedKeys = Schemas["ImportedKeys"];
export type VCenter = Schemas["VCenterRow"];
export type VCenterHost = Schemas["VCenterHostRow"];
export type Trial = Schemas["Trial"];
