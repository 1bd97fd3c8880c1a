import { z } from "zod";
import { list, number, oneOf, text } from "@/shared/lib/search";

export const HOST_TABS = ["checks", "settings", "timeline", "baseline", "performance", "paths", "jobs"] as const;

/** What this page keeps in its address. A bad value counts as not given. */
export const hostSearch = z.object({
  tab: oneOf(HOST_TABS),
  /** Words looked for on the settings tab. */
  q: text,
  /** Kind of subject on the settings tab. */
  kind: text,
  state: oneOf(["value", "unknown", "not_offered"]),
  /** Whether the timeline also shows settings that only could or could not be read. */
  unread: oneOf(["yes"]),
  hours: number(1, 24 * 730),
  /** A range of the performance tab that does not end now. */
  from: z.iso.datetime({ offset: true }).optional().catch(undefined),
  to: z.iso.datetime({ offset: true }).optional().catch(undefined),
  compare: oneOf(["week", "peers"]),
  series: list,
  /** An earlier watch of the counters, shown above the charts. */
  watch: number(1, 2 ** 31 - 1),
  /** Whether the score is taken apart. */
  apart: oneOf(["yes"]),
  /** How rules count while it is: weighed by evidence, or each the same. */
  by: oneOf(["evidence", "count"]),
  /** Findings folded open. */
  open: list,
  /** The one finding a link points at: pack/rule/subject id. */
  finding: text,
});
export type HostSearch = z.infer<typeof hostSearch>;
