import type { Page } from "@playwright/test";
import { faults } from "../pages/axe";
import { approvedJob, type Changeable, changeable, planned, readJob } from "../pages/changes";
import { settled } from "../pages/fleet";
import { expect, loginOf, test } from "../session";

// A plan, an approval by somebody else, a job on a host of the lab, its verification and its undo: two people and two jobs.
test.describe.configure({ timeout: 300_000 });

/** A job that has come to its end: the newest one, or one that is made for it where no journey made any. */
async function endedJob(page: Page, approver: Page, admin: Page): Promise<number> {
  const { items } = (await (await page.request.get("/api/v1/jobs?is_open=false&limit=1")).json()) as { items: { id: number }[] };
  if (items[0]) return items[0].id;
  const host = await changeable(page, admin);
  const job = await approvedJob(page, approver, await planned(page, host.id, host.findings, "sessions are lost too early"));
  await expect.poll(async () => (await readJob(page, job)).finished_at, { timeout: 120_000 }).not.toBeNull();
  return job;
}

/** An approved plan for the one finding: asked for by an operator, signed by an approver. Answers its number. */
async function approved(page: Page, approver: Page, host: Changeable): Promise<number> {
  const id = await planned(page, host.id, host.findings, "sessions are lost too early when a controller fails over");
  await page.goto(`/remediate/${id}`);
  await page.getByRole("button", { name: "Request approval" }).click({ timeout: 90_000 });
  await expect(page.getByText("Pending approval", { exact: true }).first()).toBeVisible();
  await approver.goto(`/remediate/${id}`);
  await approver.getByRole("button", { name: "Approve…" }).click();
  const dialog = approver.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Password" }).fill(loginOf("approver").password);
  await dialog.getByRole("button", { name: "Approve plan" }).click();
  await expect(dialog).toHaveCount(0);
  return id;
}

/** What axe finds on the page, in light and dark and on a phone, and whether anything spills sideways. */
async function looksRight(page: Page): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await faults(page, scheme === "light" ? "all" : "colours"), `at ${width} px, ${scheme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("an approved change is followed to its proof by a check-in, and undone by holding one button", async ({ as }) => {
  const [page, approver, admin] = [await as("operator"), await as("approver"), await as("admin")];
  const host = await changeable(page, admin);
  const plan = await approved(page, approver, host);

  await page.goto(`/jobs?plan=${plan}`);
  await settled(page);
  await page.getByRole("link", { name: new RegExp(`^Job \\d+ on ${host.name}`) }).click();
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  await expect(page.getByRole("heading", { level: 1, name: `Change on ${host.name}` })).toBeVisible();
  // What the change does to the host is watched from its beginning, without anyone asking.
  const watch = page.getByRole("region", { name: "Watch", exact: true }).getByRole("status", { name: "State of the watch" });
  await expect(watch).toContainText(/Watching.*Started by job \d+, \d+ reading/, { timeout: 60_000 });
  const now = page.getByRole("region", { name: "Now" });
  await expect(now).toContainText("Verified: a check-in after the last step shows the result", { timeout: 120_000 });
  await expect(page.getByRole("region", { name: "Steps" })).toContainText("5 seconds→60 seconds");
  await expect(page.getByRole("region", { name: "Paths" }).getByRole("figure")).toBeVisible();

  // Every line of the log is there, in order and once, although the page was opened in the middle of it.
  const log = page.getByRole("region", { name: "Log" });
  const id = Number(page.url().split("/").pop());
  const { items } = (await (await page.request.get(`/api/v1/jobs/${id}/events?after=0`)).json()) as { items: { words: string }[] };
  expect(items.length).toBeGreaterThan(0);
  await expect(log.getByRole("listitem")).toHaveCount(items.length);
  const shown = await log.getByRole("listitem").allInnerTexts();
  for (const [at, line] of items.entries()) expect(shown[at]).toContain(line.words);
  await log.getByRole("textbox", { name: "Search the log" }).fill("receipt");
  await expect(page).toHaveURL(/q=receipt/);
  expect(await log.getByRole("listitem").count()).toBeLessThan(items.length);
  const download = page.waitForEvent("download");
  await log.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe(`job-${id}.log`);
  await log.getByRole("textbox", { name: "Search the log" }).fill("");
  await looksRight(page);

  // Let go early, it does nothing; held for two seconds, it undoes.
  const undo = page.getByRole("button", { name: "Hold for 2 s to undo" });
  await undo.click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${id}`));
  await expect(page.getByRole("button", { name: "Undo now" })).toBeVisible();
  await undo.click({ delay: 2600 });
  await expect(page.getByRole("heading", { level: 1, name: `Undo on ${host.name}` })).toBeVisible();
  await expect(page.getByRole("region", { name: "Now" })).toContainText("Undone", { timeout: 120_000 });

  await page.goto(`/hosts/${host.id}?tab=jobs`);
  await settled(page);
  await expect(page.getByRole("region", { name: "Jobs" })).toContainText("Undone and verified");
});

test("a lost connection is told with the time of the last word, and no line is lost by it", async ({ as }) => {
  const page = await as("operator");
  const job = await endedJob(page, await as("approver"), await as("admin"));
  // The stream is refused for good, as a proxy does it: the page asks for the events instead.
  await page.route("**/api/v1/jobs/*/stream", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "bad gateway" }));
  await page.goto(`/jobs/${job}`);
  await settled(page);
  const told = (await (await page.request.get(`/api/v1/jobs/${job}/events?after=0`)).json()) as { items: unknown[] };
  expect(told.items.length).toBeGreaterThan(0);
  await expect(page.getByRole("region", { name: "Log" }).getByRole("listitem")).toHaveCount(told.items.length);
});

test("filters of the list stand in the address, and nothing found says how to go on", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/jobs");
  await settled(page);
  await page.getByText("Needs attention", { exact: true }).first().click();
  await expect(page).toHaveURL(/state=NEEDS_HUMAN/);
  await page.goto("/jobs?state=NEEDS_HUMAN&state=nonsense&plan=999999&show=never");
  await settled(page);
  await expect(page.getByText("No matching jobs")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.goto("/jobs/999999");
  await expect(page.getByRole("heading", { level: 1, name: "Job not found" })).toBeVisible();
  await page.goto("/jobs");
  await settled(page);
  await looksRight(page);
});
