import type { Schemas } from "@/shared/api/schemas";

export type Report = Schemas["ReportOut"];
