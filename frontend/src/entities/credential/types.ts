import type { Schemas } from "@/shared/api/schemas";

export type Credential = Schemas["CredentialRow"];
export type CredentialKind = Schemas["CredentialCreate"]["kind"];
export type CollectedHost = Schemas["CollectedHost"];
