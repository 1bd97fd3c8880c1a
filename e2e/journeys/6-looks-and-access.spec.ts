import { mkdirSync } from "node:fs";
import { faults } from "../pages/axe";
import { hostBy, settled } from "../pages/fleet";
import { expect, loginOf, test } from "../session";

const SHOTS = new URL("../screenshots/", import.meta.url).pathname;

const pages = [
  { name: "overview", path: () => "/" },
  { name: "hosts", path: () => "/hosts" },
  { name: "host", path: (host: string) => `/hosts/${host}` },
  { name: "host-apart", path: (host: string) => `/hosts/${host}?apart=yes&open=pass` },
  { name: "host-settings", path: (host: string) => `/hosts/${host}?tab=settings&kind=initiator` },
  { name: "host-timeline", path: (host: string) => `/hosts/${host}?tab=timeline` },
  { name: "host-performance", path: (host: string) => `/hosts/${host}?tab=performance` },
  { name: "host-paths", path: (host: string) => `/hosts/${host}?tab=paths` },
  { name: "host-baseline", path: (host: string) => `/hosts/${host}?tab=baseline` },
  { name: "switches", path: () => "/switches" },
  { name: "performance", path: () => "/performance" },
  { name: "performance-host", path: (host: string) => `/performance?host=${host}&hours=6&compare=peers` },
  { name: "drift", path: () => "/drift" },
  { name: "baselines", path: () => "/drift?tab=baselines" },
  { name: "rules", path: () => "/rules" },
  { name: "rule", path: () => "/rules/dell-esxi55/esxi55.delayed_ack" },
  { name: "packs", path: () => "/packs" },
  { name: "pack", path: () => "/packs/dell-esxi55" },
  { name: "decisions", path: () => "/decisions" },
  { name: "past", path: () => "/past" },
  { name: "matrix", path: () => "/matrix" },
  { name: "score", path: () => "/score" },
  { name: "waivers", path: () => "/waivers" },
  { name: "attestations", path: () => "/waivers?tab=attestations" },
  { name: "admin-groups", path: () => "/admin?tab=groups" },
  { name: "host-past", path: (host: string) => `/hosts/${host}/past?at=${new Date().toISOString()}&show=all` },
  { name: "reports", path: () => "/reports" },
  { name: "enrol", path: () => "/enrol" },
  { name: "admin", path: () => "/admin" },
  { name: "admin-audit", path: () => "/admin?tab=audit" },
  { name: "admin-notices", path: () => "/admin?tab=notices" },
  { name: "plans", path: () => "/remediate" },
  { name: "jobs", path: () => "/jobs" },
  { name: "safety", path: () => "/safety" },
  { name: "benchmarks", path: () => "/benchmarks" },
  { name: "compare", path: (host: string) => `/hosts/${host}/compare` },
  { name: "waiver-new", path: (host: string) => `/waivers/new?pack=dell-esxi55&rule=esxi55.delayed_ack&host=${host}` },
  { name: "assess", path: () => "/assess" },
  { name: "account", path: () => "/account" },
  { name: "api-reference", path: () => "/api-reference" },
];

mkdirSync(SHOTS, { recursive: true });

test("every page keeps WCAG 2.2 AA as far as axe can tell, on a desk and on a phone, light and dark", async ({ as }) => {
  test.setTimeout(900_000);
  const page = await as("admin");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const host = await hostBy(page, "platform=esxi&sort=score&outcome=fail");
  for (const one of pages) {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.goto(one.path(host.id));
      // A page follows the system's scheme while it stands open, so it is loaded once for both.
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await settled(page);
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
        await page.screenshot({ path: `${SHOTS}${one.name}-${width}-${scheme}.jpg`, fullPage: true });
        expect.soft(await faults(page, scheme === "light" ? "all" : "colours"), `${one.name} at ${width} px, ${scheme}`).toEqual([]);
      }
      const spill = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(spill, `${one.name} at ${width} px spills sideways`).toBeLessThanOrEqual(0);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    }
  }
});

