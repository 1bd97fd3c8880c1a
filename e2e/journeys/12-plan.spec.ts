import type { Page } from "@playwright/test";
import { checkIn, setOnHost } from "../hosts/lab";
import { faults } from "../pages/axe";
import { failing, hostNamed, planned, readUntil } from "../pages/changes";
import { settled } from "../pages/fleet";
import { expect, loginOf, test } from "../session";

// Each plan is made by a worker in the background, and two people sign in: on a busy machine that takes its time.
test.describe.configure({ timeout: 300_000 });

// The driver update that loses this host its flow control comes minutes after the fleet's first start; nobody waits for it here.
test.beforeAll(async () => {
  await setOnHost("sql-03", "SAN*.driver_version", "7.8.1.0");
  await setOnHost("sql-03", "SAN*.flow_control", "off");
  await checkIn("sql-03");
});

/** Clicks on a page, counted by the page itself. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    (window as unknown as { clicks: number }).clicks = 0;
    document.addEventListener("click", (event) => {
      if (event.isTrusted) (window as unknown as { clicks: number }).clicks += 1;
    }, { capture: true });
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

/** From the overview to a plan that waits for approval, as an engineer does on a Monday. Answers its address. */
async function request(page: Page): Promise<string> {
  await page.goto("/hosts?q=sql-03");
  await settled(page);
  const clicks = await countClicks(page);
  await page.getByRole("link", { name: "sql-03", exact: true }).first().click();
  const finding = page.getByRole("article", { name: /^fail: Flow control/ });
  await finding.getByRole("button", { name: /^Plan fix/ }).click();
  await expect(page).toHaveURL(/\/remediate\/\d+$/);
  await page.getByRole("button", { name: "Request approval" }).click({ timeout: 90_000 });
  await expect(page.getByText("Pending approval", { exact: true }).first()).toBeVisible();
  expect(await clicks(), "clicks from the list of hosts to a requested fix").toBeLessThanOrEqual(4);
  return new URL(page.url()).pathname;
}

test("what got worse becomes a requested fix for the whole group in at most three clicks from the overview", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/");
  await settled(page);
  const clicks = await countClicks(page);
  const group = page.getByRole("region", { name: "Worse" }).getByRole("row", { name: /Flow control/ });
  await group.getByRole("button", { name: /^Plan fix \(\d+\)/ }).click();
  await expect(page).toHaveURL(/\/remediate\/\d+$/);
  await page.getByRole("button", { name: "Request approval" }).click({ timeout: 90_000 });
  await expect(page.getByText("Pending approval", { exact: true }).first()).toBeVisible();
  expect(await clicks(), "clicks from the overview to a requested fix").toBeLessThanOrEqual(3);
});

test("a failing finding becomes a requested fix in at most four clicks, with its way back in sight", async ({ as }) => {
  const page = await as("operator");
  await request(page);
  const steps = page.getByRole("region", { name: "Wave 1" });
  await expect(steps).toContainText("SAN1 flow control");
  await expect(steps).toContainText("Restart-NetAdapter -Name 'SAN1'");
  await expect(steps).toContainText("rolls back on the host if not confirmed");
  await expect(steps).toContainText("4 → 2");
  await expect(page.getByText("Waiting for an approver other than the requester.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
});

test("an approver sees the same difference, is asked for the password, and may refuse with a reason", async ({ as }) => {
  const author = await as("operator");
  const address = await request(author);
  const wanted = await author.getByRole("region", { name: "Steps" }).innerText();
  const page = await as("approver");
  await page.goto(address);
  const approve = page.getByRole("button", { name: "Approve…" });
  await expect(approve).toBeVisible();
  expect(await page.getByRole("region", { name: "Steps" }).innerText()).toBe(wanted);
  await approve.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("You approve 2 steps on 1 host");
  await dialog.getByRole("textbox", { name: "Password" }).fill(`not ${loginOf("approver").password}`);
  await dialog.getByRole("button", { name: "Approve plan" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong password");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Reject…" }).click();
  await page.getByRole("dialog").getByLabel(/^Reason/).fill("Backups run until six.");
  await page.getByRole("dialog").getByRole("button", { name: "Reject plan" }).click();
  await expect(page.getByText("Rejected", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Backups run until six.");
});

test("a host with a dead path is left out by name, and the rest of the plan stands", async ({ as }) => {
  const page = await as("operator");
  // The hosts that may be changed are right here, whatever another journey took from them: the one that is left out is the only one.
  for (const name of ["esx-b10", "esx-t01"]) {
    const hostId = await hostNamed(page, name);
    const isRight = async () => (await failing(page, hostId, "esxi55.flow_control")).length === 0;
    if (await isRight()) continue;
    for (const adapter of ["vmnic2", "vmnic3"]) await setOnHost(name, `${adapter}.flow_control`, "rx_tx");
    await readUntil(page, hostId, isRight);
  }
  await page.goto("/rules/dell-esxi55/esxi55.flow_control");
  await settled(page);
  await page.getByRole("button", { name: /^Plan fix for/ }).click();
  const out = page.getByRole("region", { name: "Blocked" });
  await expect(out).toContainText("esx-b07", { timeout: 90_000 });
  // It says which volume, so that nobody has to look for it.
  await expect(out).toContainText(/esx-b07: a path of ds-(erp|vdi) is already down/);
  await expect(page.getByText("This plan changes nothing")).toBeVisible();
});

test("a host is removed from a plan before it is approved, and the rest is planned again", async ({ as }) => {
  const page = await as("operator");
  await setOnHost("sql-06", "SAN*.flow_control", "off");
  await checkIn("sql-06");
  const second = await hostNamed(page, "sql-06");
  await expect.poll(async () => (await failing(page, second, "bp1057r2.flow_control")).length, { timeout: 60_000 }).toBeGreaterThan(0);
  const [finding] = await failing(page, second, "bp1057r2.flow_control");
  await page.goto(`/rules/${finding?.pack}/${finding?.rule}`);
  await settled(page);
  await page.getByRole("button", { name: /^Plan fix for/ }).click();
  const steps = page.getByRole("region", { name: "Steps" });
  await expect(steps).toContainText("sql-03", { timeout: 90_000 });
  await expect(steps).toContainText("sql-06");
  const before = page.url();
  await page.getByRole("button", { name: "Remove hosts…" }).click();
  await page.getByRole("dialog").getByRole("checkbox", { name: "sql-06" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Remove 1 host" }).click();
  await expect(page).not.toHaveURL(before, { timeout: 30_000 });
  await expect(steps).toContainText("sql-03", { timeout: 90_000 });
  await expect(steps).not.toContainText("sql-06");
  // The plan before is withdrawn, so that nobody approves both.
  await page.goto(before);
  await expect(page.getByText("Withdrawn", { exact: true }).first()).toBeVisible();
});

test("the pages of plans are free of faults that axe finds, and fit a phone", async ({ as }) => {
  const page = await as("operator");
  const hostId = await hostNamed(page, "sql-03");
  await planned(page, hostId, await failing(page, hostId, "bp1057r2.flow_control"), "looked at by axe");
  await page.goto("/remediate");
  await page.locator("main table tbody tr").first().getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "History" })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faults(page, colorScheme === "light" ? "all" : "colours"), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
