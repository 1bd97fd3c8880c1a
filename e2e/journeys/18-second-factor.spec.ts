import { createHmac } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "@playwright/test";
import { changeable, planned, readJob } from "../pages/changes";
import { expect, loginOf, test } from "../session";

// A person adds an authenticator app and a passkey, signs in with each of them and with a recovery code, and an admin removes them again.
// The passkey is the browser's own virtual authenticator. It belongs to a host name, so the person opens Plumbline at localhost.
test.describe.configure({ timeout: 480_000 });
test.use({ actionTimeout: 30_000 });

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const PASSWORD = "copper lantern seven hills";
const LOGIN = `second-${Date.now().toString(36)}`;

/** Pictures and axe, in light and dark, wide and narrow. */
async function look(page: Page, name: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      if (process.env.PLUMBLINE_SHOTS) await page.screenshot({ path: `${process.env.PLUMBLINE_SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
      // A table is drawn again for a phone after the window has its new width.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `${name} at ${width}` }).toBeLessThanOrEqual(width);
    }
    const found = await new AxeBuilder({ page }).withTags(RULES).analyze();
    expect(found.violations.map((each) => `${name} ${scheme}: ${each.id} ${each.nodes[0]?.html}`)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** The code of an authenticator app (RFC 6238), `steps` half minutes from now: a code works once, and the one of the step before still does. */
function codeOf(secret: string, steps = 0): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function givePassword(page: Page, password = PASSWORD, login = LOGIN): Promise<void> {
  await page.getByLabel("Login").fill(login);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Has the browser carry a passkey's device of its own, which answers at once. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

async function addPasskey(page: Page, password: string): Promise<void> {
  const part = page.getByRole("region", { name: "Second factor" });
  await part.getByRole("button", { name: "Add passkey…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Your password" }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByLabel("Name").fill("Laptop");
  await dialog.getByRole("button", { name: "Create passkey" }).click();
}

async function freshPage(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", timezoneId: "UTC" })).newPage();
  await page.goto(`${address}/account`);
  return page;
}

test("a person signs in with an app, a passkey and a recovery code, and an admin removes them", async ({ as, browser, baseURL }) => {
  const admin = await as("admin");
  const made = await admin.request.post("/api/v1/people", {
    headers: { "X-Plumbline": "1" },
    data: { login: LOGIN, display_name: "Second Factor", password: PASSWORD, roles: [{ role: "approver", group_id: 1 }] },
  });
  expect(made.status(), await made.text()).toBe(201);
  const address = (baseURL ?? "").replace("127.0.0.1", "localhost");

  const page = await freshPage(browser, address);
  await addVirtualAuthenticator(page);
  await givePassword(page);
  const part = page.getByRole("region", { name: "Second factor" });
  await expect(part).toContainText("a stolen password alone is not enough");
  await look(page, "account-without");

  await part.getByRole("button", { name: "Add authenticator app…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Your password" }).fill("wrong");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toContainText("Wrong password.");
  await dialog.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  await look(page, "account-app");
  const secret = /[A-Z2-7]{32}/.exec((await dialog.textContent()) ?? "")?.[0] ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret, -1));
  await dialog.getByRole("button", { name: "Add app" }).click();
  const listed = dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(listed).toHaveCount(10);
  const codes = await listed.allTextContents();
  await look(page, "account-codes");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(part.getByRole("row", { name: /Phone/ })).toContainText("Authenticator app");

  await addPasskey(page, PASSWORD);
  await expect(part.getByRole("row", { name: /Laptop/ })).toContainText("Passkey");
  await look(page, "account-with");

  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: /^Sign out/ }).click();
  await givePassword(page);
  await expect(page.getByRole("heading", { name: "Verify it’s you" })).toBeVisible();
  await look(page, "second-step");
  await page.getByRole("button", { name: "Use your passkey" }).click();
  await expect(part.getByRole("row", { name: /Laptop/ })).toBeVisible();

  const other = await freshPage(browser, address);
  await givePassword(other);
  await other.getByLabel("Code").fill("000000");
  await other.getByRole("button", { name: "Verify code" }).click();
  await expect(other.getByRole("alert")).toContainText("the code is wrong or was used before");
  await other.getByLabel("Code").fill(codeOf(secret));
  await other.getByRole("button", { name: "Verify code" }).click();
  await expect(other.getByRole("region", { name: "Second factor" }).getByRole("row", { name: /Phone/ })).toBeVisible();
  await other.context().close();

  const third = await freshPage(browser, address);
  await givePassword(third);
  await third.getByLabel("Code").fill(codes[0] ?? "");
  await third.getByRole("button", { name: "Verify code" }).click();
  await expect(third.getByRole("region", { name: "Second factor" })).toBeVisible();
  await third.context().close();

  // Where Plumbline is opened by an address, it says where passkeys work.
  const byAddress = await freshPage(browser, baseURL ?? "");
  await givePassword(byAddress);
  await expect(byAddress.getByRole("button", { name: "Use your passkey" })).toBeDisabled();
  await expect(byAddress.getByText("Passkeys belong to a host name. Open Plumbline at http://localhost")).toBeVisible();
  await byAddress.context().close();

  await admin.goto("/admin?tab=sign-in");
  await expect(admin.getByRole("checkbox", { name: "Require a second factor from approvers" })).not.toBeChecked();
  await admin.goto("/admin?tab=people");
  const row = admin.getByRole("row", { name: new RegExp(LOGIN) });
  await expect(row).toContainText("added");
  await row.getByRole("button", { name: "Remove second factor…" }).click();
  await look(admin, "admin-remove");
  await admin.getByRole("dialog").getByRole("button", { name: "Remove second factor" }).click();
  await expect(row.getByRole("button", { name: "Remove second factor…" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await givePassword(page);
  await expect(page.getByRole("button", { name: `Account of ${LOGIN}` })).toContainText("Set your password");
  await page.context().close();
});

test("an approver signs a plan with a passkey in the place of the password", async ({ as, browser, baseURL }) => {
  const [operator, admin] = [await as("operator"), await as("admin")];
  const login = `${LOGIN}-signer`;
  const own = "slate harbour nine lamps";
  const made = await admin.request.post("/api/v1/people", {
    headers: { "X-Plumbline": "1" },
    data: { login, display_name: "Passkey Signer", password: PASSWORD, roles: [{ role: "approver", group_id: 1 }] },
  });
  expect(made.status(), await made.text()).toBe(201);
  const host = await changeable(operator, admin);
  const plan = await planned(operator, host.id, host.findings, "sessions are lost too early when a controller fails over");
  await operator.goto(`/remediate/${plan}`);
  await operator.getByRole("button", { name: "Request approval" }).click({ timeout: 90_000 });
  await expect(operator.getByText("Pending approval", { exact: true }).first()).toBeVisible();

  const address = (baseURL ?? "").replace("127.0.0.1", "localhost");
  const page = await freshPage(browser, address);
  await addVirtualAuthenticator(page);
  await givePassword(page, PASSWORD, login);
  await expect(page.getByRole("region", { name: "Second factor" })).toBeVisible();
  // Who has a password that an admin chose decides nothing.
  const changed = await page.request.post(`${address}/api/v1/session/password`, {
    headers: { "X-Plumbline": "1" },
    data: { password: PASSWORD, new_password: own },
  });
  expect(changed.status(), await changed.text()).toBe(204);
  await page.reload();
  await addPasskey(page, own);
  await expect(page.getByRole("region", { name: "Second factor" }).getByRole("row", { name: /Laptop/ })).toBeVisible();
  const close = page.getByRole("dialog").getByRole("button", { name: "Done" });
  if (await close.isVisible()) await close.click();

  await page.goto(`${address}/remediate/${plan}`);
  await page.getByRole("button", { name: "Approve…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Password" })).toBeVisible();
  await look(page, "approve-password-or-passkey");
  await dialog.getByRole("button", { name: "Use a passkey instead" }).click();
  await expect(dialog).toContainText("You confirmed with your passkey within the last five minutes.");
  await expect(dialog.getByRole("textbox", { name: "Password" })).toHaveCount(0);
  await look(page, "approve-by-passkey");
  await dialog.getByRole("button", { name: "Approve plan" }).click();
  await expect(dialog).toHaveCount(0);
  const decided = async () => ((await (await operator.request.get(`/api/v1/plans/${plan}`)).json()) as { state: string }).state;
  expect(["APPROVED", "RUNNING", "FINISHED"]).toContain(await decided());
  const job = ((await (await operator.request.get(`/api/v1/plans/${plan}`)).json()) as { job_rows: { id: number }[] }).job_rows[0];
  if (!job) throw new Error(`Plan ${plan} has no job.`);
  await expect.poll(async () => (await readJob(operator, job.id)).finished_at, { timeout: 120_000 }).not.toBeNull();
  await page.context().close();
});

test("people who approve are asked for one where it is required", async ({ as, browser, baseURL }) => {
  const admin = await as("admin");
  await admin.goto("/admin?tab=sign-in");
  const rule = admin.getByRole("checkbox", { name: "Require a second factor from approvers" });
  // It changes once the server has taken it. A run that broke off may have left it on.
  await expect(rule).toBeVisible();
  if (await rule.isChecked()) await rule.click();
  await expect(rule).not.toBeChecked();
  await rule.click();
  await expect(rule).toBeChecked();
  try {
    await look(admin, "admin-sign-in-rule");
    const { login, password } = loginOf("approver");
    const page = await freshPage(browser, baseURL ?? "");
    await page.getByLabel("Login").fill(login);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("button", { name: "Account of approver" })).toContainText("Add a second factor");
    await expect(page.getByRole("region", { name: "Second factor" })).toContainText("until then you can't approve anything");
    await page.context().close();
  } finally {
    await rule.click();
    await expect(rule).not.toBeChecked();
  }
});
