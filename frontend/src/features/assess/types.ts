import type { Schemas } from "@/shared/api/schemas";

export type AssessmentRow = Schemas["AssessmentRow"];
export type AssessmentDetail = Schemas["AssessmentDetail"];
export type AssessedHostRow = Schemas["AssessedHostRow"];
export type AssessedHost = Schemas["AssessedHost"];
export type AssessedFinding = Schemas["AssessedFinding"];
export type JoinedHost = Schemas["JoinedHost"];
export type FleetHost = Schemas["FleetHost"];
export type PlanPreviewData = Schemas["PlanPreview"];
export type PreviewStep = Schemas["PreviewStep"];
export type PreviewFinding = Schemas["PreviewFinding"];
