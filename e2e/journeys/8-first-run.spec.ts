import { EsxiHost } from "../hosts/esxi-host";
import { faults } from "../pages/axe";
import { go, settled } from "../pages/fleet";
import { expect, test } from "../session";

const URL_OF_EMPTY = process.env.PLUMBLINE_EMPTY_URL ?? "";
const CODE = process.env.PLUMBLINE_SETUP_CODE ?? "";
const SHOTS = new URL("../screenshots/", import.meta.url).pathname;

// The one-time code works once, so this is one walk from nothing to a scored host and not several tests.
test("from an empty start to a scored host", async ({ browser }, info) => {
  test.skip(!URL_OF_EMPTY || !CODE, "PLUMBLINE_EMPTY_URL and PLUMBLINE_SETUP_CODE name no empty stack");
  test.setTimeout(240_000);
  const context = await browser.newContext({ baseURL: URL_OF_EMPTY, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const look = async (name: string) => {
    expect.soft(await faults(page), name).toEqual([]);
    await page.screenshot({ path: `${SHOTS}${name}-1440-light.jpg`, fullPage: true });
  };

  await test.step("whoever reads the console makes the first admin, and a wrong code does not", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1, name: "Create the first admin" })).toBeVisible();
    await look("set-up");
    await page.getByLabel("One-time code").fill("aaaa-bbbb-cccc-dddd");
    await page.getByLabel("Your name").fill("Ana Kovač");
    await page.getByRole("textbox", { name: "Login" }).fill("ana");
    await page.getByRole("textbox", { name: "Password", exact: true }).fill("flow control is on, always");
    await page.getByRole("textbox", { name: "Confirm password" }).fill("flow control is on, always");
    const send = page.getByRole("button", { name: "Create admin and continue" });
    await send.click();
    await expect(page.getByRole("alert")).toBeVisible();
    await page.getByLabel("One-time code").fill(CODE);
    await send.click();
    await expect(page.getByRole("heading", { level: 1, name: /Enrol hosts/ })).toBeVisible();
  });

  await test.step("the empty overview says what to do next", async () => {
    await go(page, "Overview", /No host|0 hosts|Overview/);
    await expect(page.getByText("No hosts yet")).toBeVisible();
    await look("empty-overview");
    await expect(page.locator("#content").getByRole("link", { name: "Assess a bundle" })).toHaveAttribute("href", "/assess");
    await page.locator("#content").getByRole("link", { name: "Enrol hosts" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /Enrol hosts/ })).toBeVisible();
    await expect(page.getByRole("region", { name: "Hosts pending approval" })).toContainText("No pending hosts");
  });

  const made = page.getByRole("status").filter({ hasText: "Token (shown only once)" });
  const make = async (name: string, system: string) => {
    await page.getByLabel("Purpose").fill(name);
    await page.getByRole("combobox", { name: "Operating system" }).or(page.getByRole("textbox", { name: "Operating system" })).first().click();
    await page.getByRole("option", { name: system }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    await expect(page.getByRole("row", { name: new RegExp(name) })).toBeVisible();
  };

  await test.step("a token for Windows comes with the commands to fetch, install and enrol", async () => {
    await make("first Windows hosts", "Windows Server");
    await expect(made).toContainText(`-Server ${URL_OF_EMPTY} -Token `);
    await expect(made).toContainText("Install-Plumbline.ps1");
    const file = await page.request.get("/agent/v1/files/Plumbline-Agent.ps1");
    expect(file.ok()).toBeTruthy();
  });

  const host = new EsxiHost(info.outputPath("host"), "esx-t02");
  await test.step("the command for ESXi, run as it stands, brings the host to the list of those that wait", async () => {
    await make("first ESXi host", "ESXi");
    await expect(made).toContainText("host_agent.py --enrol");
    const command = await made.locator("pre").filter({ hasText: "--enrol" }).innerText();
    const [, url, token] = command.match(/--enrol (\S+) (\S+)/) ?? [];
    expect(url).toBe(URL_OF_EMPTY);
    host.enrol(url ?? "", token ?? "");
    host.checkIn();
    await page.reload();
    await expect(page.getByRole("button", { name: `Approve ${host.name}` })).toBeVisible();
    await look("waiting");
  });

  await test.step("a host that waits is neither scored nor counted", async () => {
    await page.getByRole("link", { name: host.name }).click();
    await expect(page.getByText(/Pending approval/).first()).toBeVisible();
    const { headline, waiting } = await (await page.request.get("/api/v1/overview")).json();
    expect([headline.hosts, waiting]).toEqual([0, 1]);
  });

  await test.step("approved, its next check-in is scored, and every screen counts it", async () => {
    await go(page, "Enrol hosts", /Enrol hosts/);
    await page.getByRole("button", { name: `Approve ${host.name}` }).click();
    await expect(page.getByRole("region", { name: "Hosts pending approval" })).toContainText("No pending hosts");
    host.checkIn();
    await go(page, "Hosts", /^1 host$/);
    await page.reload();
    await page.getByRole("link", { name: host.name }).first().click();
    await settled(page);
    const { score, n_fail } = (await (await page.request.get("/api/v1/hosts?limit=1")).json()).items[0];
    expect(score).toBeGreaterThan(0);
    expect(n_fail).toBeGreaterThan(0);
    await expect(page.getByTitle(/Score out of 100|Grey/)).toContainText(String(score));
    await expect(page.getByRole("article", { name: /^fail: / }).first()).toContainText("expected");
    await go(page, "Overview", /^1 host: /);
    await expect(page.getByRole("region", { name: "Top failing rules" }).locator("tbody tr").first()).toBeVisible();
    await look("first-host");
  });
  await context.close();
});
