import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { PYTHON } from "../hosts/esxi-host";
import { go, settled } from "../pages/fleet";
import { expect, test } from "../session";

const OUTCOMES = ["pass", "fail", "unknown", "waived", "not_applicable"] as const;
const SHOWN: Record<(typeof OUTCOMES)[number], string> = { pass: "Pass", fail: "Fail", unknown: "Unknown", waived: "Waived", not_applicable: "N/A" };

/** What a person reads off the screens: figures as they are written, names as they are listed. */
interface Read {
  score: string;
  coverage: string;
  fresh: string;
  outcomes: Record<(typeof OUTCOMES)[number], string>;
  rules: string[];
  failing: string[];
}

async function readScreens(page: Page): Promise<Read> {
  await page.goto("/");
  await settled(page);
  const fleet = page.getByRole("region", { name: "Fleet score" });
  const words = await fleet.innerText();
  const outcomes = page.getByRole("region", { name: "Findings by status" });
  const counted = await Promise.all(
    OUTCOMES.map(async (word) => [word, await outcomes.getByRole("link", { name: new RegExp(`findings?, ${SHOWN[word]}: show hosts`) }).innerText()]),
  );
  const rules: string[] = [];
  for (const row of await page.getByRole("region", { name: "Top failing rules" }).locator("tbody tr").all()) {
    const [rule, hosts] = [row.locator("td").nth(0), row.locator("td").nth(1)];
    rules.push(`${await rule.getByRole("link").first().innerText()} ${await hosts.innerText()}`.trim());
  }
  await page.goto("/hosts?outcome=fail&sort=name");
  await settled(page);
  await expect(page.getByRole("heading", { level: 1, name: /^\d+ hosts?$/ })).toBeVisible();
  const names = page.locator("tbody th[scope=row]");
  // The list keeps up with the fleet by itself: its heading is read again where a host came or went in between.
  await expect(async () => {
    const said = Number.parseInt(await page.getByRole("heading", { level: 1 }).innerText(), 10);
    await expect(names).toHaveCount(said, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  return {
    score: words.match(/Average score\s*(\d+)\s*\/100/)?.[1] ?? "",
    coverage: words.match(/(\d+)% coverage/)?.[1] ?? "",
    fresh: words.match(/(\d+ of \d+) hosts up to date/)?.[1] ?? "",
    outcomes: Object.fromEntries(counted) as Read["outcomes"],
    rules,
    failing: (await names.allInnerTexts()).map((name) => name.trim()),
  };
}

async function download(page: Page, made: Locator, format: string): Promise<string> {
  const file = page.waitForEvent("download");
  await made.getByRole("link", { name: format }).click();
  return (await file).path();
}

/** Rows of a CSV file whose cells hold no line breaks, as this report's do not. */
function rowsOf(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g;
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => [...line.matchAll(cell)].slice(0, line.endsWith(",") ? undefined : -1).map((found) => (found[1] ?? found[2] ?? "").replaceAll('""', '"')));
}

test("a viewer's report has figure for figure what the screens say, in every format", async ({ as }) => {
  test.setTimeout(240_000);
  const page = await as("viewer");
  await page.setViewportSize({ width: 1440, height: 2600 });
  let read: Read | undefined;
  let made: Locator | undefined;
  // Hosts check in all the while: the screens are read before and after, and a report between two equal readings is of the same figures.
  for (let tries = 0; tries < 4; tries += 1) {
    const before = await readScreens(page);
    await go(page, "Reports", /Reports/);
    await settled(page);
    const reports = page.getByRole("listitem", { name: /^Report \d+/ });
    const newest = (await reports.count()) > 0 ? await reports.first().getAttribute("aria-label") : "";
    await page.getByRole("button", { name: "Create report" }).click();
    await expect(reports.first()).not.toHaveAttribute("aria-label", newest ?? "");
    const name = (await reports.first().getAttribute("aria-label")) ?? "";
    made = page.getByRole("listitem", { name, exact: true });
    await expect(made.getByRole("link", { name: "PDF" })).toBeVisible({ timeout: 90_000 });
    const after = await readScreens(page);
    await go(page, "Reports", /Reports/);
    read = before;
    if (JSON.stringify(before) === JSON.stringify(after)) break;
    expect(tries, "the fleet changed during every report").toBeLessThan(3);
  }
  if (!read || !made) throw new Error("no report was made");
  await expect(made).toBeVisible();

  await test.step("CSV", async () => {
    const rows = rowsOf(readFileSync(await download(page, made as Locator, "CSV"), "utf8"));
    const figure = (section: string, name: string) => rows.find(([one, two]) => one === section && two === name)?.[2];
    expect(Math.floor(Number(figure("score", "mean")))).toBe(Number(read?.score));
    expect(Math.floor(Number(figure("score", "rule_coverage")) * 100 + 1e-9)).toBe(Number(read?.coverage));
    expect(`${figure("score", "hosts_fresh")} of ${figure("score", "hosts_known")}`).toBe(read?.fresh);
    for (const word of OUTCOMES) expect(figure("outcomes", word), word).toBe(read?.outcomes[word].replaceAll(",", ""));
    const head = rows.find((row) => row[0] === "section" && row[1] === "name") ?? [];
    const hosts = rows.filter((row) => row[0] === "host");
    const failing = hosts.filter((row) => Number(row[head.indexOf("fail")]) > 0).map((row) => row[1]);
    expect(failing.sort()).toEqual([...(read?.failing ?? [])].sort());
    const total = hosts.reduce((sum, row) => sum + Number(row[head.indexOf("fail")]), 0);
    expect(String(total)).toBe(read?.outcomes.fail);
  });

  await test.step("JSON", async () => {
    const data = JSON.parse(readFileSync(await download(page, made as Locator, "JSON"), "utf8"));
    expect(String(Math.floor(data.overview.score.mean))).toBe(read?.score);
    for (const word of OUTCOMES) expect(String(data.overview.outcomes[word]), word).toBe(read?.outcomes[word].replaceAll(",", ""));
    const rules = data.failing_rules.slice(0, read?.rules.length).map((rule: { title: string; hosts: number }) => `${rule.title} ${rule.hosts}`);
    expect(rules).toEqual(read?.rules);
  });

  await test.step("PDF, as the text that a reader copies out of it", async () => {
    const file = await download(page, made as Locator, "PDF");
    expect(readFileSync(file, "latin1").slice(0, 5)).toBe("%PDF-");
    const program = "import sys, pypdf; print('\\n'.join(page.extract_text() for page in pypdf.PdfReader(sys.argv[1]).pages))";
    const text = execFileSync(PYTHON, ["-c", program, file], { encoding: "utf8" }).replaceAll(/\s+/g, " ");
    expect(text).toMatch(new RegExp(`\\b${read?.score} of 100\\b`));
    expect(text).toContain(`rule coverage ${read?.coverage} %`);
    expect(text).toContain(`hosts fresh ${read?.fresh}`);
    for (const [word, shown] of [
      ["pass", "✓ pass"],
      ["fail", "✕ fail"],
      ["unknown", "? unknown"],
      ["waived", "◇ waived"],
      ["not_applicable", "– not applicable"],
    ] as const) {
      expect(text).toContain(`${shown} ${read?.outcomes[word].replaceAll(",", "")}`);
    }
    // A rule that two packs ask names the other pack between its title and its hosts.
    const told = text.replaceAll(/ \(also [^)]*\)/g, "");
    for (const rule of read?.rules ?? []) expect(told).toContain(rule);
    for (const name of read?.failing ?? []) expect(text).toContain(name);
  });
});

test("a report says by whom and as of when, and everybody who reads its group finds it", async ({ as }) => {
  const viewer = await as("viewer");
  const answer = await viewer.request.post("/api/v1/reports", { headers: { "X-Plumbline": "1" }, data: { group_id: 1 } });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = (await answer.json()) as { id: number };
  const state = async () => ((await (await viewer.request.get(`/api/v1/reports/${id}`)).json()) as { state: string }).state;
  await expect.poll(state, { timeout: 90_000 }).toBe("ready");
  const admin = await as("admin");
  await admin.goto("/reports");
  const row = admin.getByRole("listitem", { name: `Report ${id}`, exact: true });
  await expect(row).toContainText(/As of .+ UTC/);
  await expect(row).toContainText("created by");
  // Downloading is the viewer's right, and no role contains another.
  await expect(row.getByRole("link", { name: "PDF" })).toHaveCount(0);
});
