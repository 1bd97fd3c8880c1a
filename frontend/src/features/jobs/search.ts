import { z } from "zod";
import { JOB_STATES } from "@/entities/job/state-words";
import { listOf, number, oneOf, text } from "@/shared/lib/search";

/** What these pages keep in their addresses. A bad value counts as not given. */
export const jobsSearch = z.object({
  state: listOf(JOB_STATES),
  /** Only jobs that have not ended, or only those that have. */
  show: oneOf(["open", "ended"]),
  plan: number(1, 2 ** 31 - 1),
  host: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
});
export type JobsSearch = z.infer<typeof jobsSearch>;

export const jobSearch = z.object({
  /** Words looked for in the log. */
  q: text,
});
export type JobSearch = z.infer<typeof jobSearch>;
