import { z } from "zod";
import { number, oneOf } from "@/shared/lib/search";

export const CONTROLS_TABS = ["standing", "windows", "slots"] as const;

/** What this page keeps in its address. A bad value counts as not given. */
export const controlsSearch = z.object({
  tab: oneOf(CONTROLS_TABS),
  /** Standing approvals that are over are shown as well. */
  over: oneOf(["yes"]),
  /** Only what holds for this group. */
  group: number(1, 2 ** 31 - 1),
});
export type ControlsSearch = z.infer<typeof controlsSearch>;
