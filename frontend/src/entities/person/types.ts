import type { Schemas } from "@/shared/api/schemas";

export type Session = Schemas["SessionOut"];
export type Person = Schemas["PersonRow"];
export type Role = Session["roles"][number]["role"];
