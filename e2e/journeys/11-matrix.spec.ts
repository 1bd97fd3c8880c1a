import { settled } from "../pages/fleet";
import { expect, test } from "../session";

test("the matrix is a table that arrow keys walk, and each cell leads to its check", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/matrix");
  await settled(page);
  const table = page.getByRole("table", { name: "What each rule says of each host" });
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
  await page.getByRole("switch", { name: "Passing rules too" }).click();
  await expect(page).toHaveURL(/rules=all/);
  const all = (await (await page.request.get("/api/v1/matrix?rules=all")).json()) as { rules: unknown[] };
  await expect(table.getByRole("columnheader")).toHaveCount(all.rules.length + 1);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the matrix as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("plumbline-matrix.csv");

  await page.reload();
  await settled(page);
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
  await page.getByRole("link", { name: "take it apart" }).click();
  await expect(page).toHaveURL(/\/score/);
  await settled(page);
  const rules = page.getByRole("region", { name: "What each rule took" });
  await expect(rules.locator("tbody tr").first()).toContainText("−");
  const told = (await (await page.request.get("/api/v1/score")).json()) as { weighed: { mean: number; worst: { name: string }[] } };
  const last = await rules.locator("tfoot tr").last().locator("td.num").innerText();
  expect(Math.abs(Number(last) - told.weighed.mean)).toBeLessThan(0.2);
  await expect(page.getByRole("region", { name: "Worst five" })).toContainText(told.weighed.worst[0]?.name ?? "no host");
  await page.getByText("Count rules").click();
  await expect(page).toHaveURL(/by=count/);
  await expect(page.getByText(/Not the score/)).toBeVisible();
  await rules.locator("tbody tr").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/rules\//);
});
