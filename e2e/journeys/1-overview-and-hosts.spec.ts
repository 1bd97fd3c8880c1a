import { expect, signIn, test } from "../session";
import { go, hostBy, settled } from "../pages/fleet";

test("a newcomer to the lab signs in as any role with one press", async ({ page }) => {
  const lab = page.getByRole("region", { name: "Lab accounts" });
  for (const role of ["viewer", "operator", "approver", "admin"]) {
    await page.context().clearCookies();
    await page.goto("/");
    await expect(lab.getByRole("button")).toHaveCount(4);
    await lab.getByRole("button", { name: new RegExp(`^${role}`) }).click();
    await expect(page.getByRole("button", { name: `Account of ${role}` })).toBeVisible();
  }
});

test("a wrong password is refused in words and a right one leads where the link pointed", async ({ page }) => {
  await page.goto("/rules?sort=weight");
  await page.getByLabel("Login").fill("viewer");
  await page.getByRole("textbox", { name: "Password" }).fill("not the password at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await signIn(page, "viewer", "/rules?sort=weight");
  await expect(page.getByRole("heading", { level: 1, name: /rules?$/ })).toBeVisible();
  expect(new URL(page.url()).search).toBe("?sort=weight");
});

test("the overview tells the fleet in one sentence and every figure leads to its hosts", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  const heading = page.getByRole("heading", { level: 1, name: /hosts: / });
  await expect(heading).toBeVisible();
  const said = Number((await heading.innerText()).match(/^([\d,]+) hosts/)?.[1]?.replaceAll(",", ""));
  expect(said).toBeGreaterThanOrEqual(24);

  const outcomes = page.getByRole("region", { name: "Findings by status" });
  await outcomes.getByRole("link", { name: /findings, Fail/ }).click();
  await expect(page).toHaveURL(/\/hosts\?outcome=fail/);
  await expect(page.getByRole("heading", { level: 1, name: /\d+ hosts?/ })).toBeVisible();
  await page.goBack();
  await expect(heading).toBeVisible();

  await page.getByRole("region", { name: "Top failing rules" }).getByRole("link", { name: /hosts? failing/ }).first().click();
  await expect(page).toHaveURL(/\/hosts\?.*rule=/);
  // A rule that two packs ask filters by both.
  await expect(page.getByRole("button", { name: /Remove filter: Rule/ }).first()).toBeVisible();
});

test("the list of hosts filters by facet, keeps it in the address and over Back", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/hosts");
  await expect(page.getByRole("heading", { level: 1, name: /^\d+ hosts$/ })).toBeVisible();
  const all = Number((await page.getByRole("heading", { level: 1 }).innerText()).replace(/\D/g, ""));
  expect(all).toBeGreaterThanOrEqual(24);

  await page.getByRole("group", { name: "Platform" }).getByRole("checkbox", { name: /ESXi/ }).check();
  await expect(page).toHaveURL(/platform=esxi/);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(`${all} hosts`);
  const some = await page.getByRole("heading", { level: 1 }).innerText();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(some);
  await expect(page.getByRole("group", { name: "Platform" }).getByRole("checkbox", { name: /ESXi/ })).toBeChecked();

  await page.getByRole("columnheader", { name: "Host" }).getByRole("button").click();
  await expect(page).toHaveURL(/sort=name/);
  const names = () => page.locator("tbody th[scope=row]").allInnerTexts();
  // The pointer still rests on the list: a new order that a person asked for comes all the same.
  await expect.poll(async () => (await names()).join() === (await names()).sort((a, b) => a.localeCompare(b, "en")).join()).toBeTruthy();
  expect((await names()).length).toBeGreaterThan(1);

  await page.goto("/hosts?platform=nonsense&score_below=many&sort=sideways");
  await expect(page.getByText("No matching hosts")).toBeVisible();
});

test("keys move, select, look beside the list and open", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/hosts?sort=name");
  await settled(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const second = page.locator("tbody tr").nth(1).getByRole("link").first();
  await expect(second).toBeFocused();
  const name = await second.innerText();
  await page.keyboard.press("x");
  await expect(page.getByRole("region", { name: "Selected hosts" })).toContainText(/1 of \d+ selected/);
  await page.keyboard.press(" ");
  const look = page.getByRole("complementary", { name: "Host preview" });
  await expect(look.getByRole("heading", { name })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(look).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1, name: /hosts: / })).toBeVisible();
});

test("the palette finds a host by part of its name", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/rules");
  await settled(page);
  const host = await hostBy(page, "sort=name");
  await page.keyboard.press("/");
  await page.getByRole("textbox", { name: "Search hosts, rules, views and commands" }).fill(host.name);
  // Enter takes the first result, also where it is pressed before the search answers.
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/hosts/${host.id}`));
  await expect(page.getByRole("heading", { level: 1, name: host.name })).toBeVisible();
});

test("a viewer sees no button that acts, and navigation leads everywhere it names", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await settled(page);
  await go(page, "Hosts", /hosts?$/);
  await go(page, "Rules", /rules?$/);
  await go(page, "Reports", /Reports/);
  await expect(page.getByRole("complementary", { name: "Navigation" }).getByRole("link", { name: /^(Enrol|Admin)/ })).toHaveCount(0);
  const host = await hostBy(page, "outcome=fail&sort=score");
  await page.goto(`/hosts/${host.id}`);
  await settled(page);
  await expect(page.getByRole("button", { name: /Check in now|Approve|More actions/ })).toHaveCount(0);
});
