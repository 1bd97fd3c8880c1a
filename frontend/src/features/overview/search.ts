import { z } from "zod";
import { number, oneOf } from "@/shared/lib/search";

/** What this page keeps in its address. A bad value counts as not given. */
export const overviewSearch = z.object({ group: number(1, 2 ** 31 - 1), days: number(1, 90) });
export type OverviewSearch = z.infer<typeof overviewSearch>;

/** What the page of the score taken apart keeps in its address. */
export const scoreSearch = z.object({ group: number(1, 2 ** 31 - 1), by: oneOf(["evidence", "count"]) });
export type ScoreSearch = z.infer<typeof scoreSearch>;
