import { go, settled } from "../pages/fleet";
import { expect, test } from "../session";

test("an admin makes a token, reads the command for each system, and revokes it", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/");
  await settled(page);
  await go(page, "Enrol hosts", /Enrol hosts/);
  for (const [system, word] of [
    ["Windows Server", /powershell|Install-Plumbline/i],
    ["ESXi", /python|host_agent/i],
  ] as const) {
    const name = `journey ${system} ${Date.now()}`;
    await page.getByLabel("Purpose").fill(name);
    await page.getByRole("combobox", { name: "Operating system" }).or(page.getByRole("textbox", { name: "Operating system" })).first().click();
    await page.getByRole("option", { name: system }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    const made = page.getByRole("status").filter({ hasText: "Token (shown only once)" });
    await expect(made).toContainText(word);
    await expect(made.getByRole("button", { name: "Copy command" }).first()).toBeVisible();
    await page.getByRole("button", { name: `Revoke the token ${name}` }).click();
    await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("Revoked");
  }
});

test("hosts that wait are listed with what they say of themselves", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/enrol");
  await settled(page);
  const waiting = (await (await page.request.get("/api/v1/enrolment/waiting")).json()) as { name: string }[];
  // The lab has one host that nobody has approved.
  expect(waiting.map((host) => host.name)).toContain("new-01");
  const region = page.getByRole("region", { name: "Hosts pending approval" });
  for (const host of waiting) await expect(region.getByRole("button", { name: `Approve ${host.name}` })).toBeVisible();
});

test("people, groups and the audit trail stand under Admin", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/admin");
  await settled(page);
  await expect(page.getByRole("row", { name: /viewer/ }).first()).toBeVisible();
  const parts = page.getByRole("navigation", { name: "Admin sections" });
  await parts.getByRole("link", { name: "Groups" }).click();
  await expect(page.getByRole("button", { name: "Create group" })).toBeVisible();
  await parts.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("region", { name: "Audit log" }).locator("tbody tr").first()).toBeVisible();
});

test("a group is made, and moved below another with all that lies below it", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/admin?tab=groups");
  await settled(page);
  const groups = page.getByRole("region", { name: "Groups" });
  const [site, room] = ["Site", "Room"].map((name) => `${name} ${Date.now()}`) as [string, string];
  for (const name of [site, room]) {
    await groups.getByLabel("Group name").fill(name);
    await groups.getByRole("button", { name: "Create group" }).click();
    await expect(groups.getByRole("button", { name: `Edit group ${name}` })).toBeVisible();
  }
  const change = page.getByRole("dialog", { name: `Edit ${room}` });
  const below = () => change.getByRole("combobox", { name: "Parent group" }).or(change.getByRole("textbox", { name: "Parent group" })).first();
  await groups.getByRole("button", { name: `Edit group ${room}` }).click();
  await below().click();
  await page.getByRole("option", { name: new RegExp(`/ ${site}$`) }).click();
  await change.getByRole("button", { name: "Save" }).click();
  await expect(change).toHaveCount(0);
  await groups.getByRole("button", { name: `Edit group ${room}` }).click();
  await expect(below()).toHaveValue(new RegExp(`/ ${site}$`));
  const all = (await (await page.request.get("/api/v1/groups")).json()) as { id: number; parent_id: number; name: string }[];
  expect(all.find((one) => one.name === room)?.parent_id).toBe(all.find((one) => one.name === site)?.id);
});
