import type { Schemas } from "@/shared/api/schemas";

export type HostPast = Schemas["HostPast"];
