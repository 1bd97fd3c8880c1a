import type { Schemas } from "@/shared/api/schemas";

export type HostFacets = Schemas["HostFacets"];
