import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../session";

// Signing in at a real OpenID Connect provider that runs beside the stack, and proving there once more who one is before signing.
test.describe.configure({ timeout: 180_000 });
test.use({ actionTimeout: 30_000 });

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const SECRET = "a secret of this test's own, 32 bytes or more";
const PEOPLE = {
  raj: { name: "Raj Approver", groups: ["storage-approvers"] },
  tom: { name: "Tom Elsewhere", groups: ["cooks"] },
};

let provider: ChildProcess;
let issuer: string;

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

test.beforeAll(async ({ baseURL }) => {
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  const given = {
    port,
    client_secret: SECRET,
    redirect_uris: [`${baseURL}/api/v1/sign-in/callback`],
    post_logout_redirect_uris: [`${baseURL}/`],
    people: PEOPLE,
  };
  const script = fileURLToPath(new URL("../hosts/identity-provider.mjs", import.meta.url));
  provider = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise<void>((up, down) => {
    provider.stdout?.on("data", (said: Buffer) => said.toString().includes("provider is up") && up());
    provider.on("exit", () => down(new Error("the provider did not start")));
  });
});

test.afterAll(() => {
  provider.stdin?.end();
});

async function atProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

/** Pictures and axe, in light and dark, wide and narrow. */
async function look(page: Page, name: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      if (process.env.PLUMBLINE_SHOTS) await page.screenshot({ path: `${process.env.PLUMBLINE_SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
    }
    const found = await new AxeBuilder({ page }).withTags(RULES).analyze();
    expect(found.violations.map((each) => `${name} ${scheme}: ${each.id} ${each.nodes[0]?.html}`)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("an admin sets the provider up, its people come in by their groups, and prove themselves again before signing", async ({ as, browser, baseURL }) => {
  const admin = await as("admin");
  await admin.goto("/admin?tab=sign_in");
  const part = admin.getByRole("region", { name: "Identity provider" });
  await expect(part.getByRole("button", { name: /Save|Edit/ })).toBeVisible();
  const change = part.getByRole("button", { name: "Edit…" });
  if (await change.isVisible()) await change.click();
  await part.getByLabel("Name", { exact: true }).fill("Corp ID");
  await part.getByRole("textbox", { name: "Issuer" }).fill(issuer);
  await part.getByRole("textbox", { name: "Client ID" }).fill("plumbline");
  await part.getByRole("textbox", { name: "Client secret" }).fill(SECRET);
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByText("Enabled", { exact: true })).toBeVisible();
  await part.getByRole("button", { name: "Test connection" }).click();
  await expect(part.getByRole("list", { name: "Test result" })).toContainText("the issuer matches");
  await expect(part.getByText(SECRET)).toHaveCount(0);
  const roles = admin.getByRole("region", { name: "Role mapping" });
  await roles.getByLabel("Identity provider group").fill("storage-approvers");
  await roles.getByLabel("Role", { exact: true }).click();
  await admin.getByRole("option", { name: "approver" }).click();
  await roles.getByRole("button", { name: "Add mapping" }).click();
  await expect(roles.getByRole("row", { name: /storage-approvers/ })).toContainText("approver");
  await look(admin, "admin-sign-in");

  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto("/safety");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await look(page, "sign-in");
  await page.getByRole("link", { name: "Sign in with Corp ID" }).click();
  await atProvider(page, "tom");
  await expect(page.getByRole("status")).toContainText("None of your groups has a role in Plumbline");
  expect(new URL(page.url()).search, "the code does not stay in the address").toBe("");
  await look(page, "no-role");

  await context.clearCookies();
  await page.getByRole("link", { name: "Sign in with Corp ID" }).click();
  await atProvider(page, "raj");
  await expect(page.getByRole("heading", { name: "Safety" })).toBeVisible();
  expect(new URL(page.url()).pathname, "where the link pointed").toBe("/safety");

  // He signs with his name: the sign-in of this minute is proof enough, one of six minutes ago is not.
  await page.getByRole("button", { name: "New standing approval…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Identity confirmed with Corp ID")).toBeVisible();
  await expect(dialog.getByLabel("Password")).toHaveCount(0);
  const now = Date.now();
  await page.clock.setFixedTime(now + 6 * 60_000);
  await page.reload();
  await page.getByRole("button", { name: "New standing approval…" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("kept while he is away");
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: "Confirm with Corp ID" }).click();
  await look(page, "confirm");
  const window = await opened;
  const closed = window.waitForEvent("close");
  await page.clock.setFixedTime(now);
  await atProvider(window, "raj");
  await closed;
  await expect(dialog.getByText("Identity confirmed with Corp ID")).toBeVisible();
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("kept while he is away");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // Signed out here, he is still signed in there, and is told so.
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: /^Sign out/ }).click();
  await expect(page.getByRole("link", { name: "Sign out of Corp ID" })).toBeVisible();
  await context.close();

  // Switched off, the sign-in page is as it was; other journeys find nothing of this one.
  await admin.bringToFront();
  await part.getByRole("button", { name: "Edit…" }).click();
  await part.getByLabel("Enable sign-in").uncheck();
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByText("Disabled: local accounts only", { exact: true })).toBeVisible();
});
