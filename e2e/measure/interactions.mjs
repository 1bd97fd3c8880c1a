// node measure/interactions.mjs ADDRESS COOKIE [TIMES]: from a press or a key to the next picture, as the browser's Event Timing says it.
// Prints one JSON line for each interaction. `python -m bench.interactions` starts it beside a stored fleet.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const [address, cookie, times = "9"] = process.argv.slice(2);
const executablePath = process.env.PLUMBLINE_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const DEVICES = [
  { name: "desk", viewport: { width: 1440, height: 900 }, slower: 1 },
  // A phone's processor is about four times slower than a desk's; Lighthouse uses the same factor.
  { name: "phone", viewport: { width: 390, height: 844 }, slower: 4 },
];

const tab = (page, name) => page.getByRole("tab", { name }).or(page.getByRole("link", { name, exact: true })).first().click();
const firstOf = (page, role, name) => page.getByRole(role, { name }).first();
/** What people do, page by page: [page, what, the act, only there, the way back]. The way back is not timed. */
const ACTS = [
  ["/", "open the choice of ranges", (page) => page.locator("input[readonly]").first().click(), "", (page) => page.keyboard.press("Escape")],
  ["/hosts", "sort by host", (page) => page.locator("thead").getByRole("button", { name: /^Host/ }).click(), "desk"],
  ["/hosts", "select a host", (page) => page.locator("tbody").getByRole("checkbox").first().click(), "desk"],
  ["/hosts", "filter by platform", (page) => firstOf(page, "checkbox", /^ESXi/).click(), "desk"],
  ["/hosts", "type in the name", (page) => page.getByLabel("Name", { exact: true }).pressSequentially("w"), "desk"],
  ["/hosts", "open the palette", (page) => page.keyboard.press("/"), "desk", (page) => page.keyboard.press("Escape")],
  ["host", "open a finding", (page) => page.locator("article button").first().click()],
  ["host", "open the settings", (page) => tab(page, "Settings"), "", (page) => tab(page, "Checks")],
  ["host?tab=settings", "type in the search", (page) => page.getByLabel("Search settings").pressSequentially("m")],
  ["/matrix", "move by an arrow key", (page) => page.keyboard.press("ArrowDown"), "desk", undefined, async (page) => {
    // A large fleet is shown by group at first.
    const all = page.getByRole("button", { name: /^Show the first/ });
    if (await all.count()) await all.click();
    await page.locator("tbody [tabindex='0']").first().focus();
  }],
  ["/rules", "type in the search", (page) => page.getByLabel("Search rules").pressSequentially("f")],
  ["/drift", "open an event", (page) => firstOf(page, "button", /^(View|Hide) /).click()],
];

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
let failed = 0;
for (const device of DEVICES) {
  const context = await browser.newContext({ viewport: device.viewport, locale: "en-GB", timezoneId: "UTC" });
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: address }]);
  await context.addInitScript(() => {
    window.timings = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.interactionId) window.timings.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: device.slower });
  const hosts = await (await context.request.get(`${address}/api/v1/hosts?limit=1&outcome=fail`)).json();
  for (const [path, what, act, only, back, before] of ACTS) {
    if (only && only !== device.name) continue;
    const durations = [];
    try {
      await page.goto(address + path.replace(/^host/, `/hosts/${hosts.items[0].id}`));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForTimeout(1500 * device.slower);
      await before?.(page);
      for (let time = 0; time < Number(times); time += 1) {
        await page.evaluate(() => { window.timings = []; });
        await act(page);
        await page.waitForTimeout(700 * Math.min(device.slower, 2));
        // Nothing told: shorter than 16 ms, the least that the browser tells.
        durations.push(Math.max(16, ...(await page.evaluate(() => window.timings))));
        await back?.(page);
        if (back) await page.waitForTimeout(400 * device.slower);
      }
      durations.sort((one, other) => one - other);
      const median = durations[Math.floor(durations.length / 2)];
      console.log(JSON.stringify({ device: device.name, page: path, what, median, longest: durations.at(-1), times: durations.length }));
    } catch (error) {
      failed += 1;
      console.error(`${device.name} ${path} ${what}: ${String(error).split("\n")[0]}`);
    }
  }
  await context.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
