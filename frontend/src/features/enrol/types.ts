import type { Schemas } from "@/shared/api/schemas";

export type Token = Schemas["EnrolmentTokenRow"];
export type TokenMade = Schemas["EnrolmentTokenMade"];
