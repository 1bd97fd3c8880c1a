import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * What axe finds on a page, one line each: the rule and where.
 *
 * In dark only colours can differ from light, since the other rules read the same page: `"colours"` asks for these alone. The page has no
 * frames, so axe runs within it in one go, and tells of what passes no more than that it does: on long tables that is most of its time.
 */
export async function faults(page: Page, part: "all" | "colours" = "all"): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await (part === "all" ? axe.withTags(WCAG) : axe.withRules(["color-contrast"])).analyze();
  return violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(" | ")}`);
}
