import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

const REASON = "accepted until the switches of this row are replaced in spring";

test("a waiver is asked for from the finding, decided by somebody else, counted apart, and ended", async ({ as }) => {
  test.setTimeout(180_000);
  const page = await as("operator");
  const host = await hostBy(page, "platform=windows&sort=score&outcome=fail&freshness=fresh");
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  const standing = await page.getByText(/Waived until/).count();
  const before = (await (await page.request.get(`/api/v1/hosts/${host.id}`)).json()) as { n_waived: number };

  const finding = page.getByRole("article", { name: /^fail: / }).first();
  await finding.getByRole("button", { expanded: false }).first().click();
  await finding.getByRole("link", { name: /^Request waiver for / }).click();
  await expect(page).toHaveURL(/\/waivers\/new\?pack=.*host=/);
  const change = page.getByRole("complementary", { name: "Effect" });
  await expect(change.getByText(/failing finding/)).toBeVisible();
  await expect(change).toContainText("→");
  await page.getByLabel("Reason").fill("short");
  await page.getByRole("button", { name: "Submit request" }).click();
  await expect(page.getByText("Enter at least 10 characters")).toBeVisible();
  await page.getByLabel("Reason").fill(REASON);
  await page.getByLabel("Ticket (optional)").fill("CHG-4711");
  await page.getByLabel("Files (optional)").setInputFiles({ name: "mail.txt", mimeType: "text/plain", buffer: Buffer.from("as agreed") });
  await page.getByRole("button", { name: "Submit request" }).click();
  await expect(page).toHaveURL(/\/waivers\/\d+$/);
  await expect(page.getByText(REASON).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Evidence" }).getByRole("link", { name: "mail.txt" })).toBeVisible();
  // Nobody decides on what they asked for.
  await expect(page.getByRole("button", { name: "Approve waiver", exact: true })).toHaveCount(0);
  const address = new URL(page.url()).pathname;

  const other = await as("approver");
  await other.goto("/waivers");
  await settled(other);
  await expect(other.getByRole("region", { name: "Your waivers" })).toContainText("your approval");
  await other.goto(address);
  await other.getByRole("button", { name: "Approve waiver", exact: true }).click();
  await expect(other.getByText("Active", { exact: true })).toBeVisible();
  await expect(other.getByRole("region", { name: "Waived findings" }).locator("tbody tr").first()).toContainText("Waived");
  await expect(other.getByRole("region", { name: "Early-end triggers" })).toContainText("monitored");

  // The finding stays, under its own word, and the host counts it apart.
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  await expect(page.getByText(/Waived until/).first()).toBeVisible();
  const after = (await (await page.request.get(`/api/v1/hosts/${host.id}`)).json()) as { n_waived: number };
  expect(after.n_waived).toBeGreaterThan(before.n_waived);
  await page.goto(`/hosts/${host.id}?apart=yes`);
  await expect(page.getByRole("region", { name: "Score breakdown" })).toContainText("Without waivers");

  await page.goto(address);
  await page.getByRole("button", { name: "End waiver…" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("it was put right");
  await page.getByRole("button", { name: "End waiver", exact: true }).click();
  await expect(page.getByText("Withdrawn", { exact: true }).first()).toBeVisible();
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  await expect(page.getByText(/Waived until/)).toHaveCount(standing);
});

test("what no host can see is attested by a person, with an end", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/waivers?tab=attestations");
  await settled(page);
  const rules = page.getByRole("region", { name: "Required attestations" });
  await rules.getByRole("button", { name: "Attest…" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Statement").fill("read off both switches with the network team");
  await dialog.getByRole("button", { name: "Save attestation" }).click();
  await expect(dialog).toHaveCount(0);
  const said = page.getByRole("region", { name: "Attestations", exact: true });
  await expect(said).toContainText("read off both switches");
  await expect(said).toContainText("until");
  await rules.locator("tbody tr").first().getByRole("link", { name: /hosts: pass/ }).click();
  await expect(page).toHaveURL(/outcome=pass/);
  await expect(page.getByRole("region", { name: "Hosts" })).toContainText("read off both switches");
  await page.goBack();
  await said.getByRole("button", { name: "Withdraw…" }).first().click();
  await page.getByRole("dialog").getByLabel("Reason").fill("made in a test");
  await page.getByRole("button", { name: "Withdraw attestation" }).click();
  await expect(said).toContainText("made in a test");
});
