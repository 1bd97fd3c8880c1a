import type { Schemas } from "@/shared/api/schemas";

export type Group = Schemas["Group"];
