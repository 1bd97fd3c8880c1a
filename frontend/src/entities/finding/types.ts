import type { Schemas } from "@/shared/api/schemas";

export type Finding = Schemas["Finding"];
