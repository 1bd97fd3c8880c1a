import type { FailureDomain, MaintenanceWindow, StandingApproval } from "@/entities/controls/types";
import type { Group } from "@/entities/group/types";
import { capital } from "@/shared/lib/text";
import type { Status } from "@/shared/ui/status";

/** A queue whose workers took no task for this long while a job was queued does not answer; in seconds. */
export const ACTIVE_WITHIN_S = 60;

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const NTH: Record<number, string> = { 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", [-1]: "last" };

export const WEEKDAYS = DAYS.map((label, index) => ({ value: String(index + 1), label }));
export const NTH_CHOICES = [1, 2, 3, 4, 5, -1].map((value) => ({ value: String(value), label: NTH[value] ?? "" }));

const listed = (parts: string[], last = "and"): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;

/** When a window opens, as a sentence goes on: "every Saturday at 22:00 for 4 h, Europe/Berlin". */
export function recurrence(
  window: Pick<MaintenanceWindow, "weekdays" | "nth" | "on_date" | "starts_at_time" | "lasts_minutes" | "time_zone">,
): string {
  const at = `at ${window.starts_at_time} for ${minutesText(window.lasts_minutes)}, ${window.time_zone}`;
  if (window.on_date) return `once, on ${window.on_date} ${at}`;
  const days = window.weekdays.map((day) => DAYS[day - 1] ?? String(day));
  if (window.nth.length > 0) return `every ${listed(window.nth.map((one) => NTH[one] ?? String(one)))} ${listed(days)} of the month ${at}`;
  return days.length === 7 ? `every day ${at}` : `every ${listed(days)} ${at}`;
}

/** "90 min", "4 h", "1 d 12 h". */
export function minutesText(minutes: number): string {
  if (minutes < 120 && minutes % 60 !== 0) return `${minutes} min`;
  const parts = [
    [Math.floor(minutes / 1440), "d"],
    [Math.floor((minutes % 1440) / 60), "h"],
    [minutes % 60, "min"],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, unit]) => `${number} ${unit}`)
    .join(" ");
}

/** The name of a failure domain, with its group's name: the API knows the group by its number. */
export function domainName(domain: FailureDomain, groups: Pick<Group, "id" | "name">[]): string {
  const number = Number(/^(?:group|fabric|unclustered):(\d+)/.exec(domain.domain)?.[1] ?? Number.NaN);
  const group = groups.find((one) => one.id === number)?.name;
  if (group === undefined) return capital(domain.words);
  if (domain.domain.startsWith("group:")) return `Group ${group}`;
  if (domain.domain.startsWith("unclustered:")) return `Hosts in ${group} without a known cluster`;
  return domain.domain.endsWith("/shared") ? `Unlabelled adapters in ${group}` : `${capital(domain.words)} in ${group}`;
}

/** Whether a limit of the domain may be raised: both nodes of a cluster at once could be an outage. */
export const mayRaise = (domain: string): boolean => /^(group|fabric):/.test(domain);

/** What a standing approval allows, one line each. */
export function itemText(item: Record<string, unknown>, titleOf: (pack: string, rule: string) => string): { what: string; value?: string } {
  if (typeof item.rule === "string") {
    const [pack = "", rule = ""] = item.rule.split("/");
    return { what: titleOf(pack, rule) };
  }
  return { what: String(item.setting ?? ""), value: String(item.value ?? "") };
}

export function standingState(standing: Pick<StandingApproval, "is_in_force" | "withdrawn_at">): { status: Status; label: string } {
  if (standing.is_in_force) return { status: "running", label: "Active" };
  return standing.withdrawn_at ? { status: "excluded", label: "Withdrawn" } : { status: "neutral", label: "Expired" };
}

/** Whether a worker took a task lately. */
export const isActive = (lastTaskAt: string, now: Date): boolean => now.getTime() - Date.parse(lastTaskAt) <= ACTIVE_WITHIN_S * 1000;

/** The state of a worker by its last task; without a queued job none was due, so no task means nothing. */
export function workerState(lastTaskAt: string, queuedLong: number, now: Date): { status: Status; label: string } {
  if (isActive(lastTaskAt, now)) return { status: "pass", label: "Active" };
  if (queuedLong > 0) return { status: "warn", label: "Not responding: jobs queued for over 60 s" };
  return { status: "neutral", label: "Idle" };
}
