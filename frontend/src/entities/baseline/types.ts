import type { Schemas } from "@/shared/api/schemas";

export type BaselineRow = Schemas["BaselineRow"];
export type BaselineDetail = Schemas["BaselineDetail"];
export type BaselineProposal = Schemas["BaselineProposal"];
export type HostBaseline = Schemas["HostBaselineOut"];
export type SettingDifference = Schemas["SettingDifference"];
