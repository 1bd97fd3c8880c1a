import type { HostDetail } from "@/entities/host/types";

interface PendingEffect {
  job_id: number;
  settings: string[];
  words: string;
}

/** What a reader has to know of a host before its findings, each line once. */
export function problemLines(host: HostDetail, pending: readonly PendingEffect[]): string[] {
  const lines = [
    ...(host.state === "quarantined"
      ? ["Quarantined: check-ins are rejected until an admin releases the host. Data below is from the last check-in."]
      : []),
    ...(host.freshness === "silent" ? ["Not reporting. Data below is from the last check-in."] : []),
    ...(host.alarm ? [`Alarm: ${host.alarm}`] : []),
    ...(host.is_restart_pending ? ["Restart pending: stored values differ from running values."] : []),
    ...pending.map((one) => `Set by job ${one.job_id}, not yet active: ${one.settings.join(", ")}. To activate: ${one.words}.`),
    ...host.problems,
  ];
  return [...new Set(lines)];
}
