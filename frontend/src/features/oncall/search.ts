import { z } from "zod";
import { number, oneOf } from "@/shared/lib/search";

/** What this page keeps in its address. A bad value counts as not given. */
export const onCallSearch = z.object({
  /** The problem whose card is open. */
  problem: z
    .string()
    .regex(/^[a-z_]+-[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  /** The plan of the fix in hand, and the standing approval that it may run under. */
  plan: number(1, 2 ** 31 - 1),
  under: number(1, 2 ** 31 - 1),
  /** The finished job that was chosen to be undone, or its undo. */
  job: number(1, 2 ** 31 - 1),
  /** Those put off are shown as well. */
  snoozed: oneOf(["yes"]),
});
export type OnCallSearch = z.infer<typeof onCallSearch>;
