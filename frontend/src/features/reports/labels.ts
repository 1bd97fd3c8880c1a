import type { Format, Preset, Schedule, Template } from "./types";

export const TEMPLATES: Record<Template, { label: string; about: string }> = {
  executive: { label: "Executive report", about: "One page: score, trend, risks by age, what changed and who approved it" },
  technical: { label: "Technical report", about: "Every failing and unknown finding, rule by rule, and every host" },
  audit: { label: "Audit evidence", about: "Rules and papers, approvals, plans and jobs, exceptions, audit log" },
  exceptions: { label: "Exceptions report", about: "Waivers and attestations with owner, approver, reason and end" },
  remediation: { label: "Remediation report", about: "Plans and jobs, who approved them, time to fix, what still fails" },
};

export const templateLabel = (name: string): string => TEMPLATES[name as Template]?.label ?? name;

export const PRESETS: Record<Preset, string> = {
  this_quarter: "This quarter",
  last_quarter: "Last quarter",
  this_month: "This month",
  last_month: "Last month",
  last_week: "Last week",
  last_30_days: "Last 30 days",
  last_90_days: "Last 90 days",
  this_year: "This year",
  custom: "Custom…",
};

export const presetLabel = (name: string): string => (name === "custom" ? "Custom period" : (PRESETS[name as Preset] ?? name));

export const FORMATS: Record<Format, string> = { pdf: "PDF", xlsx: "XLSX", csv: "CSV", json: "JSON" };
export const FORMAT_ORDER: readonly Format[] = ["pdf", "xlsx", "csv", "json"];

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export const WEEKDAYS = DAYS.map((label, place) => ({ value: String(place + 1), label }));

/** "Every Monday at 07:00", "Day 1 of each quarter at 07:00". */
export function scheduleWords({ every, on_day, hour }: Pick<Schedule, "every" | "on_day" | "hour">): string {
  const at = `at ${String(hour).padStart(2, "0")}:00`;
  return every === "week" ? `Every ${DAYS[on_day - 1] ?? ""} ${at}` : `Day ${on_day} of each ${every} ${at}`;
}
