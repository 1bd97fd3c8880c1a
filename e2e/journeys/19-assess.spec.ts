import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PYTHON } from "../hosts/esxi-host";
import { faults } from "../pages/axe";
import { go, settled } from "../pages/fleet";
import { expect, test } from "../session";

const FOLDER = mkdtempSync(join(tmpdir(), "bundles-"));
const MAKE = new URL("../hosts/bundle.py", import.meta.url).pathname;

test.beforeAll(() => {
  execFileSync(PYTHON, [MAKE, FOLDER], { timeout: 120_000 });
});

test("a bundle is dropped, read and reported, with the line that says what is wrong", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await settled(page);
  await go(page, "Hosts", /hosts?$/);
  await page.getByRole("link", { name: "Assess a bundle" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Assess a bundle" })).toBeVisible();

  await page.locator("input[type=file]").setInputFiles([join(FOLDER, "site.zip"), join(FOLDER, "holiday.zip")]);
  const refused = page.getByRole("listitem", { name: "Assessment of holiday.zip" }).first();
  await expect(refused).toContainText("no host is recognised in it", { timeout: 60_000 });
  const read = page.getByRole("listitem", { name: "Assessment of site.zip" }).first();
  await expect(read).toContainText("2 hosts", { timeout: 60_000 });

  await read.getByRole("link", { name: "site.zip" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "site.zip" })).toBeVisible();
  const report = page.getByRole("region", { name: /^Host / });
  await expect(report).toContainText("vm-support bundle of ESXi");
  await expect(report).toContainText("12 Jan 2026");
  await expect(report.getByText(/^commands\//).first()).toBeVisible();
  await page.getByRole("region", { name: "Hosts in this bundle" }).getByRole("link").last().click();
  await settled(page);
  await report.getByText(/findings? (is|are) unknown/).click();
  await expect(report).toContainText("no command of vm-support prints it");

  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PDF" }).click();
  expect(readFileSync(await (await file).path()).subarray(0, 4).toString()).toBe("%PDF");
});

interface Named {
  id: string;
  name: string;
}

test("what changed since the bundle of a host that the fleet knows, and the plan that would mend it", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await settled(page);
  const hosts = (await (await page.request.get("/api/v1/hosts?platform=esxi&limit=1")).json()) as { items: Named[] };
  const host = hosts.items[0];
  if (!host) throw new Error("the fleet has no ESXi host");
  const { items } = (await (await page.request.get(`/api/v1/hosts/${host.id}/settings`)).json()) as {
    items: { subject: { kind: string; id: string } }[];
  };
  const macs = [...new Set(items.filter((each) => each.subject.kind === "adapter").map((each) => each.subject.id))].sort();
  execFileSync(PYTHON, [MAKE, FOLDER, host.name, macs.join(",")], { timeout: 120_000 });

  await page.goto("/assess");
  await settled(page);
  await page.locator("input[type=file]").setInputFiles([join(FOLDER, "fleet.tgz")]);
  const read = page.getByRole("listitem", { name: "Assessment of fleet.tgz" }).first();
  await expect(read).toContainText("1 host", { timeout: 60_000 });
  await read.getByRole("link", { name: "fleet.tgz" }).click();
  const report = page.getByRole("region", { name: `Host ${host.name}` });
  await expect(report).toContainText("have the same MAC address");

  await report.getByRole("button", { name: "Preview plan" }).click();
  const preview = report.getByRole("region", { name: "Plan preview" });
  await expect(preview).toContainText("This preview can't be approved or run");
  await expect(preview).toContainText("esxcli iscsi adapter param set");
  await expect(preview).toContainText("Disruption: New sessions only");
  await expect(preview.getByRole("button", { name: "Copy as script" })).toBeVisible();
  await expect(preview.getByRole("button", { name: /approv/i })).toHaveCount(0);
  await looks(page, "preview");

  await report.getByRole("link", { name: `Compare with ${host.name} today` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Compare ${host.name} with ${host.name} in fleet.tgz`);
  expect(page.url()).toMatch(new RegExp(`/hosts/${host.id}/compare\\?with=bundle&assessed=\\d+$`));
  await expect(page.getByText(/What changed since fleet\.tgz, as of .*12 Jan 2026/)).toBeVisible();
  const settings = page.getByRole("table", { name: "Settings" });
  await expect(settings.getByText("commands/", { exact: false }).first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Findings" }).getByText("Fail").first()).toBeVisible();
  await looks(page, "compared");
});

/** A picture in both colours and widths, without faults that axe finds and without spilling over the side. */
async function looks(page: Page, name: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await faults(page), `${name} ${scheme} ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${name} ${width} spills`).toBe(true);
      await page.screenshot({ path: test.info().outputPath(`${name}-${scheme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

test("the pages of assessments are free of faults that axe finds, and fit a phone", async ({ as }) => {
  const page = await as("viewer");
  for (const path of ["/assess", "the newest"]) {
    if (path === "/assess") await page.goto(path);
    else await page.getByRole("link", { name: "site.zip" }).first().click();
    await settled(page);
    await looks(page, path.replace(/\W/g, ""));
  }
});

/** Takes hosts of bundles out of the fleet again: the other journeys count it. */
async function retireJoined(page: Page): Promise<void> {
  const { items } = (await (await page.request.get("/api/v1/hosts?freshness=bundle")).json()) as { items: Named[] };
  for (const { id } of items) {
    const gone = await page.request.post(`/api/v1/hosts/${id}/retire`, {
      data: { reason: "added by a browser test" },
      headers: { "x-plumbline": "1" },
    });
    expect(gone.ok(), await gone.text()).toBe(true);
  }
}

test("an admin adds a host of a bundle to the fleet, where it is as of its day and nothing can be planned on it", async ({ as }) => {
  const page = await as("admin");
  await retireJoined(page);
  await page.goto("/assess");
  await settled(page);
  await page.locator("input[type=file]").setInputFiles([join(FOLDER, "site.zip")]);
  const read = page.getByRole("listitem", { name: "Assessment of site.zip" }).first();
  await expect(read).toContainText("2 hosts", { timeout: 60_000 });
  await read.getByRole("link", { name: "site.zip" }).click();
  await page.getByRole("button", { name: "Add to fleet…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add to fleet" });
  await dialog.getByRole("combobox", { name: "Group" }).click();
  await page.getByRole("option").first().click();
  await dialog.getByRole("radio", { name: "All 2 hosts in this bundle" }).check();
  // The lab has a host of the name of one of them.
  await dialog.getByRole("checkbox", { name: "Also add hosts that may be in the fleet already" }).check();
  await dialog.getByRole("button", { name: "Add to fleet" }).click();
  await expect(dialog.getByText("2 hosts added")).toBeVisible({ timeout: 30_000 });
  await looks(page, "joined-dialog");
  await dialog.getByRole("link").first().click();

  await expect(page.getByText(/^As of .*12 Jan 2026/)).toBeVisible();
  await expect(page.getByText("Known only from site.zip", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Plan fix", exact: false })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Check now" })).toHaveCount(0);
  await looks(page, "joined-host");
  await page.getByRole("navigation", { name: "Host sections" }).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByText("File: commands/", { exact: false }).first()).toBeVisible();
  const { items } = (await (await page.request.get("/api/v1/hosts?freshness=bundle")).json()) as { items: Named[] };
  expect(items).toHaveLength(2);
  const { silent } = (await (await page.request.get("/api/v1/overview")).json()) as { silent: Named[] };
  expect(silent.filter((each) => items.some((one) => one.id === each.id))).toEqual([]);
  await retireJoined(page);
});

test("an assessment is deleted by its person", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/assess");
  await settled(page);
  const rows = page.getByRole("listitem", { name: "Assessment of holiday.zip" });
  const before = await rows.count();
  await rows.first().getByRole("button", { name: "Delete assessment" }).click();
  await expect(rows).toHaveCount(before - 1);
});
