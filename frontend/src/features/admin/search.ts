import { z } from "zod";
import { oneOf, text } from "@/shared/lib/search";

export const ADMIN_TABS = ["people", "sign-in", "groups", "collection", "notices", "audit", "health", "tokens"] as const;

/** What this page keeps in its address; "sign_in" is how a tab was written before. A bad value counts as not given. */
export const adminSearch = z.object({
  tab: z.preprocess((given) => (given === "sign_in" ? "sign-in" : given), oneOf(ADMIN_TABS)),
  actor: text,
  action: text,
  object: text,
});
export type AdminSearch = z.infer<typeof adminSearch>;
