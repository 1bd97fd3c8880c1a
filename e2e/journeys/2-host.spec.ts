import { checkIn, setOnHost } from "../hosts/lab";
import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

test("a failing finding says what was seen, what is asked, why, and how it was read", async ({ as }) => {
  const page = await as("operator");
  const host = await hostBy(page, "outcome=fail&sort=score&platform=esxi");
  await page.goto(`/hosts/${host.id}`);
  await expect(page.getByRole("heading", { level: 1, name: host.name })).toBeVisible();
  const finding = page.getByRole("article", { name: /^fail: / }).first();
  await finding.getByRole("button", { expanded: false }).first().click();
  await expect(finding).toContainText("Observed");
  await expect(finding).toContainText("Expected");
  const read = finding;
  await read.getByRole("button", { name: "How this was read" }).click();
  await expect(read.getByText("Command", { exact: true }).first()).toBeVisible();
  await expect(read.getByText("Raw value").first()).toBeVisible();
  const order = await page.getByRole("article").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")?.split(":")[0]));
  expect(order.indexOf("fail")).toBe(0);
  expect(order.lastIndexOf("fail")).toBeLessThan(order.includes("unknown") ? order.indexOf("unknown") : order.length);

  await page.getByRole("button", { name: /\d+ passing/ }).click();
  await expect(page).toHaveURL(/open=pass/);
  await expect(page.getByRole("article", { name: /^pass: / }).first()).toBeVisible();
});

test("the score can be taken apart and adds up", async ({ as }) => {
  const page = await as("viewer");
  const host = await hostBy(page, "outcome=fail&sort=score");
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  await page.getByRole("button", { name: "Score breakdown" }).click();
  const apart = page.getByRole("region", { name: "Score breakdown" });
  await expect(apart.getByRole("columnheader", { name: "Points lost" })).toBeVisible();
  const { score, caps, rules } = await (await page.request.get(`/api/v1/hosts/${host.id}/score`)).json();
  const lost = rules.reduce((sum: number, rule: { points_lost: number }) => sum + rule.points_lost, 0);
  expect(Math.abs(Math.min(100 - lost, ...caps.map((cap: { limit: number }) => cap.limit)) - score)).toBeLessThan(1.5);
});

test("settings are searchable and the address keeps the search", async ({ as }) => {
  const page = await as("viewer");
  const host = await hostBy(page, "platform=esxi&sort=score&outcome=fail");
  await page.goto(`/hosts/${host.id}`);
  await page.getByRole("navigation", { name: "Host sections" }).getByRole("link", { name: "Settings" }).click();
  await settled(page);
  await page.getByLabel("Search settings").fill("delayed ack");
  await expect(page).toHaveURL(/q=delayed/);
  const rows = page.locator("tbody tr");
  await expect(rows.first()).toContainText(/delayed ack/i);
  for (const text of await rows.allInnerTexts()) expect(text.toLowerCase()).toContain("delayed");
});

test("paths are drawn and told in words", async ({ as }) => {
  const page = await as("viewer");
  const host = await hostBy(page, "platform=esxi&sort=paths");
  await page.goto(`/hosts/${host.id}?tab=paths`);
  await settled(page);
  await expect(page.getByRole("img", { name: /\d+ paths?, \d+ adapters?, \d+ volumes?/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Paths left during an adapter restart" })).toContainText(/While .+ restarts, |Restarting .+ (affects|takes)/);
  // A path may come or go between the two readings: then both are read again.
  await expect(async () => {
    await page.reload();
    await settled(page);
    const { paths } = await (await page.request.get(`/api/v1/hosts/${host.id}/paths`)).json();
    expect(paths.length).toBeGreaterThan(0);
    await expect(page.getByRole("region", { name: "All paths" }).locator("tbody tr")).toHaveCount(paths.length, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
});

test("counters are drawn, the range stands in the address and the figures can be taken along", async ({ as }) => {
  const page = await as("viewer");
  const host = await hostBy(page, "platform=windows&sort=-last_seen");
  await page.goto(`/hosts/${host.id}?tab=performance&hours=6`);
  await settled(page);
  await expect(page.getByRole("textbox", { name: "Range" }).or(page.getByRole("combobox", { name: "Range" })).first()).toHaveValue("Last 6 hours");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export these counters as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("plumbline-charts.csv");
});

test("a setting changed on a host stands on its timeline and among its findings", async ({ as }) => {
  const page = await as("viewer");
  const host = await hostBy(page, "q=tst-win-03");
  await checkIn(host.name);
  await setOnHost(host.name, "SAN1.receive_buffers", "512");
  await checkIn(host.name);
  await page.goto(`/hosts/${host.id}?tab=timeline`);
  await settled(page);
  const strip = page.getByRole("region", { name: "Timeline" });
  await expect(strip).toContainText("SAN1 Receive buffers");
  await expect(strip.getByRole("img", { name: /^Receive buffers .*on 1 adapter/ }).last()).toBeVisible();
  const newest = page.getByRole("region", { name: "Changes" }).locator("tbody tr").first();
  await expect(newest).toContainText("SAN1 Receive buffers");
  await expect(newest).toContainText(/→\s*512/);
  // The range is in the address: an hour shows what was just changed, the time before it does not.
  await page.getByRole("button", { name: "Earlier" }).click();
  await expect(page).toHaveURL(/from=.*to=/);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.getByText("No changes in this range")).toBeVisible();
  await page.getByRole("button", { name: "Since enrolment" }).click();
  await expect(newest).toContainText("SAN1 Receive buffers");
  await page.goto(`/hosts/${host.id}`);
  const finding = page.getByRole("article", { name: /^fail: Receive buffers/ });
  await finding.getByRole("button", { expanded: false }).first().click();
  await expect(finding).toContainText("SAN1");
  await expect(finding).toContainText("512");
  await expect(finding).toContainText("Previously");
});

test("a host that does not exist is said so, with a way on", async ({ as }) => {
  const page = await as("viewer");
  await page.goto(`/hosts/${"0".repeat(32)}`);
  await expect(page.getByRole("heading", { level: 1, name: "Host not found" })).toBeVisible();
  await page.getByRole("link", { name: "View all hosts" }).click();
  await expect(page).toHaveURL(/\/hosts$/);
});
