import { checkIn, setOnHost } from "../hosts/lab";
import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

test("a port that loses its link is seen at its switch, and the host behind it is two clicks away", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Switches" }).click();
  await settled(page);
  const table = page.getByRole("table", { name: "Switches" });
  await expect(table.getByRole("row", { name: /san-sw-1/ })).toContainText(/1 host on this switch only/);
  await setOnHost("esx-b08", "vmnic3.link", "down");
  try {
    await checkIn("esx-b08");
    await page.reload();
    // The switch with a failing port comes first.
    await expect(table.getByRole("row").nth(1)).toContainText(/san-sw-2\d+ of \d+ ports.*\d+ link down/);
    await table.getByRole("link", { name: "san-sw-2" }).click();
    const port = page.getByRole("table", { name: "Ports" }).getByRole("row", { name: /esx-b08/ });
    await expect(port).toContainText(/Failing.*Link down.*Not heard since.*esx-b08.*vmnic3/);
    await port.getByRole("link", { name: "esx-b08" }).click();
    const cabled = page.getByRole("table", { name: "Switch ports" });
    await expect(cabled.getByRole("row", { name: /vmnic3/ })).toContainText("The link is down");
    await expect(cabled.getByRole("row", { name: /vmnic2/ })).toContainText(/san-sw-1.*Ethernet1\/\d+.*9216.*CDP/);
  } finally {
    await setOnHost("esx-b08", "vmnic3.link", "up");
    await checkIn("esx-b08");
  }
});

test("both paths on one switch are a finding, and the switch is evidence for an attestation", async ({ as }) => {
  const page = await as("operator");
  const host = await hostBy(page, "q=esx-b09");
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  await expect(page.getByText("All SAN ports are cabled to one switch").first()).toBeVisible();
  await page.goto("/waivers?tab=attestations&attest=dell-bp1057-2012r2/bp1057r2.switch.jumbo");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("region", { name: "Evidence from the hosts" })).toContainText(/1 host to one switch only \(esx-b09\)/);
  await dialog.getByRole("button", { name: "Add to statement" }).click();
  await expect(dialog.getByRole("textbox", { name: "Statement" })).toHaveValue(/^As heard by the hosts on .*Announced MTU: 9216 on \d+ ports\.$/);
});
