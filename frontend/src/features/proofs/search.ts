import { z } from "zod";
import { number, oneOf } from "@/shared/lib/search";

/** What the page of benchmarks keeps in its address. A bad value counts as not given. */
export const benchmarksSearch = z.object({
  tab: oneOf(["runs", "proofs", "papers"]),
  host: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  tool: oneOf(["vdbench", "diskspd", "ntttcp", "iometer"]),
  /** The job that made the change which is to be proved. */
  job: number(1, 2 ** 31 - 1),
});
export type BenchmarksSearch = z.infer<typeof benchmarksSearch>;
