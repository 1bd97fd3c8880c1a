import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { faults } from "../pages/axe";
import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

const SHOTS = new URL("../screenshots/", import.meta.url).pathname;

interface Channels {
  account: string;
  private_key: string;
  hosts: Record<string, { address: string; port: number; pins: string[] }>;
}

/** How the running lab's ESXi hosts are reached over SSH, from the file that the lab wrote for its owner. */
function channels(): Channels {
  const home = process.env.PLUMBLINE_HOME_FOLDER;
  if (!home) throw new Error("PLUMBLINE_HOME_FOLDER names no home of a stack.");
  return JSON.parse(readFileSync(join(home, "run", "lab-channels.json"), "utf8")) as Channels;
}

async function collection(page: Page): Promise<void> {
  await page.goto("/admin?tab=collection");
  await settled(page);
  await expect(page.getByRole("region", { name: "Agentless hosts" })).toBeVisible();
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  const field = page.getByRole("dialog").getByRole("combobox", { name: label });
  await field.or(page.getByRole("dialog").getByRole("textbox", { name: label })).first().click();
  await page.getByRole("option", { name: option }).first().click();
}

test("hosts that Plumbline reads stand under Admin with how the last try went", async ({ as }) => {
  const page = await as("admin");
  await collection(page);
  const row = page.getByRole("row", { name: /esx-b10/ });
  await expect(row).toContainText("SSH");
  await expect(row).toContainText("Verified");
  await expect(row.getByRole("cell", { name: "OK", exact: true })).toBeVisible({ timeout: 60_000 });
});

test("an admin stores a credential, adds a host, confirms its key and sees it read; until then nothing is sent", async ({ as }) => {
  test.setTimeout(180_000);
  const lab = channels();
  // The lab's host of the test group that has an agent of its own: its SSH server is there all the same.
  const reach = lab.hosts["esx-t02"];
  if (!reach) throw new Error("The lab has no host esx-t02.");
  const name = `esx-journey-${Date.now()}`;
  const credentialName = `journey ${Date.now()}`;
  const page = await as("admin");
  await collection(page);

  await page.getByRole("button", { name: "Add credential" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(credentialName);
  await dialog.getByLabel("Account on the hosts").fill(lab.account);
  await dialog.getByLabel("Private key").fill("not a key");
  await dialog.getByRole("button", { name: "Save credential" }).click();
  await expect(dialog.getByRole("alert")).toContainText("private_key");
  await dialog.getByLabel("Private key").fill(lab.private_key);
  await dialog.getByRole("button", { name: "Save credential" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("row", { name: new RegExp(credentialName) })).toContainText("never tested");
  expect(await page.content()).not.toContain("PRIVATE KEY");

  await page.getByRole("button", { name: "Add host" }).click();
  await page.getByRole("dialog").getByLabel("Host name").fill(name);
  await page.getByRole("dialog").getByLabel("Address").fill(reach.address);
  await page.getByRole("dialog").getByLabel("Port").fill(String(reach.port));
  await choose(page, "Credential", new RegExp(credentialName));
  await page.getByRole("dialog").getByRole("button", { name: "Add host" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // A credential's row names the host that it was tested on, too.
  const row = page.getByRole("region", { name: "Agentless hosts" }).getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("Not verified");
  await expect(row).toContainText("Waiting for key verification");

  // The waiting-hosts page leads to the same question.
  await page.goto("/enrol");
  await settled(page);
  await page.getByRole("button", { name: `Verify the host key of ${name}` }).click();
  const compare = page.getByRole("dialog", { name: new RegExp(name) });
  await expect(compare.getByText(/SHA256:[A-Za-z0-9+/]{43}/)).toBeVisible({ timeout: 60_000 });
  const confirm = compare.getByRole("button", { name: "Verify host key" });
  await expect(confirm).toBeDisabled();
  await compare.getByLabel("The console shows the same fingerprint").check();
  await confirm.click();
  await expect(compare).toHaveCount(0);

  await collection(page);
  await expect(row).toContainText("Verified");
  await expect(row.getByRole("cell", { name: "OK", exact: true })).toBeVisible({ timeout: 90_000 });

  await page.getByRole("button", { name: `Test ${credentialName}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Test sign-in" }).click();
  await expect(page.getByRole("dialog").getByText("Accepted")).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press("Escape");

  await row.getByRole("button", { name: `Stop collecting ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop collection" }).click();
  await expect(row).toHaveCount(0);
  const host = await hostBy(page, `q=${name}&state=waiting`);
  const headers = { "X-Plumbline": "1", "Sec-Fetch-Site": "same-origin" };
  const retired = await page.request.post(`/api/v1/hosts/${host.id}/retire`, { data: { reason: "journey ended" }, headers });
  expect(retired.ok(), await retired.text()).toBeTruthy();
});

test("“Check now” reads a collected host at once, and says of any other that it comes by itself", async ({ as }) => {
  test.setTimeout(120_000);
  const page = await as("operator");
  const collected = await hostBy(page, "q=esx-t01");
  const before = (await (await page.request.get(`/api/v1/hosts/${collected.id}/collection`)).json()) as { last_ok_at: string | null };
  await page.goto(`/hosts/${collected.id}`);
  await settled(page);
  const line = page.getByRole("status", { name: "Collection status" });
  await expect(line).toContainText("Collected over SSH");
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page.getByText(/Reading the host over SSH/)).toBeVisible();
  await expect
    .poll(async () => ((await (await page.request.get(`/api/v1/hosts/${collected.id}/collection`)).json()) as { last_ok_at: string }).last_ok_at, {
      timeout: 90_000,
    })
    .not.toBe(before.last_ok_at);
  await expect(line).toContainText(/read.*(just now|s ago|min ago)/i);

  const own = await hostBy(page, "q=esx-b09");
  await page.goto(`/hosts/${own.id}`);
  await settled(page);
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page.getByText(/agent can't be triggered from here; next check-in expected/)).toBeVisible();
});

for (const scheme of ["light", "dark"] as const) {
  test(`the collection tab keeps WCAG 2.2 AA as far as axe can tell, ${scheme}`, async ({ as }) => {
    const page = await as("admin");
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await collection(page);
      const spill = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(spill, `spills sideways at ${width} px`).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `${SHOTS}admin-collection-${width}-${scheme}.jpg`, fullPage: true });
      await page.getByRole("button", { name: "Add credential" }).click();
      await expect(page.getByRole("dialog").getByLabel("Private key")).toBeVisible();
      await page.screenshot({ path: `${SHOTS}admin-credential-${width}-${scheme}.jpg` });
      expect.soft(await faults(page), `${width} px, ${scheme}, dialog`).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      expect.soft(await faults(page), `${width} px, ${scheme}`).toEqual([]);
    }
  });
}
