import { z } from "zod";
import { number, numbers, oneOf, text } from "@/shared/lib/search";

const row = number(1, 2 ** 31 - 1);

/** What the pages of the past keep in their addresses. A bad value counts as not given. */
export const pastSearch = z.object({ at: text, group: row, version: numbers, run: row });
export type PastSearch = z.infer<typeof pastSearch>;

export const hostPastSearch = z.object({ at: text, version: numbers, show: oneOf(["changed", "all"]) });
export type HostPastSearch = z.infer<typeof hostPastSearch>;
