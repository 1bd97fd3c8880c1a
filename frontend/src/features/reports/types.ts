import type { Schemas } from "@/shared/api/schemas";

export type Report = Schemas["ReportOut"];
export type ReportDetail = Schemas["ReportDetail"];
export type ReportMail = Schemas["ReportMailOut"];
export type ReportCreate = Schemas["ReportCreate"];
export type MailCreate = Schemas["MailCreate"];
export type Schedule = Schemas["ScheduleOut"];
export type ScheduleInput = Schemas["ScheduleInput"];
export type Preset = NonNullable<Schemas["PeriodInput"]["preset"]>;
export type Template = NonNullable<ReportCreate["template"]>;
export type Format = NonNullable<MailCreate["formats"]>[number];
