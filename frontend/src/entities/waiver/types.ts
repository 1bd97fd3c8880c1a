import type { Schemas } from "@/shared/api/schemas";

export type WaiverRow = Schemas["WaiverRow"];
export type WaiverDetail = Schemas["WaiverDetail"];
export type WaiverPage = Schemas["WaiverPage"];
export type WaiverPreview = Schemas["WaiverPreview"];
export type WaivedFinding = Schemas["WaivedFinding"];
export type WaiverNotices = Schemas["WaiverNotices"];
export type Attestations = Schemas["Attestations"];
export type AttestationRow = Schemas["AttestationRow"];
