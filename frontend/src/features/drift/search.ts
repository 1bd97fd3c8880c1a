import { z } from "zod";
import { hostIds, listOf, number, oneOf } from "@/shared/lib/search";

export const CAUSES = [
  "driver_update",
  "firmware_update",
  "toolkit",
  "os_update",
  "group_policy",
  "reboot",
  "agent_upgrade",
  "our_job",
  "unknown",
] as const;

/** What the page keeps in its address. A bad value counts as not given. */
export const driftSearch = z.object({
  tab: oneOf(["changes", "baselines"]),
  group: number(1, 2 ** 31 - 1),
  hours: number(1, 24 * 366),
  cause: listOf(CAUSES),
  /** Only events that changed something on one of these hosts. */
  host: hostIds,
  /** Whether settings that only could not be read are shown too. */
  unread: oneOf(["yes"]),
  /** The event that is open, by the number of its oldest change. */
  event: number(1, Number.MAX_SAFE_INTEGER),
  /** The proposal that is open. */
  baseline: number(1, 2 ** 31 - 1),
  state: oneOf(["proposed", "accepted", "refused", "withdrawn"]),
});
export type DriftSearch = z.infer<typeof driftSearch>;
