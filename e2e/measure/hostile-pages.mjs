// node measure/hostile-pages.mjs ADDRESS COOKIE HOSTS: opens every page of a stack whose texts are hostile, and everything that opens on it.
// Prints one JSON line for each page. `python -m faults security --faults S2` starts it.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const [address, cookie, hosts] = process.argv.slice(2);
const executablePath = process.env.PLUMBLINE_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const DEVICES = [
  { name: "desk", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
];
const MOST_OPENED = 12;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
for (const device of DEVICES) {
  const context = await browser.newContext({ viewport: device.viewport, locale: "en-GB", timezoneId: "UTC" });
  const at = cookie.indexOf("=");
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: address }]);
  await context.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
    // What a hostile text would set if it ran.
    Object.defineProperty(window, "ran", { set: (what) => window.violations.push(`a script ran: ${what}`) });
  });
  const ids = async (path, name = "id") => {
    const answer = await context.request.get(`${address}/api/v1/${path}`);
    if (!answer.ok()) return [];
    const body = await answer.json();
    return (body.items ?? body.switches ?? body.rows ?? body).slice?.(0, 2).map((each) => each[name] ?? each.switch_id) ?? [];
  };
  const paths = [
    "/", "/?days=30", "/hosts", "/matrix", "/switches", "/drift", "/drift?tab=baselines", "/performance", "/rules", "/packs", "/decisions",
    "/past", "/score", "/remediate", "/jobs", "/safety", "/on-call", "/reports", "/benchmarks", "/waivers", "/waivers/new",
    "/waivers?tab=attestations", "/assess", "/account", "/enrol",
    ...["people", "sign-in", "groups", "collection", "notices", "audit", "tokens", "health", "lab"].map((tab) => `/admin?tab=${tab}`),
  ];
  for (const host of hosts.split(",")) {
    paths.push(`/hosts/${host}`, `/hosts?peek=${host}`, `/hosts/${host}/compare?reference=peers`, `/hosts/${host}/past?at=${new Date().toISOString()}`);
    paths.push(...["settings", "timeline", "performance", "paths", "baseline", "jobs"].map((tab) => `/hosts/${host}?tab=${tab}`));
  }
  for (const [list, page] of [["plans", "remediate"], ["jobs", "jobs"], ["waivers", "waivers"], ["reports", "reports"], ["proofs", "proofs"], ["switches", "switches"]]) {
    for (const id of await ids(list)) paths.push(`/${page}/${encodeURIComponent(id)}`);
  }
  for (const path of paths) {
    const page = await context.newPage();
    const wrong = [];
    page.on("dialog", (dialog) => {
      wrong.push(`a dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("pageerror", (error) => wrong.push(`an error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(`the console: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) wrong.push(`a request to ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 500) wrong.push(`${response.status()} of ${response.url()}`);
    });
    let seen = 0;
    try {
      await page.goto(address + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor({ timeout: 20_000 });
      await page.waitForTimeout(700);
      // All that is closed opens at once, as far as a click by the page's own script opens it.
      await page.evaluate((most) => {
        for (const each of [...document.querySelectorAll("main button[aria-expanded='false'], main summary")].slice(0, most)) each.click();
      }, MOST_OPENED);
      await page.waitForTimeout(500);
      const found = await page.evaluate(() => ({
        violations: window.violations,
        planted: document.querySelectorAll("[data-planted]").length,
        links: [...document.querySelectorAll("a[href], form[action]")].map((each) => each.getAttribute("href") ?? each.getAttribute("action")),
        texts: (document.body.innerText.match(/data-planted|window\.ran|HYPERLINK\(/g) ?? []).length,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      seen = found.texts;
      wrong.push(...found.violations);
      if (found.planted) wrong.push(`${found.planted} elements of a hostile text`);
      wrong.push(...found.links.filter((link) => /^\s*(javascript|data|vbscript):/i.test(link)).map((link) => `a link to ${link}`));
      if (found.wide > 0) wrong.push(`${found.wide} px wider than the screen`);
    } catch (error) {
      wrong.push(`not opened: ${error.message.split("\n")[0]}`);
    }
    console.log(JSON.stringify({ device: device.name, path, seen, wrong: [...new Set(wrong)] }));
    await page.close();
  }
  await context.close();
}
await browser.close();