for (const scheme of ["light", "dark"] as const) {
  test(`the sign-in page keeps WCAG 2.2 AA as far as axe can tell, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    await page.screenshot({ path: `${SHOTS}sign-in-1440-${scheme}.jpg` });
    expect(await faults(page)).toEqual([]);
  });
}

test("on a tablet and on a phone nothing spills sideways, and tables of many columns stand as lines of head and value", async ({ as }) => {
  const page = await as("admin");
  // The pages with the most beside each other; on a phone all others are looked at above.
  const widest = { 768: ["/", "/hosts", "/rules", "/enrol", "/admin", "/admin?tab=collection"], 390: ["/admin?tab=collection", "/admin?tab=audit"] };
  for (const [width, paths] of Object.entries(widest)) {
    await page.setViewportSize({ width: Number(width), height: 1024 });
    for (const path of paths) {
      await page.goto(path);
      await settled(page);
      const spill = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(spill, `${path} at ${width} px spills sideways`).toBeLessThanOrEqual(0);
      const stacked = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLTableElement>("table[data-stacks]")].map((table) => {
          const place = table.parentElement as HTMLElement;
          const heads = [...table.querySelectorAll("th")].map((head) => (head.querySelector(".hidden-visually") ? "" : head.textContent));
          const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
          return {
            scrolls: place.scrollWidth > place.clientWidth,
            wrong: rows.flatMap((row) => [...row.cells].filter((cell, at) => cell.dataset.head !== heads[at])).length,
          };
        }),
      );
      for (const table of stacked) expect.soft(table, `a table of ${path} at ${width} px`).toEqual({ scrolls: false, wrong: 0 });
      if (path.endsWith("collection")) expect.soft(stacked.length).toBeGreaterThan(0);
    }
  }
});

test("on a phone the menu is a drawer and hosts are cards", async ({ as }) => {
  const page = await as("viewer");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await settled(page);
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").getByRole("link", { name: /^Hosts/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: /hosts?$/ })).toBeVisible();
  await expect(page.getByRole("table")).toHaveCount(0);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("dialog").getByRole("group", { name: "Platform" })).toBeVisible();
});

test("a failed panel says so with its request id, the others stay, and trying again mends it", async ({ as }) => {
  const page = await as("viewer");
  const host = await hostBy(page, "sort=name&platform=esxi");
  const problem = { type: "about:blank", title: "Internal error", status: 400, detail: "told by the journey", code: "internal", request_id: "journey-0001" };
  await page.route("**/api/v1/hosts/*/paths", (route) => route.fulfill({ status: 400, contentType: "application/problem+json", body: JSON.stringify(problem) }));
  await page.goto(`/hosts/${host.id}`);
  const paths = page.getByRole("region", { name: "Paths" });
  await expect(paths.getByRole("alert")).toContainText("journey-0001");
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.unroute("**/api/v1/hosts/*/paths");
  await paths.getByRole("button", { name: "Retry" }).click();
  await expect(paths.getByRole("alert")).toHaveCount(0);
});

test("the time zone is a choice, is printed, and outlives a reload", async ({ as }) => {
  const page = await as("approver");
  await page.goto("/hosts");
  await settled(page);
  await page.getByRole("button", { name: /^Time zone/ }).click();
  await page.getByRole("menuitem", { name: /^UTC/ }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Time zone: UTC" })).toBeVisible();
});

test("printed, a page is dark ink on white without its navigation, whatever the scheme", async ({ as }) => {
  const page = await as("viewer");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await settled(page);
  const light = () => page.getByRole("heading", { level: 1 }).evaluate((one) => Number(getComputedStyle(one).color.match(/\d+/)?.[0]));
  expect(await light()).toBeGreaterThan(200);
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  expect(await light()).toBeLessThan(60);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  await expect(page.getByRole("complementary", { name: "Navigation" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Fleet score" })).toBeVisible();
});

test("who asked for less motion sees none", async ({ as }) => {
  const page = await as("viewer");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/hosts");
  await settled(page);
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll("*")].flatMap((one) => {
        const { animationDuration, transitionDuration } = getComputedStyle(one);
        return [...animationDuration.split(","), ...transitionDuration.split(",")].map((each) => Number.parseFloat(each) * (each.trim().endsWith("ms") ? 1 : 1000));
      }),
    ),
  );
  expect(longest).toBeLessThan(1);
});

test("a session that ends under a form is begun again over it, and what was entered stays", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/admin?tab=tokens");
  await settled(page);
  await page.getByRole("button", { name: "Create token" }).click();
  const form = page.getByRole("dialog", { name: "Create token" });
  await form.getByLabel("Purpose").fill("nightly export of the journey");
  await form.getByRole("checkbox", { name: /^operator/ }).check();
  await page.context().clearCookies();
  await form.getByRole("button", { name: "Create token" }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await expect(again).toContainText("Your session has ended");
  await page.keyboard.press("Escape");
  await expect(again).toBeVisible();
  const { login, password } = loginOf("operator");
  await again.getByLabel("Login").fill(login);
  await again.getByRole("textbox", { name: "Password" }).fill(password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await expect(again).toHaveCount(0);
  await expect(form.getByLabel("Purpose")).toHaveValue("nightly export of the journey");
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText(/shown only once/i).first()).toBeVisible();
});

test("the first load of a page stays within 350 KB of scripts and styles as they are sent", async ({ as, browser, baseURL }) => {
  const signedIn = await as("operator");
  const storageState = await signedIn.context().storageState();
  for (const path of ["/", "/hosts", "/on-call"]) {
    const context = await browser.newContext({ storageState, baseURL });
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      // The chart of the open problem comes after its words and acts, which do not wait for it.
      if (["script", "stylesheet"].includes(request.resourceType()) && !request.url().includes("time-chart"))
        sizes.push(request.sizes().then((size) => size.responseBodySize));
    });
    await page.goto(path);
    await settled(page);
    const sent = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(sent, `${path}: no file was counted`).toBeGreaterThan(100_000);
    expect.soft(sent / 1000, path).toBeLessThanOrEqual(350);
    await context.close();
  }
});
