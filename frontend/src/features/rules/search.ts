import { z } from "zod";
import { list, listOf, oneOf, text } from "@/shared/lib/search";

const OUTCOMES = ["pass", "fail", "unknown", "waived", "excluded", "advice", "not_applicable"] as const;

/** What this page keeps in its address. A bad value counts as not given. */
export const rulesSearch = z.object({
  q: text,
  pack: list,
  kind: list,
  outcome: listOf(OUTCOMES),
  sort: oneOf(["failing", "weight", "title"]),
});
export type RulesSearch = z.infer<typeof rulesSearch>;

export const ruleSearch = z.object({ outcome: list });
export type RuleSearch = z.infer<typeof ruleSearch>;
