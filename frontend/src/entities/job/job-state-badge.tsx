import { capital } from "@/shared/lib/text";
import { duration } from "@/shared/lib/time";
import { type Status, StatusLabel } from "@/shared/ui/status";
import type { JobRow } from "./types";

/** Icon and colour of a job's state; the label comes from the API. What a person stopped is neutral and never red. */
const STATUS: Record<string, Status> = {
  WAITING: "neutral",
  QUEUED: "neutral",
  RUNNING: "running",
  VERIFYING: "running",
  SUCCEEDED: "pass",
  NOT_EFFECTIVE: "fail",
  UNVERIFIED: "warn",
  CANCELLED: "neutral",
  EXPIRED: "neutral",
  SKIPPED_STALE: "warn",
  FAILED: "fail",
  ROLLED_BACK: "warn",
  PARTIAL: "warn",
  NEEDS_HUMAN: "fail",
  RESOLVED: "pass",
};
const jobStatus = (state: string): Status => STATUS[state] ?? "unknown";

export function JobStateBadge({
  job,
  isBadge = false,
}: {
  job: Pick<JobRow, "state" | "state_label" | "kind" | "is_cancelling">;
  isBadge?: boolean;
}) {
  const label = job.kind === "undo" && job.state === "SUCCEEDED" ? "Undone and verified" : capital(job.state_label);
  return (
    <StatusLabel status={jobStatus(job.state)} isBadge={isBadge}>
      {label}
      {job.is_cancelling ? ", stopping after this step" : ""}
    </StatusLabel>
  );
}

/** How long it has run, or ran; null while it has not begun. */
export function ranFor(job: Pick<JobRow, "started_at" | "finished_at">, now: Date): string | null {
  if (job.started_at === null) return null;
  const end = job.finished_at === null ? now.getTime() : Date.parse(job.finished_at);
  return duration(Math.max(0, (end - Date.parse(job.started_at)) / 1000));
}
