import { z } from "zod";
import { number, oneOf } from "@/shared/lib/search";

export const REFERENCES = ["peers", "best", "baseline", "date", "host", "running", "bundle"] as const;

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
  /** The number of a host in one of one's own assessments: its support bundle is the other side. */
  assessed: number(1, 2 ** 31 - 1),
  /** Whether equal settings are shown too. */
  same: oneOf(["yes"]),
});
export type CompareSearch = z.infer<typeof compareSearch>;
