import { JOB_STATES, jobStateWord } from "@/entities/job/state-words";
import type { JobDetail, JobEvent, JobStep } from "@/entities/job/types";
import type { PlanStep } from "@/entities/plan/types";
import { capital } from "@/shared/lib/text";
import type { Status } from "@/shared/ui/status";

const RARE = new Set<string>(["EXPIRED", "SKIPPED_STALE", "RESOLVED"]);
/** States that people filter by, the most urgent first. */
export const FILTERS = JOB_STATES.filter((state) => !RARE.has(state)).map((state) => ({ state, label: jobStateWord(state) }));

const STEP: Record<string, { status: Status; label: string }> = {
  PENDING: { status: "neutral", label: "Not started" },
  INTENT: { status: "running", label: "Starting" },
  IN_FLIGHT: { status: "running", label: "Applying" },
  UNKNOWN: { status: "unknown", label: "Checking the host" },
  APPLIED: { status: "running", label: "Applied, monitoring" },
  DONE: { status: "pass", label: "Done" },
  FAILED: { status: "fail", label: "Failed, nothing changed" },
  CONFLICT: { status: "fail", label: "Value changed by someone else" },
  REVERTED: { status: "warn", label: "Rolled back" },
  CANCELLED: { status: "neutral", label: "Cancelled" },
};
export const stepState = (step: Pick<JobStep, "state" | "applied_by">): { status: Status; label: string } => {
  if (step.state === "DONE" && step.applied_by === "not us") return { status: "neutral", label: "Already correct" };
  return STEP[step.state] ?? { status: "unknown", label: step.state };
};

/** The step as it was signed; the API carries it as plain data. */
export const signed = (step: JobStep): PlanStep => step.step as unknown as PlanStep;

/** What the job does now, in one line. */
export function presentText(job: JobDetail): string {
  if (job.state === "RUNNING") return runningText(job);
  if (job.state === "VERIFYING") return "Verifying: waiting for a check-in from after the last step";
  if (job.state === "WAITING" || job.state === "QUEUED") return capital(job.state_words || "waiting");
  const label = job.kind === "undo" && job.state === "SUCCEEDED" ? "undone" : job.state_label;
  return capital(job.state_words && job.state_words !== label ? `${label}: ${job.state_words}` : label);
}

function runningText(job: JobDetail): string {
  const step = job.steps.find((one) => !["DONE", "PENDING"].includes(one.state));
  const of = (one: JobStep) => `step ${one.number} of ${job.steps.length}, ${one.title}`;
  if (step?.state === "UNKNOWN") return `Checking on the host what happened in ${of(step)}`;
  if (step?.state === "APPLIED") return `Monitoring the host after ${of(step)}`;
  if (step) return `Applying ${of(step)}`;
  const next = job.steps.find((one) => one.state === "PENDING");
  if (next && next.number > 1) return `Running pre-checks before ${of(next)}`;
  return "Re-reading values and running pre-checks before any change";
}

/** What to do next, in order; empty where there is nothing to do. */
export function nextActs(job: JobDetail): string[] {
  if (job.state === "NEEDS_HUMAN") {
    const open = job.steps.filter((one) => !["DONE", "PENDING", "CANCELLED"].includes(one.state));
    return [
      "On the host's console, check that all volumes have all their paths.",
      ...open.map((one) => `Step ${one.number}, ${one.title}: check ${wanted(one)}`),
      "Set each value as you want it. Plumbline sends nothing more for this job.",
      "Then choose Resolve… and describe the result. Plumbline blocks older commands on the host and unlocks it for new jobs.",
    ];
  }
  if (job.state === "NOT_EFFECTIVE")
    return ["The value was set, but a later check-in shows no effect. Undo it, or find what overrides it on the host."];
  if (job.state === "UNVERIFIED")
    return ["All steps are done, but no check-in arrived in time to verify them. Check that the host is reporting."];
  if (job.state === "PARTIAL") return ["Completed steps are in place. Undo them, or plan the remaining work."];
  if (job.state === "SKIPPED_STALE") return ["Nothing was changed because the host no longer matches the plan. Create a new plan."];
  if (job.state === "FAILED" || job.state === "ROLLED_BACK")
    return ["Nothing was changed. See the reason below, then create a new plan. Jobs are never re-run."];
  return [];
}

const wanted = (step: JobStep): string =>
  signed(step)
    .elements.map((one) => `${one.label} (was ${one.shown_seen}, target ${one.shown_target})`)
    .join("; ");

/** Findings of the steps that are not done: what a new plan for the remaining work covers. */
export function leftFindings(job: JobDetail): PlanStep["findings"] {
  const seen = new Map<string, PlanStep["findings"][number]>();
  for (const step of job.steps) {
    if (step.state === "DONE") continue;
    for (const one of signed(step).findings) seen.set([one.pack, one.rule, one.subject_kind, one.subject_id].join(" "), one);
  }
  return [...seen.values()];
}

/** Whether a log line contains all the words that are searched for. */
export function matches(event: JobEvent, words: string): boolean {
  const text = `${event.words} ${event.kind} ${event.state}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
