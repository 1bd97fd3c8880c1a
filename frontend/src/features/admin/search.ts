import { z } from "zod";
import { oneOf, text } from "@/lib/search";

export const ADMIN_TABS = ["people", "sign_in", "groups", "collection", "audit", "tokens"] as const;

/** What this page keeps in its address. A bad value counts as not given. */
export const adminSearch = z.object({ tab: oneOf(ADMIN_TABS), actor: text, action: text, object: text });
export type AdminSearch = z.infer<typeof adminSearch>;
