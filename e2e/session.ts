import { readFileSync } from "node:fs";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";

export type Role = "viewer" | "operator" | "approver" | "admin";

interface Login {
  login: string;
  role: Role;
  password: string;
}

/** The demo login of a role, from the file that the stack wrote for its owner. */
export function loginOf(role: Role): Login {
  const file = process.env.PLUMBLINE_LOGINS;
  if (!file) throw new Error("PLUMBLINE_LOGINS names no file with demo logins.");
  const found = (JSON.parse(readFileSync(file, "utf8")) as Login[]).find((one) => one.role === role);
  if (!found) throw new Error(`The file of demo logins has none for the role ${role}.`);
  return found;
}

/** Signs in through the page, as a person does. */
export async function signIn(page: Page, role: Role, path = "/"): Promise<void> {
  const { login, password } = loginOf(role);
  await page.goto(path);
  await page.getByLabel("Login").fill(login);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

const kept = new Map<Role, Awaited<ReturnType<BrowserContext["storageState"]>>>();

/**
 * A page that is signed in already. Each role signs in once in a run, because sign-ins are slow on purpose and counted;
 * the other tests of that role take over its cookie.
 */
export const test = base.extend<{ as: (role: Role) => Promise<Page> }>({
  as: async ({ browser, baseURL }, use, info) => {
    const opened: Page[] = [];
    await use(async (role) => {
      const state = kept.get(role);
      const context = await browser.newContext({ ...info.project.use, baseURL, storageState: state });
      const page = await context.newPage();
      if (!state) {
        await signIn(page, role);
        kept.set(role, await context.storageState());
      }
      await watch(page);
      opened.push(page);
      return page;
    });
    for (const page of opened) {
      expect(faults.get(page) ?? [], "faults that the page reported").toEqual([]);
      await page.context().close();
    }
  },
});

const faults = new WeakMap<Page, string[]>();

/** Faults of the page's own scripts and breaches of the content security policy fail the test they happen in. */
async function watch(page: Page): Promise<void> {
  const seen: string[] = [];
  faults.set(page, seen);
  page.on("pageerror", (error) => seen.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|React/.test(message.text())) seen.push(message.text());
  });
  // A breach that the page's script survives is written nowhere else.
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`Content Security Policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
}

export { expect };
