/** The states of a job, the most urgent first. */
export const JOB_STATES = [
  "NEEDS_HUMAN",
  "RUNNING",
  "VERIFYING",
  "WAITING",
  "QUEUED",
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

const WORDS: Record<(typeof JOB_STATES)[number], string> = {
  NEEDS_HUMAN: "Needs attention",
  RUNNING: "Running",
  VERIFYING: "Verifying",
  WAITING: "Waiting",
  QUEUED: "Queued",
  SUCCEEDED: "Verified",
  NOT_EFFECTIVE: "No effect",
  UNVERIFIED: "Not verified in time",
  PARTIAL: "Partly done",
  ROLLED_BACK: "Rolled back",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
  EXPIRED: "Expired",
  SKIPPED_STALE: "Skipped",
  RESOLVED: "Resolved",
};

/** A state in a word or two, as lists and filters name it; an unknown code as it is. */
export const jobStateWord = (state: string): string => (WORDS as Record<string, string>)[state] ?? state;
