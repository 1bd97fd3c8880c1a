import { z } from "zod";
import { number, oneOf, text } from "@/shared/lib/search";

/** What this page keeps in its address. A bad value counts as not given. */
export const overviewSearch = z.object({
  group: number(1, 2 ** 31 - 1),
  days: number(1, 90),
  /** The group of what got worse whose hosts are shown. */
  worse: text,
});
export type OverviewSearch = z.infer<typeof overviewSearch>;

/** What the page of the score taken apart keeps in its address. */
export const scoreSearch = z.object({ group: number(1, 2 ** 31 - 1), by: oneOf(["evidence", "count"]) });
export type ScoreSearch = z.infer<typeof scoreSearch>;
