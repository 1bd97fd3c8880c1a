import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PYTHON } from "../hosts/esxi-host";
import { faults } from "../pages/axe";
import { settled } from "../pages/fleet";
import { expect, test } from "../session";

const SHOTS = new URL("../screenshots/", import.meta.url).pathname;
mkdirSync(SHOTS, { recursive: true });

test("a viewer makes an evidence bundle, and anybody checks it with the file that Plumbline serves", async ({ as }) => {
  test.setTimeout(180_000);
  const page = await as("viewer");
  const folder = mkdtempSync(join(tmpdir(), "plumbline-bundle-"));
  await page.goto("/reports");
  await settled(page);
  const section = page.getByRole("region", { name: "Evidence bundles" });
  await section.getByRole("button", { name: "Create evidence bundle" }).click();
  const newest = section.getByRole("listitem", { name: /^Evidence bundle \d+/ }).first();
  const link = newest.getByRole("link", { name: "Download bundle" });
  await expect(link).toBeVisible({ timeout: 120_000 });
  const keyId = (await newest.innerText()).match(/Key ID\s*([0-9a-f]{16})/)?.[1] ?? "";
  expect(keyId).not.toBe("");

  const [bundle] = await Promise.all([page.waitForEvent("download"), link.click()]);
  await bundle.saveAs(join(folder, "bundle.zip"));
  const [verifier] = await Promise.all([page.waitForEvent("download"), section.getByRole("link", { name: "verify_bundle.py" }).click()]);
  await verifier.saveAs(join(folder, "verify_bundle.py"));
  // Isolated and without site packages: an auditor's Python.
  const check = ["-I", "-S", join(folder, "verify_bundle.py"), join(folder, "bundle.zip"), "--key", keyId, "--json"];
  const found = JSON.parse(execFileSync(PYTHON, check, { encoding: "utf8" }));
  expect(found.problems).toEqual([]);
  expect(found.recomputed.hosts).toBeGreaterThan(20);
  expect(found.recomputed.audit_entries).toBeGreaterThan(0);
});

test("an admin sees the state of every part, and downloads a support file", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/admin?tab=health");
  await settled(page);
  for (const part of ["Database", "Broker", "Workers", "Work queue", "Disk", "Hosts", "Backup", "Processes"]) {
    await expect(page.getByRole("listitem", { name: part, exact: true })).toBeVisible();
  }
  await expect(page.getByRole("listitem", { name: "Database", exact: true })).toContainText("PostgreSQL");
  await expect(page.getByRole("region", { name: "Agent versions" }).getByRole("row")).not.toHaveCount(1);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download support file" }).click()]);
  expect(file.suggestedFilename()).toMatch(/^plumbline-support-\d{8}-\d{6}\.zip$/);
  expect(readFileSync(await file.path()).subarray(0, 2).toString()).toBe("PK");
});

test("an admin is told what removing the lab deletes, before it does", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/enrol");
  await expect(page.getByText("This is a lab.")).toBeVisible();
  await page.getByRole("button", { name: "Lab fleet…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove lab" });
  await expect(dialog).toContainText(/deletes the \d+ simulated hosts|not simulated/);
  expect.soft(await faults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});

test("the API reference finds an operation and shows its fields", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/api-reference");
  await settled(page);
  await page.getByRole("textbox", { name: "Search" }).fill("post evidence");
  await page.getByText("/api/v1/evidence-bundles", { exact: true }).click();
  await expect(page.getByRole("table", { name: "Body" }).getByRole("row", { name: /group_id integer Yes/ })).toBeVisible();
});

test("these pages keep WCAG 2.2 AA, on a desk and on a phone, light and dark", async ({ as }) => {
  test.setTimeout(240_000);
  const page = await as("admin");
  for (const [name, path] of [
    ["reports-evidence", "/reports"],
    ["system-health", "/admin?tab=health"],
    ["api-reference", "/api-reference"],
    ["notices", "/admin?tab=notices"],
  ] as const) {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await page.goto(path);
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await settled(page);
        await page.screenshot({ path: `${SHOTS}${name}-${width}-${scheme}.jpg`, fullPage: true });
        expect.soft(await faults(page, scheme === "light" ? "all" : "colours"), `${name} at ${width} px, ${scheme}`).toEqual([]);
      }
      const spill = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(spill, `${name} at ${width} px spills sideways`).toBeLessThanOrEqual(0);
    }
  }
});
