import type { Schemas } from "@/shared/api/schemas";

export type Matrix = Schemas["Matrix"];
