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
      ? ["Quarantined: check-ins are refused until an admin releases the host. Everything below is as of the last one."]
      : []),
    ...(host.freshness === "silent" ? ["Silent: everything below is as of the last check-in."] : []),
    ...(host.alarm ? [`Alarm: ${host.alarm}`] : []),
    ...(host.is_restart_pending ? ["Waits for a restart: stored values are not the running ones yet."] : []),
    ...pending.map((one) => `Set by job ${one.job_id} and not in force yet: ${one.settings.join(", ")}. To put it in force, ${one.words}.`),
    ...host.problems,
  ];
  return [...new Set(lines)];
}
