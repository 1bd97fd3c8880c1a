import { keepPreviousData } from "@tanstack/react-query";
import { query } from "@/shared/api/client";

/** The rules in force that match, with how many hosts stand where; the last answer stays on screen while a new filter loads. */
export const useRules = (filters: object = {}) =>
  query.useQuery("get", "/api/v1/rules", { params: { query: filters } }, { placeholderData: keepPreviousData });

/** Titles of the active rules by `pack/rule`. A rule that no pack has any more goes by its ID. */
export function useRuleTitles(): (pack: string, rule: string) => string {
  const rules = useRules();
  const titles = new Map(rules.data?.items.map((rule) => [`${rule.pack}/${rule.rule}`, rule.title]));
  return (pack, rule) => titles.get(`${pack}/${rule}`) ?? rule;
}
