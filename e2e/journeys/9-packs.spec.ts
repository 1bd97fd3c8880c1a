import type { Page } from "@playwright/test";
import { faults } from "../pages/axe";
import { settled } from "../pages/fleet";
import { siteArchive } from "../pages/site-pack";
import { expect, test } from "../session";

// One way, walked again from its beginning where a part of it fails: the later parts go on with the version of the first.
test.describe.configure({ mode: "serial" });
// Version numbers of its own for each run, so that the journey can be walked twice on one stack.
const run = `${Math.floor(Date.now() / 60_000) % 100_000}.${Math.floor(Date.now() / 1000) % 60}`;
const version = `1.${run}`;
const newer = `2.${run}`;
const upload = (page: Page, name: string, buffer: Buffer) =>
  page.locator("input[type=file]").first().setInputFiles({ name, mimeType: "application/zip", buffer });
const isClean = async (page: Page) => expect(await faults(page)).toEqual([]);

test("an admin uploads a pack, sees what it would change, publishes it and activates it for one group", async ({ as }) => {
  test.setTimeout(180_000);
  const page = await as("admin");
  await page.goto("/packs");
  await settled(page);
  await page.getByRole("button", { name: "Upload pack" }).click();

  // A mistake is told with its file and line, and nothing is kept.
  await upload(page, "site-array.zip", siteArchive(version, "adapter.flow_controll"));
  await expect(page.getByRole("cell", { name: "site-array/rules/site.flow_control.off.yaml" }).first()).toBeVisible();
  await expect(page.getByText("adapter.flow_controll").first()).toBeVisible();

  await upload(page, "site-array.zip", siteArchive(version));
  await expect(page).toHaveURL(/\/packs\/site-array\?.*draft=\d+/);
  await expect(page.getByRole("region", { name: "Changes" })).toContainText(version);
  await isClean(page);
  await page.getByLabel("Release note").fill("walked by a test");
  await page.getByRole("button", { name: `Publish ${version}` }).click();
  await expect(page).toHaveURL(/version=\d+/);

  // Nothing judges yet: the preview says what would, on the hosts as they are.
  const change = page.getByRole("region", { name: "Change active version" });
  await change.getByRole("combobox", { name: "Group (including subgroups)" }).click();
  await page.getByRole("option", { name: "TEST" }).click();
  await change.getByRole("button", { name: "Preview" }).click();
  await expect(change.getByText("Preview only.")).toBeVisible({ timeout: 60_000 });
  await expect(page).toHaveURL(/run=\d+/);
  await isClean(page);
  await change.getByLabel("Reason").fill("the array of TEST asks for it");
  await change.getByRole("button", { name: /^Activate for TEST/ }).click();
  await expect(page.getByRole("region", { name: "Where active" }).getByRole("row", { name: /TEST/ })).toContainText(version);
  await expect(page.getByRole("region", { name: "History" })).toContainText("the array of TEST asks for it");
});

test("where two packs contradict each other, one proposes, another decides", async ({ as }) => {
  test.setTimeout(180_000);
  const operator = await as("operator");
  await operator.goto("/decisions");
  const card = operator.getByRole("article", { name: "Flow control" });
  // The hosts of the group are judged again in the background.
  await expect(async () => {
    await operator.reload();
    await expect(card).toContainText("Unresolved on", { timeout: 3_000 });
  }).toPass({ timeout: 90_000 });
  await isClean(operator);
  await card.getByText("Propose a resolution").click();
  await card.getByRole("radio", { name: /Flow control off on storage adapters/ }).check();
  await card.getByLabel("Reason").fill("the vendor of the array stands by it");
  await card.getByRole("button", { name: "Propose resolution" }).click();
  await expect(card.getByText("Proposed", { exact: true })).toBeVisible();
  await expect(card.getByRole("button", { name: /^Approve/ })).toHaveCount(0);

  const approver = await as("approver");
  await approver.goto("/decisions");
  const theirs = approver.getByRole("article", { name: "Flow control" });
  await theirs.getByRole("button", { name: /^Approve the resolution/ }).click();
  await expect(theirs.getByText("Active", { exact: true })).toBeVisible();
  await expect(theirs).toContainText("Resolved for");

  // Taken back, the conflict is open again; the pack is switched off, and the fleet is as it was.
  await theirs.getByLabel("Reason").fill("only walked by a test");
  await theirs.getByRole("button", { name: /^Withdraw the resolution/ }).click();
  await expect(theirs.getByText("Active", { exact: true })).toHaveCount(0);
});

test("a group is upgraded with a time of grace, goes back to the older version, and inherits again", async ({ as }) => {
  test.setTimeout(180_000);
  const page = await as("admin");
  await page.goto("/packs");
  await page.getByRole("button", { name: "Upload pack" }).click();
  await upload(page, "site-array.zip", siteArchive(newer));
  await page.getByLabel("Release note").fill("the second version");
  await page.getByRole("button", { name: `Publish ${newer}` }).click();
  await expect(page).toHaveURL(/version=\d+/);

  const change = page.getByRole("region", { name: "Change active version" });
  const ofTest = page.getByRole("region", { name: "Where active" }).getByRole("row", { name: /TEST/ });
  const history = page.getByRole("region", { name: "History" });
  const judge = async (by: string, act: RegExp, grace?: string) => {
    await page.getByRole("button", { name: "Change version for TEST" }).click();
    await change.getByRole("combobox", { name: "Version" }).click();
    await page.getByRole("option", { name: by, exact: true }).click();
    if (grace) {
      await change.getByRole("combobox", { name: "Grace period" }).click();
      await page.getByRole("option", { name: grace }).click();
    }
    await change.getByRole("button", { name: "Preview" }).click();
    await expect(change.getByText("Preview only.")).toBeVisible({ timeout: 60_000 });
    await change.getByLabel("Reason").fill(`${by}, only walked by a test`);
    await change.getByRole("button", { name: act }).click();
    await expect(history).toContainText(`${by}, only walked by a test`);
  };

  await judge(newer, /^Activate for TEST/, "14 days");
  await expect(ofTest).toContainText(newer);
  await expect(ofTest).toContainText("Grace period until");

  await judge(version, /^Activate for TEST/);
  await expect(ofTest).toContainText(version);
  await expect(ofTest).not.toContainText("Grace");

  await judge("Inherit from parent group", /^Inherit for TEST/);
  await expect(history).toContainText("inherits again");
});

test("a viewer looks at the fleet and at a host on another date, and is told so", async ({ as }) => {
  test.setTimeout(120_000);
  const page = await as("viewer");
  await page.goto("/past?at=2020-01-01T00:00:00Z");
  await page.getByRole("button", { name: "View", exact: true }).click();
  await expect(page.getByRole("status", { name: "Past state" })).toContainText("This is not the current state");
  await expect(page.getByText(/not enrolled until/).first()).toBeVisible({ timeout: 60_000 });
  await isClean(page);
  await page.getByRole("region", { name: "Hosts", exact: true }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f]{32}\/past\?at=2020/);
  await expect(page.getByText(/^No data: not enrolled until/)).toBeVisible();
  await page.getByRole("link", { name: "Back to now" }).click();
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f]{32}$/);
  await page.getByRole("link", { name: "View past state" }).click();
  await page.getByLabel("Date and time (UTC)").fill(new Date().toISOString().slice(0, 16));
  await page.getByRole("button", { name: "View", exact: true }).click();
  await expect(page.getByRole("status", { name: "Past state" })).toBeVisible();
  await isClean(page);
});
