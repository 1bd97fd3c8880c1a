import { z } from "zod";
import { oneOf } from "@/shared/lib/search";

export const REFERENCES = ["peers", "best", "baseline", "date", "host", "running"] as const;

const hostId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .optional()
  .catch(undefined);

/** Both sides of the comparison are in the address: the host in its path, the other side here. A bad value counts as not given. */
export const compareSearch = z.object({
  with: oneOf(REFERENCES),
  other: hostId,
  at: z.iso.datetime({ offset: true }).optional().catch(undefined),
  /** Whether equal settings are shown too. */
  same: oneOf(["yes"]),
});
export type CompareSearch = z.infer<typeof compareSearch>;
