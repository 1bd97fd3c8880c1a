import type { Schemas } from "@/shared/api/schemas";

export type Run = Schemas["PreviewRunOut"];
export type RunFigures = Schemas["RunFigures"];
export type RunHost = Schemas["RunHost"];
