import { settled } from "../pages/fleet";
import { expect, test } from "../session";

test("a rule says what it asks, where it applies, its evidence and its hosts", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/rules");
  await settled(page);
  await page.getByLabel("Search the rules").fill("delayed ack");
  await expect(page).toHaveURL(/q=delayed/);
  const link = page.getByRole("link", { name: /Delayed ACK off on every iSCSI initiator/i }).first();
  await link.click();
  await expect(page).toHaveURL(/\/rules\/dell-esxi55\//);
  await expect(page.getByRole("region", { name: "Where it applies" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Evidence" }).locator("tbody tr").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Expression" })).toContainText("delayed_ack");
  const hosts = page.getByRole("region", { name: "Hosts" });
  await page.getByRole("complementary", { name: "About this rule" }).getByRole("link", { name: /\d+ fail/ }).click();
  await expect(page).toHaveURL(/outcome=fail/);
  await expect(hosts.locator("tbody tr").first()).toContainText("fail");
  await page.reload();
  await expect(hosts.locator("tbody tr").first()).toContainText("fail");
  await hosts.locator("tbody tr").first().getByRole("link").click();
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f]{32}\?finding=/);
});
