import type { PlanCreate } from "@/entities/plan/types";
import { plural } from "@/shared/lib/format";
import type { EventChange } from "./types";

type SettingChoice = NonNullable<PlanCreate["settings"]>[number];

/** Changes whose former value a plan can set. */
export const restorable = (changes: readonly EventChange[]): EventChange[] =>
  changes.filter((change) => change.restore_to !== null && change.restore_to !== undefined);

/** What a plan sets: for a setting that changed more than once, the oldest value, which was there before all of it. */
export function settingsOf(changes: readonly EventChange[], reference: string): SettingChoice[] {
  const oldest = new Map<string, EventChange>();
  for (const change of restorable(changes)) {
    const key = [change.host.id, change.key, change.subject.id].join("\u0000");
    const before = oldest.get(key);
    if (!before || change.at < before.at) oldest.set(key, change);
  }
  return [...oldest.values()].map((change) => ({
    host_id: change.host.id,
    key: change.key,
    subject_id: change.subject.id,
    to: change.restore_to as SettingChoice["to"],
    reference,
  }));
}

/** The reason that a plan begins with; whoever requests it may change it. */
export function restoreReason(changes: readonly EventChange[], cause: string): string {
  const labels = new Set(changes.map((change) => change.label));
  const hosts = new Map(changes.map((change) => [change.host.id, change.host.name]));
  const [onlyLabel] = labels;
  const [onlyHost] = hosts.values();
  const what = labels.size === 1 && onlyLabel ? onlyLabel : plural(labels.size, "setting");
  const where = hosts.size === 1 && onlyHost ? onlyHost : plural(hosts.size, "host");
  return `Restore ${what} on ${where} to the value${labels.size === 1 ? "" : "s"} before${cause ? `: ${cause}` : ""}`;
}
