import type { HostPlan } from "@/entities/plan/types";
import type { OnCallProblem } from "@/entities/problem/types";
import { plural } from "@/shared/lib/format";
import { exact } from "@/shared/lib/time";
import type { Status } from "@/shared/ui/status";

/** Icon and colour of a problem; the label comes from the API. */
export function problemStatus(problem: Pick<OnCallProblem, "kind" | "paths_healthy">): Status {
  if (problem.kind === "paths") return (problem.paths_healthy ?? 2) < 2 ? "fail" : "warn";
  if (problem.kind === "silent") return "unknown";
  return problem.kind === "worse" || problem.kind === "failed_job" || problem.kind === "waiting_job" ? "warn" : "fail";
}

/** "4 of 4", or why it is not known. */
export function pathsNow(problem: Pick<OnCallProblem, "paths_healthy" | "paths_total">): string {
  if (problem.paths_healthy === null || problem.paths_total === null) return "unknown";
  return `${problem.paths_healthy} of ${problem.paths_total}`;
}

/** "2 adapters, one at a time; 4 → 2 paths for about 12 s each; rolls back automatically if not healthy within 90 s". */
export function impactLine(part: HostPlan): string {
  const taking = part.steps.filter((step) => step.adapters.length > 0);
  const worst = taking.flatMap((step) => step.forecast.volumes ?? []).sort((a, b) => a.during - b.during)[0];
  const seconds = Math.max(0, ...taking.map((step) => step.forecast.seconds));
  const deadman = Math.max(0, ...part.steps.map((step) => step.deadman_s));
  const each = taking.length > 1 ? " each" : "";
  return [
    taking.length > 1 ? `${taking.length} adapters, one at a time` : taking.length === 1 ? "1 adapter" : "no adapter affected",
    worst ? `${worst.before} → ${worst.during} paths for about ${seconds} s${each}` : "no path affected",
    ...(deadman > 0 ? [`rolls back automatically if not healthy within ${deadman} s`] : []),
  ].join("; ");
}

/** Lines for an incident's ticket or a chat: what, where, since when, what it takes away, what changed. */
export function incidentText(problem: OnCallProblem, zone: string, address: string): string {
  return [
    `${problem.host.name} (${problem.group_name}): ${problem.words}`,
    problem.since ? `since ${exact(problem.since, zone)}` : "",
    `impact: ${problem.takes_away}`,
    ...problem.causes.map((cause) => `could explain it: ${cause.headline}`),
    ...problem.changes.map(
      (one) =>
        `${exact(one.at, zone)} ${one.subject} ${one.label}: ${one.old} -> ${one.new}${one.cause_detail ? ` (${one.cause_detail})` : ""}`,
    ),
    problem.alike > 0 ? `same on ${plural(problem.alike, "other host")}` : "",
    problem.note ? `${problem.note.kind} by ${problem.note.by} until ${exact(problem.note.until, zone)}` : "owner: unassigned",
    address,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Of the lines of a chart the one that reached highest; the first where none was read. */
export function worst<Line extends { statistics: { maximum: number | null } }>(lines: readonly Line[]): Line | undefined {
  const highest = (line: Line) => line.statistics.maximum ?? -1;
  return lines.reduce<Line | undefined>((found, line) => (found && highest(found) >= highest(line) ? found : line), undefined);
}
