import type { Schemas } from "@/shared/api/schemas";

export type HostComparison = Schemas["HostComparison"];
export type ComparedSetting = Schemas["ComparedSetting"];
