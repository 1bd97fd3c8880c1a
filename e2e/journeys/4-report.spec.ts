import { readFileSync } from "node:fs";
import { settled } from "../pages/fleet";
import { expect, test } from "../session";

test("a report is made and downloaded as PDF and CSV", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/reports");
  await settled(page);
  const before = await page.getByRole("listitem", { name: /^Report \d+/ }).count();
  await page.getByRole("button", { name: "Make the report" }).click();
  const made = page.getByRole("listitem", { name: /^Report \d+/ }).first();
  await expect(page.getByRole("listitem", { name: /^Report \d+/ })).toHaveCount(before + 1);
  await expect(made.getByRole("link", { name: "PDF" })).toBeVisible({ timeout: 90_000 });

  const pdf = page.waitForEvent("download");
  await made.getByRole("link", { name: "PDF" }).click();
  expect(readFileSync(await (await pdf).path(), "latin1").slice(0, 5)).toBe("%PDF-");

  const csv = page.waitForEvent("download");
  await made.getByRole("link", { name: "CSV" }).click();
  const text = readFileSync(await (await csv).path(), "utf8");
  expect(text.split("\n").length).toBeGreaterThan(5);
});

test("the report's frozen figures are those of the screen at its instant", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/reports");
  await settled(page);
  const answer = await page.request.get("/api/v1/reports");
  const ready = ((await answer.json()) as { id: number; state: string }[]).find((one) => one.state === "ready");
  test.skip(!ready, "no report has been made yet");
  const { data } = await (await page.request.get(`/api/v1/reports/${ready?.id}`)).json();
  expect(JSON.stringify(data)).toContain("mean");
});
