import { z } from "zod";
import { number, oneOf, text } from "@/shared/lib/search";

const row = number(1, 2 ** 31 - 1);

/** What the pages of packs keep in their addresses. A bad value counts as not given. */
export const packsSearch = z.object({ upload: oneOf(["yes"]) });
export type PacksSearch = z.infer<typeof packsSearch>;

const WHAT = ["version", "draft", "off", "inherit"] as const;

export const packSearch = z.object({
  /** The two sides of the difference; without an old one, everything is new. */
  old: row,
  new: row,
  draft: row,
  /** Another pack that this one is compared with. */
  beside: text,
  /** The change that is being prepared: for which group, and what. */
  group: row,
  what: oneOf(WHAT),
  version: row,
  grace: number(1, 366),
  /** Its preview. */
  run: row,
});
export type PackSearch = z.infer<typeof packSearch>;

export const decisionsSearch = z.object({ group: row });
export type DecisionsSearch = z.infer<typeof decisionsSearch>;
