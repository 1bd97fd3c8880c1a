import { chromium } from "@playwright/test";
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
const [url, logins, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const who = JSON.parse(readFileSync(logins)).find((l) => l.role === "admin");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
const errors = [];
page.on("console", (m) => m.type() === "error" && errors.push(page.url() + " " + m.text()));
page.on("pageerror", (e) => errors.push(page.url() + " " + e));
await page.goto(url);
await page.getByLabel("Login").fill(who.login);
await page.getByRole("textbox", { name: "Password" }).fill(who.password);
await page.getByRole("button", { name: "Sign in" }).click();
await page.getByRole("navigation", { name: "Main" }).waitFor();
const api = async (p) => (await page.request.get(url + "/api/v1" + p)).json();
const hosts = (await api("/hosts?limit=200")).items;
const esxi = hosts.find((h) => h.platform === "esxi" && h.name.startsWith("esx")), win = hosts.find((h) => h.platform === "windows");
const bundle = hosts.find((h) => h.source === "bundle" || h.freshness === "bundle");
const first = async (p) => { const r = await api(p); const i = (r.items ?? r)[0]; return i?.id; };
const ids = { plan: await first("/plans"), job: await first("/jobs"), waiver: await first("/waivers"), report: await first("/reports"), sw: await first("/switches"), as: await first("/assessments"), proof: await first("/proofs") };
console.log(JSON.stringify(ids), esxi?.name, win?.name, bundle?.name);
const P = {
  overview: "/", hosts: "/hosts", hostspeek: `/hosts?peek=${esxi.id}`,
  ...Object.fromEntries(["", "settings", "timeline", "performance", "paths", "baseline", "jobs"].flatMap((t) => [[`hostE-${t || "findings"}`, `/hosts/${esxi.id}?tab=${t}`], [`hostW-${t || "findings"}`, `/hosts/${win.id}?tab=${t}`]])),
  compare: `/hosts/${esxi.id}/compare`, hostpast: `/hosts/${bundle?.id ?? esxi.id}/past?at=${new Date().toISOString()}`, hostbundle: `/hosts/${bundle?.id}`,
  matrix: "/matrix", switches: "/switches", switch: `/switches/${ids.sw}`, drift: "/drift", baselines: "/drift?tab=baselines", rules: "/rules", rule: "/rules/dell-esxi55/esxi55.delayed_ack",
  packs: "/packs", pack: "/packs/dell-esxi55", decisions: "/decisions", past: "/past", score: "/score", plans: "/remediate", plan: `/remediate/${ids.plan}`, jobs: "/jobs", job: `/jobs/${ids.job}`,
  safety: "/safety", reports: "/reports", report: `/reports/${ids.report}`, waivers: "/waivers", waiver: `/waivers/${ids.waiver}`, waivernew: "/waivers/new", attest: "/waivers?tab=attestations",
  oncall: "/on-call", account: "/account", enrol: "/enrol", performance: "/performance", benchmarks: "/benchmarks", assess: "/assess", assessment: `/assess/${ids.as}`, proof: `/proofs/${ids.proof}`,
  ...Object.fromEntries(["", "people", "sign-in", "groups", "collection", "notices", "audit", "tokens"].map((t) => [`admin-${t}`, `/admin?tab=${t}`])), api: "/api-reference", nothing: "/nowhere",
};
const found = [];
for (const [name, path] of Object.entries(P)) {
  if (path.includes("undefined")) { console.log("no object for", name); continue; }
  for (const [scheme, width] of [["light", 1440], ["dark", 1440], ["light", 1024], ["dark", 390]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    if (scheme === "light" && width === 1440) { await page.goto(url + path); await page.waitForLoadState("networkidle", { timeout: 8000 }).catch(() => {}); }
    await page.waitForTimeout(400);
    const told = await page.evaluate(() => {
      const wrong = [];
      if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("spills " + document.documentElement.scrollWidth);
      const seen = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let n = walker.nextNode(); n && seen.length < 3000; n = walker.nextNode()) {
        if (!n.data.trim()) continue;
        const e = n.parentElement; const cs = getComputedStyle(e);
        if (cs.visibility === "hidden" || cs.clipPath !== "none" || cs.clip !== "auto" || !e.checkVisibility({ opacityProperty: true })) continue;
        if (e.closest("[class*='visuallyHidden'],[class*='visually-hidden'],svg,nav,[aria-hidden=true]")) continue;
        const range = document.createRange(); range.selectNodeContents(n);
        for (const r of range.getClientRects()) if (r.width > 2 && r.height > 2) {
          // visible part only: clipped by ancestors
          let x0 = r.left, x1 = r.right, y0 = r.top, y1 = r.bottom;
          for (let a = e; a && a !== document.body; a = a.parentElement) { const s = getComputedStyle(a); if (s.overflow !== "visible" || s.overflowX !== "visible") { const b = a.getBoundingClientRect(); x0 = Math.max(x0, b.left); x1 = Math.min(x1, b.right); y0 = Math.max(y0, b.top); y1 = Math.min(y1, b.bottom);} }
          if (x1 - x0 > 2 && y1 - y0 > 2) seen.push({ x0, x1, y0, y1, t: n.data.trim().slice(0, 40), e, fixed: !!e.closest("header,[style*='sticky'],thead,[class*='sticky'],[class*='bar']") });
        }
      }
      for (let i = 0; i < seen.length; i++) for (let j = i + 1; j < seen.length; j++) {
        const a = seen[i], b = seen[j];
        if (a.fixed !== b.fixed) continue;
        const w = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0), h = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
        if (w > 3 && h > 6) wrong.push(`overlap "${a.t}" / "${b.t}"`);
      }
      return wrong.slice(0, 6);
    });
    for (const each of told) found.push(`${name} ${scheme} ${width}: ${each}`);
    await page.screenshot({ path: `${out}/${name}-${width}-${scheme}.png`, fullPage: true });
  }
}
writeFileSync(`${out}/found.txt`, [...found, ...errors].join("\n"));
console.log(found.join("\n")); console.log(errors.join("\n"));
await browser.close();
