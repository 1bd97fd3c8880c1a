import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";
const [url, logins, out, path, ...rest] = process.argv.slice(2);
const who = JSON.parse(readFileSync(logins)).find((l) => l.role === (process.env.ROLE ?? "admin"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
page.on("console", (m) => m.type() === "error" && console.log(page.url() + " " + m.text()));
await page.goto(url);
await page.getByLabel("Login").fill(who.login);
await page.getByRole("textbox", { name: "Password" }).fill(who.password);
await page.getByRole("button", { name: "Sign in" }).click();
await page.getByRole("navigation", { name: "Main" }).waitFor();
let p = path;
if (p.includes("{")) { const [, q] = p.match(/\{(.*)\}/); const r = await (await page.request.get(url + "/api/v1" + q)).json(); p = p.replace(/\{.*\}/, (r.items ?? r)[0].id); }
await page.goto(url + p); await page.waitForLoadState("networkidle", { timeout: 8000 }).catch(() => {});
if (process.env.CLICK) for (const c of process.env.CLICK.split("|")) { await page.getByRole("button", { name: c }).first().click(); await page.waitForTimeout(500); }
for (const w of (process.env.W ?? "1440,390").split(",")) { await page.setViewportSize({ width: +w, height: 900 }); await page.waitForTimeout(400); await page.screenshot({ path: `${out}-${w}.png`, fullPage: process.env.FULL !== "0" }); }
await browser.close();
