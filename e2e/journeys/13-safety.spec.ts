import { standStillAsAfterRestore } from "../hosts/restore";
import { faults } from "../pages/axe";
import { expect, test } from "../session";

test.describe.configure({ timeout: 180_000 });

const HELD_MS = 2400;

test("an admin freezes a group and makes a window, said in words, and ends both", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/safety?tab=windows");
  await page.getByRole("button", { name: "Freeze a group …" }).click();
  const freeze = page.getByRole("dialog");
  await freeze.getByRole("combobox", { name: "Group, and all below it" }).click();
  await page.getByRole("option").last().click();
  await freeze.getByLabel("Reason").fill("Quarter's end.");
  await freeze.getByRole("button", { name: "Freeze it" }).click();
  const frozen = page.getByRole("article", { name: /^Freeze of/ });
  await expect(frozen).toContainText("frozen now");

  await page.getByRole("button", { name: "Make a window …" }).click();
  const made = page.getByRole("dialog");
  await made.getByLabel("Name").fill("Saturday night");
  await made.getByRole("combobox", { name: "Group, and all below it" }).click();
  await page.getByRole("option").last().click();
  await made.getByLabel("Time zone of the site").fill("Europe/Berlin");
  await page.keyboard.press("Tab");
  await expect(made.getByRole("status")).toHaveText("Opens every Saturday at 22:00 for 4 h, Europe/Berlin.");
  await made.getByRole("button", { name: "Make the window" }).click();
  const window = page.getByRole("article", { name: "Window Saturday night" });
  await expect(window).toContainText("every Saturday at 22:00 for 4 h, Europe/Berlin");
  await expect(window).toContainText(/opens next|open until/);

  await window.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "End the window Saturday night" }).click();
  await expect(window).toHaveCount(0);
  await frozen.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: /^End the freeze/ }).click();
  await expect(frozen).toHaveCount(0);
});

test("an operator stops everything by holding, every page says so, and starts it again with a reason", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/safety");
  const panel = page.getByRole("region", { name: "Stop everything" });
  const stop = panel.getByRole("button", { name: "Hold to stop everything" });
  const hold = async () => {
    await stop.focus();
    await page.keyboard.down("Space");
    await page.waitForTimeout(HELD_MS);
    await page.keyboard.up("Space");
  };
  await hold();
  await expect(panel).toContainText("Say why first");
  await panel.getByLabel("Why").fill("Array alarm, looking.");
  await hold();
  await expect(panel).toContainText("Emergency stop is on");
  try {
    await page.goto("/remediate");
    await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Emergency stop is on" })).toContainText("Array alarm, looking.");
    const viewer = await as("viewer");
    await viewer.goto("/safety");
    await expect(viewer.getByRole("region", { name: "Stop everything" })).toContainText("your roles hold no such right");
  } finally {
    await page.goto("/safety");
    await panel.getByLabel("Why it is safe to start again").fill("Cable put back.");
    await panel.getByRole("button", { name: "Hold to start again" }).click();
    // A short press asks once more, for whoever cannot hold.
    await panel.getByRole("button", { name: "Start again now" }).click();
    await expect(panel).toContainText("Jobs may run");
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
    const seen = operator.getByRole("region", { name: "Stop everything" });
    await expect(seen).toContainText("Only an admin of the whole tree starts again after a restore.");
    await expect(seen.getByRole("button")).toHaveCount(0);
    await page.goto("/safety");
    const panel = page.getByRole("region", { name: "Stop everything" });
    await expect(panel).toContainText("Paused: restored from a backup");
    await expect(panel.getByRole("link", { name: "Look at the jobs that were open" })).toHaveAttribute("href", "/jobs?show=open");
    expect(await faults(page)).toEqual([]);
  } finally {
    await page.goto("/safety");
    const panel = page.getByRole("region", { name: "Stop everything" });
    await panel.getByLabel("Why it is safe to start again").fill("Looked at every open job.");
    await panel.getByRole("button", { name: "Hold to start again" }).click();
    await panel.getByRole("button", { name: "Start again now" }).click();
    await expect(panel).toContainText("Jobs may run");
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
    await expect(page.getByRole("region", { name: "Stop everything" })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults(page, colorScheme === "light" ? "all" : "colours"), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
}
