import { expect, type Page } from "@playwright/test";

/** Goes to a page by the navigation and waits until its heading stands. */
export async function go(page: Page, entry: "Overview" | "Hosts" | "Rules" | "Reports" | "Enrol hosts" | "Admin", heading: RegExp): Promise<void> {
  const name = new RegExp(`^${entry}`);
  await page.getByRole("complementary", { name: "Navigation" }).getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
}

/** The id of some host, by asking the API with the page's own session. */
export async function hostBy(page: Page, query: string): Promise<{ id: string; name: string }> {
  const answer = await page.request.get(`/api/v1/hosts?limit=1&${query}`);
  expect(answer.ok()).toBeTruthy();
  const { items } = (await answer.json()) as { items: { id: string; name: string }[] };
  const host = items[0];
  if (!host) throw new Error(`No host matches ${query}.`);
  return host;
}

/** Waits until nothing on the page is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
}
