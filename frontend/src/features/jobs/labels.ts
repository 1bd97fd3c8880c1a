import type { JobDetail, JobEvent, JobStep } from "@/entities/job/types";
import type { PlanStep } from "@/entities/plan/types";
import type { Status } from "@/shared/ui/status";

export const JOB_STATES = [
  "WAITING",
  "QUEUED",
  "RUNNING",
  "VERIFYING",
  "NEEDS_HUMAN",
  "SUCCEEDED",
  "NOT_EFFECTIVE",
  "UNVERIFIED",
  "PARTIAL",
  "ROLLED_BACK",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "SKIPPED_STALE",
  "RESOLVED",
] as const;

/** States that people filter by, in the order of what wants a look first. */
export const FILTERS: { state: (typeof JOB_STATES)[number]; label: string }[] = [
  { state: "NEEDS_HUMAN", label: "needs a person" },
  { state: "RUNNING", label: "running" },
  { state: "VERIFYING", label: "being verified" },
  { state: "WAITING", label: "waits" },
  { state: "QUEUED", label: "queued" },
  { state: "SUCCEEDED", label: "verified" },
  { state: "NOT_EFFECTIVE", label: "without effect" },
  { state: "UNVERIFIED", label: "not verified in time" },
  { state: "PARTIAL", label: "part-way" },
  { state: "ROLLED_BACK", label: "rolled back" },
  { state: "FAILED", label: "failed" },
  { state: "CANCELLED", label: "cancelled" },
];

const STEP: Record<string, { status: Status; label: string }> = {
  PENDING: { status: "neutral", label: "not begun" },
  INTENT: { status: "running", label: "about to begin" },
  IN_FLIGHT: { status: "running", label: "being changed" },
  UNKNOWN: { status: "unknown", label: "asking the host what happened" },
  APPLIED: { status: "running", label: "set, being watched" },
  DONE: { status: "pass", label: "done" },
  FAILED: { status: "fail", label: "failed, nothing took effect" },
  CONFLICT: { status: "fail", label: "another value stands there" },
  REVERTED: { status: "warn", label: "taken back" },
  CANCELLED: { status: "neutral", label: "cancelled" },
};
export const stepState = (step: Pick<JobStep, "state" | "applied_by">): { status: Status; label: string } => {
  if (step.state === "DONE" && step.applied_by === "not us") return { status: "neutral", label: "was right before" };
  return STEP[step.state] ?? { status: "unknown", label: step.state.toLowerCase() };
};

/** The step as it was signed; the API carries it as plain data. */
export const signed = (step: JobStep): PlanStep => step.step as unknown as PlanStep;

/** What the job does at this moment, as one would say it aloud. */
export function presentText(job: JobDetail): string {
  if (job.state === "RUNNING") return runningText(job);
  if (job.state === "VERIFYING") return "Verifying: waiting for a check-in that the host makes after the last step";
  if (job.state === "WAITING" || job.state === "QUEUED") return capital(job.state_words || "waiting for its turn");
  const label = job.kind === "undo" && job.state === "SUCCEEDED" ? "undone" : job.state_label;
  return capital(job.state_words && job.state_words !== label ? `${label}: ${job.state_words}` : label);
}

function runningText(job: JobDetail): string {
  const step = job.steps.find((one) => !["DONE", "PENDING"].includes(one.state));
  const of = (one: JobStep) => `step ${one.number} of ${job.steps.length}, ${one.title}`;
  if (step?.state === "UNKNOWN") return `Asking the host what happened in ${of(step)}`;
  if (step?.state === "APPLIED") return `Watching the host after ${of(step)}, before it is kept`;
  if (step) return `Changing: ${of(step)}`;
  const next = job.steps.find((one) => one.state === "PENDING");
  if (next && next.number > 1) return `Looking at gates and brakes before ${of(next)}`;
  return "Reading values and gates on the host once more, before anything is changed";
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What to do next, in order; empty where nothing is asked of anybody. */
export function nextActs(job: JobDetail): string[] {
  if (job.state === "NEEDS_HUMAN") {
    const open = job.steps.filter((one) => !["DONE", "PENDING", "CANCELLED"].includes(one.state));
    return [
      "Look at the host on its own console: do its volumes have all their paths?",
      ...open.map((one) => `Step ${one.number}, ${one.title}: read ${wanted(one)}`),
      "Put each value at the one that you want to stand. Plumbline sends nothing more for this job.",
      "Then choose “It is settled …” and say how it stands. The host's fence is raised first, so that nothing sent before can act afterwards; its place is free again after that.",
    ];
  }
  if (job.state === "NOT_EFFECTIVE")
    return [
      "The value is set and the check-in made afterwards does not show its effect: undo it, or look on the host what else decides it.",
    ];
  if (job.state === "UNVERIFIED")
    return ["Every step is done, and no check-in came in time to show it: see whether the host still checks in."];
  if (job.state === "PARTIAL") return ["The steps told as done stand. Undo them, or plan the rest again on the facts of now."];
  if (job.state === "SKIPPED_STALE")
    return ["Nothing was changed, because the host is no longer as the plan saw it. Plan again on the facts of now."];
  if (job.state === "FAILED" || job.state === "ROLLED_BACK")
    return ["Nothing of it stands. Read below why, then plan again: the same job is never sent a second time."];
  return [];
}

const wanted = (step: JobStep): string =>
  signed(step)
    .elements.map((one) => `${one.label} (${one.shown_seen} before, ${one.shown_target} wanted)`)
    .join("; ");

/** Findings that the steps not done were for: what a new plan for the rest asks for. */
export function leftFindings(job: JobDetail): PlanStep["findings"] {
  const seen = new Map<string, PlanStep["findings"][number]>();
  for (const step of job.steps) {
    if (step.state === "DONE") continue;
    for (const one of signed(step).findings) seen.set([one.pack, one.rule, one.subject_kind, one.subject_id].join(" "), one);
  }
  return [...seen.values()];
}

/** Whether a log line holds all the words looked for. */
export function matches(event: JobEvent, words: string): boolean {
  const text = `${event.words} ${event.kind} ${event.state}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
