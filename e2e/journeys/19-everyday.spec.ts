import type { Page } from "@playwright/test";
import { hostBy, settled } from "../pages/fleet";
import { expect, type Role, test } from "../session";

/*
 * What people do every day stays short, and no page writes an error into the browser's console. The clicks from what got worse to a
 * requested fix are counted in 12-plan.spec.ts.
 */

/** Counts a person's clicks in all pages that this page opens. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() =>
    document.addEventListener(
      "click",
      (event) => {
        if (event.isTrusted) sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? 0) + 1));
      },
      true,
    ),
  );
  return async () => page.evaluate(() => Number(sessionStorage.getItem("clicks") ?? 0));
}

test("any host in three: the search key, its name, Enter", async ({ as }) => {
  const page = await as("viewer");
  const clicks = await countClicks(page);
  await page.goto("/");
  await settled(page);
  const host = await hostBy(page, "sort=-name");
  await page.keyboard.press("/");
  await page.keyboard.type(host.name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: host.name })).toBeVisible();
  expect(await clicks()).toBe(0);
});

test("Enter opens the host whose name was typed, though the list still shows what an earlier text found", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("/");
  await page.keyboard.type("tst-win-0");
  const entries = page.getByRole("dialog").locator("[data-action]");
  const marked = page.getByRole("dialog").locator("[data-selected]");
  await expect(entries.first()).toContainText("tst-win-01");
  // What Enter opens is marked, and nothing else.
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText("tst-win-01");
  await page.keyboard.press("ArrowDown");
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText((await entries.nth(1).textContent()) ?? "no second entry");
  // The whole name takes the network a while.
  await page.route(/search\?q=/, async (route) => {
    await new Promise((done) => setTimeout(done, 800));
    await route.continue();
  });
  await page.keyboard.type("2");
  await expect(marked).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "tst-win-02" })).toBeVisible();
});

const PATHS = (host: string): string[] => [
  "/",
  "/?days=30",
  "/hosts",
  `/hosts?peek=${host}`,
  `/hosts/${host}`,
  ...["settings", "timeline", "performance", "paths", "baseline", "jobs"].map((tab) => `/hosts/${host}?tab=${tab}`),
  `/hosts/${host}/past?at=2026-11-01T00:00:00Z`,
  "/matrix",
  "/switches",
  "/drift",
  "/drift?tab=baselines",
  "/rules",
  "/rules/dell-esxi55/esxi55.delayed_ack",
  "/packs",
  "/packs/dell-esxi55",
  "/decisions",
  "/past",
  "/score",
  "/remediate",
  "/jobs",
  "/safety",
  "/reports",
  "/waivers",
  "/waivers/new",
  "/waivers?tab=attestations",
  "/on-call",
  "/account",
  "/enrol",
  ...["people", "sign-in", "groups", "collection", "notices", "audit", "tokens"].map((tab) => `/admin?tab=${tab}`),
];

for (const role of ["admin", "operator", "approver", "viewer"] as Role[]) {
  test(`no page writes an error into the console: ${role}`, async ({ as }) => {
    test.setTimeout(400_000);
    const page = await as(role);
    const wrong: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(`${new URL(page.url()).pathname}: ${message.text()} ${message.location().url}`);
    });
    const host = await hostBy(page, "sort=name&platform=esxi");
    for (const path of PATHS(host.id)) {
      await page.goto(path);
      await settled(page);
    }
    expect(wrong).toEqual([]);
  });
}

test("signing in writes no error into the console", async ({ page }) => {
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  expect(wrong).toEqual([]);
});
