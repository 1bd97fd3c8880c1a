import { z } from "zod";
import { list, number, oneOf } from "@/shared/lib/search";

export const SORTS = ["wrong", "retransmits", "drops", "errors", "pauses", "latency", "throughput", "operations", "cpu", "name"] as const;

/** A list of those that have the form; nothing where none has it. */
const formed = (form: RegExp) =>
  list.transform((given) => {
    const kept = given?.filter((one) => form.test(one)) ?? [];
    return kept.length > 0 ? kept : undefined;
  });

const time = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** What the page keeps in its address. A bad value counts as not given. */
export const performanceSearch = z.object({
  /** Of the fleet: how it is divided, which part of it, and the order. */
  by: oneOf(["cluster", "group", "host"]),
  group: number(1, 2 ** 31 - 1),
  cluster: z.string().max(200).optional().catch(undefined),
  sort: oneOf(SORTS),
  /** Of hosts: which, and which of their counters. Without hosts the page shows the fleet. */
  host: formed(/^[0-9a-f]{32}$/),
  series: formed(/^[0-9a-f]{32}~[^~]{1,330}$/),
  layout: oneOf(["together", "hosts"]),
  compare: z
    .string()
    .regex(/^(week|peers|job:\d{1,9})$/)
    .optional()
    .catch(undefined),
  hours: number(1, 24 * 730),
  from: time,
  to: time,
});
export type PerformanceSearch = z.infer<typeof performanceSearch>;
