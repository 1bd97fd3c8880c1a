import type { HostPlan, PlanElement, PlannedWork, PlanStep } from "@/entities/plan/types";
import { plural } from "@/shared/lib/format";
import type { Status } from "@/shared/ui/status";

export const PLAN_STATES = [
  "PLANNING",
  "PLANNED",
  "AWAITING_APPROVAL",
  "APPROVED",
  "RUNNING",
  "PAUSED",
  "FINISHED",
  "STOPPED",
  "REJECTED",
  "WITHDRAWN",
  "EXPIRED",
  "STALE",
  "NO_CHANGE",
  "PLAN_FAILED",
  "DRAFT",
] as const;

/** Icon and colour of a plan's state; the label comes from the API. */
const PLAN_STATUS: Record<string, Status> = {
  DRAFT: "neutral",
  PLANNING: "running",
  PLANNED: "advice",
  AWAITING_APPROVAL: "warn",
  APPROVED: "pass",
  RUNNING: "running",
  PAUSED: "warn",
  FINISHED: "pass",
  STOPPED: "neutral",
  REJECTED: "fail",
  WITHDRAWN: "neutral",
  EXPIRED: "neutral",
  STALE: "warn",
  NO_CHANGE: "neutral",
  PLAN_FAILED: "fail",
};
export const planStatus = (state: string): Status => PLAN_STATUS[state] ?? "unknown";

/** States that people filter by, in the order of a plan's life. */
export const FILTERS: { state: (typeof PLAN_STATES)[number]; label: string }[] = [
  { state: "PLANNED", label: "Planned" },
  { state: "AWAITING_APPROVAL", label: "Pending approval" },
  { state: "APPROVED", label: "Approved" },
  { state: "RUNNING", label: "Running" },
  { state: "PAUSED", label: "Paused" },
  { state: "FINISHED", label: "Finished" },
  { state: "STOPPED", label: "Stopped" },
  { state: "REJECTED", label: "Rejected" },
];

/** "2 of 4 per volume": the fewest healthy paths at any time, of the volume that keeps fewest. */
export function fewestPaths(forecast: PlannedWork["forecast"]): string {
  const worst = forecast.volumes?.[0];
  return worst ? `${worst.during} of ${worst.before}` : "No path affected";
}

/** "about 9 min", at least one. */
export const aboutMinutes = (seconds: number): string => `about ${Math.max(1, Math.round(seconds / 60))} min`;

/** What happens to the paths in one step: "4 → 2, ≈ 12 s". */
export function pathText(step: PlanStep): string {
  if (step.adapters.length === 0) return "None affected";
  const worst = step.forecast.volumes?.[0];
  const seconds = `≈ ${step.forecast.seconds} s`;
  return worst ? `${worst.before} → ${worst.during}, ${seconds}` : `no SAN path, ${seconds}`;
}

/** The commands of one element, without the restart that the whole step shares. */
export const commandsOf = (step: PlanStep, element: number): string =>
  step.commands
    .filter((one) => (one.element ?? -1) === element)
    .map((one) => one.text)
    .join("\n");

/** The one restart of a step; empty where there is none. */
export const restartOf = (step: PlanStep): string => step.commands.find((one) => (one.element ?? -1) === -1)?.text ?? "";

/** "SAN1 flow control": whose value it is, from the step's title, and its label inside a sentence. */
export const elementName = (step: PlanStep, element: PlanElement): string => {
  const owner = step.title.split(":")[0] ?? "";
  const { label } = element;
  // An abbreviation (RSS, LSO V2) keeps its capitals.
  const isWord = label.slice(1, 2) === label.slice(1, 2).toLowerCase();
  return `${owner} ${isWord ? label.charAt(0).toLowerCase() + label.slice(1) : label}`.trim();
};

/** The pre-checks of a step in lines; those on the paths of many volumes in one. */
export function gateLines(gates: PlanStep["gates"]): { words: string; isPerson: boolean }[] {
  const paths = gates.filter((gate) => gate.name === "path_floor");
  const lines = gates
    .filter((gate) => gate.name !== "path_floor" || paths.length < 3)
    .map((gate) => ({ words: gate.words, isPerson: gate.opened_by === "person" }));
  if (paths.length < 3) return lines;
  const fewest = Math.min(...paths.map((gate) => Number(gate.value)));
  return [...lines, { words: `all ${paths.length} volumes have at least ${fewest} healthy paths`, isPerson: false }];
}

/** What a host's part comes to, in one line. */
export function hostText(part: HostPlan): string {
  const values = part.steps.reduce((sum, step) => sum + step.elements.length, 0);
  return `${plural(part.steps.length, "step")}, ${plural(values, "value")}; ${part.forecast.words}`;
}

/** The times of the configurations that a plan is based on, oldest and newest. */
export function factsFrom(work: PlannedWork): [string, string] | null {
  const times = work.hosts.map((host) => host.facts_at).sort();
  const first = times[0];
  const last = times.at(-1);
  return first && last ? [first, last] : null;
}
