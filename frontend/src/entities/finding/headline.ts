import type { Finding } from "./types";

const ITEMS = "{items}";

/**
 * What a finding says in one line: its headline, with the items in it, or the title of its rule where the API sends no headline.
 * `items` are the names of all items that the line is about.
 */
export function headlineOf(finding: Finding, items: string): { text: string; hasItems: boolean } {
  const given = (finding as { headline?: string }).headline || finding.title;
  return { text: given.replaceAll(ITEMS, items), hasItems: given.includes(ITEMS) || (items !== "" && given.includes(items)) };
}
