import { settled } from "../pages/fleet";
import { expect, test } from "../session";

test("the matrix is a table that arrow keys walk, and each cell leads to its check", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/matrix");
  await settled(page);
  const table = page.getByRole("table", { name: "Rule results by host" });
  await expect(table.getByRole("columnheader").nth(1)).toBeVisible();
  const rows = table.locator("tbody tr");
  expect(await rows.count()).toBeGreaterThan(5);

  const first = rows.first().getByRole("button").first();
  await first.focus();
  await page.keyboard.press("ArrowRight");
  await expect(rows.first().getByRole("button").nth(1)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(1).getByRole("button").nth(1)).toBeFocused();
  await page.keyboard.press("Home");
  await expect(rows.nth(1).getByRole("button").first()).toBeFocused();

  await page.getByText("By cluster").click();
  await expect(page).toHaveURL(/sort=cluster/);
  await page.getByRole("switch", { name: "Show passing rules" }).click();
  await expect(page).toHaveURL(/rules=all/);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export the matrix as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("plumbline-matrix.csv");

  // The fleet moves while it is read: page and API are compared as they are at one moment, and again where a check-in came in between.
  await expect(async () => {
    await page.reload();
    await settled(page);
    const all = (await (await page.request.get("/api/v1/matrix?rules=all")).json()) as { rules: unknown[] };
    await expect(table.getByRole("columnheader")).toHaveCount(all.rules.length + 1, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page).toHaveURL(/sort=cluster.*rules=all|rules=all.*sort=cluster/);
  const failing = table.locator('button[data-status="fail"]').first();
  await expect(failing).toHaveAccessibleName(/: fail$/);
  await failing.click();
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f]{32}\?finding=/);
});

test("the fleet's score is taken apart to rules whose parts sum to it", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await settled(page);
  await page.getByRole("link", { name: "Score breakdown" }).click();
  await expect(page).toHaveURL(/\/score/);
  await settled(page);
  const rules = page.getByRole("region", { name: "Points lost by rule" });
  await expect(rules.locator("tbody tr").first()).toContainText("−");
  // The fleet moves while it is read: page and API are compared as they are at one moment, and again where a check-in came in between.
  await expect(async () => {
    await page.reload();
    await settled(page);
    const sum = rules.locator("tfoot tr").last().locator("td.num");
    await expect(sum).toHaveText(/\d/, { timeout: 15_000 });
    const told = (await (await page.request.get("/api/v1/score")).json()) as { weighed: { mean: number; worst: { name: string }[] } };
    expect(Math.abs(Number(await sum.innerText()) - told.weighed.mean)).toBeLessThan(0.2);
    const worst = told.weighed.worst[0]?.name;
    expect(worst).toBeDefined();
    await expect(page.getByRole("region", { name: "Lowest 5 hosts" })).toContainText(worst ?? "", { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByText("Equal weight").click();
  await expect(page).toHaveURL(/by=count/);
  await expect(page.getByText(/For comparison only/)).toBeVisible();
  await rules.locator("tbody tr").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/rules\//);
});
