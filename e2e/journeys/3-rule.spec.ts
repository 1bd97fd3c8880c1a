import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

test("a rule says what it asks, where it applies, its evidence and its hosts", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/rules");
  await settled(page);
  await page.getByLabel("Search rules").fill("delayed ack");
  await expect(page).toHaveURL(/q=delayed/);
  const link = page.getByRole("link", { name: /Delayed ACK on iSCSI initiators/i }).first();
  await link.click();
  await expect(page).toHaveURL(/\/rules\/dell-esxi55\//);
  await expect(page.getByRole("region", { name: "Applies to" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Evidence" }).locator("tbody tr").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Condition" })).toContainText("delayed_ack");
  await expect(page.getByRole("region", { name: "Paper references" }).locator("tbody tr").first()).toContainText("E-R3");
  await expect(page.getByRole("region", { name: "History" })).toContainText("First version");
  const cases = page.getByRole("region", { name: "Test cases" });
  await cases.getByText("one hba forgotten").click();
  await expect(cases.getByText("initiator/vmhba37")).toBeVisible();
  const hosts = page.getByRole("region", { name: "Hosts" });
  await page.getByRole("complementary", { name: "About this rule" }).getByRole("link", { name: /\d+ Fail/ }).click();
  await expect(page).toHaveURL(/outcome=fail/);
  await expect(hosts.locator("tbody tr").first()).toContainText("Fail");
  await page.reload();
  await expect(hosts.locator("tbody tr").first()).toContainText("Fail");
  await hosts.locator("tbody tr").first().getByRole("link").click();
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f]{32}\?finding=/);
});

test("an admin labels the fabrics of a host, and Rules stays marked on its neighbouring pages", async ({ as }) => {
  const page = await as("admin");
  const host = await hostBy(page, "platform=esxi&sort=name");
  await page.goto(`/hosts/${host.id}?tab=paths`);
  const fabrics = page.getByRole("region", { name: "Fabrics" });
  await fabrics.getByRole("button", { name: "Edit fabrics" }).click();
  await expect(fabrics.getByRole("button", { name: "Save" })).toBeDisabled();
  await fabrics.getByRole("textbox").first().fill("Journey fabric");
  await fabrics.getByRole("button", { name: "Save" }).click();
  await expect(fabrics.locator("dd").first()).toHaveText("Journey fabric");
  await fabrics.getByRole("button", { name: "Edit fabrics" }).click();
  await fabrics.getByRole("textbox").first().fill("");
  await fabrics.getByRole("button", { name: "Save" }).click();
  await expect(fabrics.locator("dd").first()).toContainText("No label");
  for (const path of ["/packs", "/decisions"]) {
    await page.goto(path);
    await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rules" })).toHaveAttribute("aria-current", "page");
  }
});

test("an attestation asked for by a finding opens with its host chosen", async ({ as }) => {
  const page = await as("operator");
  const host = await hostBy(page, "platform=esxi&sort=name");
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  await page.getByRole("button", { name: /attestations? open/ }).click();
  await page.getByRole("link", { name: /^Attest / }).first().click();
  await expect(page).toHaveURL(new RegExp(`attest=.*on=${host.id}`));
  const form = page.getByRole("dialog");
  await expect(form.getByText(`Scope: ${host.name}`)).toBeVisible();
  await form.getByRole("button", { name: "Close" }).click();
  await expect(page).not.toHaveURL(/attest=/);
});

test("a rule or a waiver that does not exist is said so, with a way on", async ({ as }) => {
  const page = await as("viewer");
  for (const [path, what, list] of [["/rules/no-such/rule", "rule", "/rules"], ["/waivers/999999", "waiver", "/waivers"]] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: `${what === "rule" ? "Rule" : "Waiver"} not found` })).toBeVisible();
    await page.getByRole("link", { name: `View all ${what}s` }).click();
    await expect(page).toHaveURL(new RegExp(`${list}$`));
  }
});
