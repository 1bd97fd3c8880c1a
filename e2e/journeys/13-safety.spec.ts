import { standStillAsAfterRestore } from "../hosts/restore";
import { faults } from "../pages/axe";
import { expect, test } from "../session";

test.describe.configure({ timeout: 180_000 });

const HELD_MS = 2400;

test("an admin freezes a group and makes a window, said in words, and ends both", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/safety?tab=windows");
  await page.getByRole("button", { name: "New freeze…" }).click();
  const freeze = page.getByRole("dialog");
  await freeze.getByRole("combobox", { name: "Group (including subgroups)" }).click();
  await page.getByRole("option").last().click();
  await freeze.getByLabel("Reason").fill("Quarter's end.");
  await freeze.getByRole("button", { name: "Start freeze" }).click();
  const frozen = page.getByRole("article", { name: /^Freeze on/ });
  await expect(frozen).toContainText("Active");

  await page.getByRole("button", { name: "New window…" }).click();
  const made = page.getByRole("dialog");
  await made.getByLabel("Name").fill("Saturday night");
  await made.getByRole("combobox", { name: "Group (including subgroups)" }).click();
  await page.getByRole("option").last().click();
  await made.getByLabel("Time zone").fill("Europe/Berlin");
  await page.keyboard.press("Tab");
  await expect(made.getByRole("status")).toHaveText("Opens every Saturday at 22:00 for 4 h, Europe/Berlin.");
  await made.getByRole("button", { name: "Create window" }).click();
  const window = page.getByRole("article", { name: "Window Saturday night" });
  await expect(window).toContainText("Every Saturday at 22:00 for 4 h, Europe/Berlin");
  await expect(window).toContainText(/Next opening|Open until/);

  await window.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "End window Saturday night" }).click();
  await expect(window).toHaveCount(0);
  await frozen.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: /^End freeze/ }).click();
  await expect(frozen).toHaveCount(0);
});

test("an operator stops everything by holding, every page says so, and starts it again with a reason", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/safety");
  const panel = page.getByRole("region", { name: "Emergency stop" });
  const stop = panel.getByRole("button", { name: "Hold to stop all jobs" });
  const hold = async () => {
    await stop.focus();
    await page.keyboard.down("Space");
    await page.waitForTimeout(HELD_MS);
    await page.keyboard.up("Space");
  };
  await hold();
  await expect(panel).toContainText("Enter a reason");
  await panel.getByLabel("Reason").fill("Array alarm, looking.");
  await hold();
  await expect(panel).toContainText("Emergency stop is on");
  try {
    await page.goto("/remediate");
    await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Emergency stop is on" })).toContainText("Array alarm, looking.");
    const viewer = await as("viewer");
    await viewer.goto("/safety");
    await expect(viewer.getByRole("region", { name: "Emergency stop" })).toContainText("Only operators can use the emergency stop.");
  } finally {
    await page.goto("/safety");
    await panel.getByLabel("Why it's safe to resume").fill("Cable put back.");
    await panel.getByRole("button", { name: "Hold to resume jobs" }).click();
    // A short press asks once more, for whoever cannot hold.
    await panel.getByRole("button", { name: "Resume jobs now" }).click();
    await expect(panel).toContainText("Emergency stop is off");
  }
  await expect(page.getByRole("main").getByText("Emergency stop is on", { exact: true })).toHaveCount(0);
});

test("after a restore nothing is sent anywhere, every page says so, and only an admin starts again", async ({ as }) => {
  standStillAsAfterRestore("restored from nightly.backup, made 02:00 UTC");
  const [page, operator] = [await as("admin"), await as("operator")];
  try {
    await operator.goto("/jobs");
    const banner = operator.getByRole("main").getByRole("status").filter({ hasText: "Restored from backup" });
    await expect(banner).toContainText("restored from nightly.backup, made 02:00 UTC");
    await expect(banner).toContainText("An admin must resume changes");
    await banner.getByRole("link", { name: "Open Safety" }).click();
    const seen = operator.getByRole("region", { name: "Emergency stop" });
    await expect(seen).toContainText("Only an admin of the root group can resume after a restore.");
    await expect(seen.getByRole("button")).toHaveCount(0);
    await page.goto("/safety");
    const panel = page.getByRole("region", { name: "Emergency stop" });
    await expect(panel).toContainText("Changes paused after restore");
    await expect(panel.getByRole("link", { name: "View open jobs" })).toHaveAttribute("href", "/jobs?show=open");
    expect(await faults(page)).toEqual([]);
  } finally {
    await page.goto("/safety");
    const panel = page.getByRole("region", { name: "Emergency stop" });
    await panel.getByLabel("Why it's safe to resume").fill("Looked at every open job.");
    await panel.getByRole("button", { name: "Hold to resume jobs" }).click();
    await panel.getByRole("button", { name: "Resume jobs now" }).click();
    await expect(panel).toContainText("Emergency stop is off");
  }
  await expect(operator.getByText("Restored from backup")).toHaveCount(0, { timeout: 30_000 });
});

test("an operator holds a host with a reason and releases it; the page says whose mode holds", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/hosts?q=sql-03");
  await page.getByRole("link", { name: "sql-03", exact: true }).first().click();
  await expect(page.getByRole("region", { name: "Change settings for this host" })).toContainText(/Remediation: (On|Observe only) \(inherited from/);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Put on hold…" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Memory is replaced.");
  await page.getByRole("dialog").getByRole("button", { name: "Put on hold" }).click();
  const hold = page.getByRole("region", { name: "Hold", exact: true });
  await expect(hold).toContainText("Memory is replaced., until released");
  await hold.getByRole("button", { name: "Release hold" }).click();
  await expect(hold).toHaveCount(0);
});

for (const tab of ["standing", "windows", "slots"]) {
  test(`the ${tab} part of the safety page is free of faults that axe finds, and fits a phone`, async ({ as }) => {
    const page = await as("admin");
    await page.goto(`/safety?tab=${tab}`);
    await expect(page.getByRole("region", { name: "Emergency stop" })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults(page, colorScheme === "light" ? "all" : "colours"), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
}
