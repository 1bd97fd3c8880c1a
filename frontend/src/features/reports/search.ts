import { z } from "zod";
import { number, oneOf } from "@/shared/lib/search";

export const LISTS = ["hosts", "rules", "waivers", "plans", "gains", "pages"] as const;
export const STATUSES = ["pass", "fail", "unknown", "waived", "excluded", "not_applicable"] as const;

/** What these pages keep in their addresses. A bad value counts as not given. */
export const reportsSearch = z.object({ tab: oneOf(["schedules"]), schedule: number(1, 2 ** 31 - 1) });
export type ReportsSearch = z.infer<typeof reportsSearch>;

export const reportSearch = z.object({
  /** The list that is shown below the figures. */
  list: oneOf(LISTS),
  /** Only hosts with a finding of this status. */
  status: oneOf(STATUSES),
});
export type ReportSearch = z.infer<typeof reportSearch>;
