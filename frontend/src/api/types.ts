import type { components } from "./schema.gen";

/** Names for the API's shapes; every one of them is generated. */
type Shapes = components["schemas"];

export type Session = Shapes["SessionShape"];
export type Group = Shapes["Group"];
export type Overview = Shapes["Overview"];
export type OutcomeBar = Shapes["OutcomeBar"];
export type WorseGroup = Shapes["WorseGroup"];
export type HostRow = Shapes["HostRow"];
export type HostDetail = Shapes["HostDetail"];
export type HostFacets = Shapes["HostFacets"];
export type Facet = Shapes["Facet"];
export type Finding = Shapes["Finding"];
export type FindingSource = Shapes["FindingSource"];
export type Standing = Finding["standing"];
export type Evidence = Shapes["EvidenceShape"];
export type HostScore = Shapes["HostScore"];
export type HostSetting = Shapes["HostSetting"];
export type Change = Shapes["Change"];
export type PathMap = Shapes["HostPaths"];
export type RuleRow = Shapes["RuleRow"];
export type RuleDetail = Shapes["RuleDetail"];
export type PackRow = Shapes["PackRow"];
export type RuleHost = Shapes["RuleHost"];
export type Report = Shapes["ReportShape"];
export type ReportDetail = Shapes["ReportDetail"];
export type Token = Shapes["EnrolmentTokenRow"];
export type TokenMade = Shapes["EnrolmentTokenMade"];
export type InstallCommand = Shapes["InstallCommand"];
export type WaitingHost = Shapes["WaitingHost"];
export type SearchHit = Shapes["SearchHit"];
export type View = Shapes["View"];
export type Person = Shapes["PersonRow"];
export type Role = Session["roles"][number]["role"];
export type AuditRow = Shapes["AuditRow"];
