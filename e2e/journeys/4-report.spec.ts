import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { PYTHON } from "../hosts/esxi-host";
import { faults } from "../pages/axe";
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
  await made.getByRole("link", { name: format, exact: true }).click();
  return (await file).path();
}

type Tables = Record<string, Record<string, string>[]>;

/** The tables of a CSV archive: the rows of each file by the names of its columns. */
function tablesOf(file: string): Tables {
  const program = `
import csv, io, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    texts = {name[:-4]: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
print(json.dumps({name: list(csv.DictReader(io.StringIO(text))) for name, text in texts.items()}))`;
  return JSON.parse(execFileSync(PYTHON, ["-c", program, file], { encoding: "utf8", maxBuffer: 64 * 2 ** 20 })) as Tables;
}

/** The texts of the first cells of a sheet, as a workbook has them. */
function firstColumnOf(file: string, sheet: string): string[] {
  const program = `
import json, sys, zipfile
from xml.etree import ElementTree
main = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
with zipfile.ZipFile(sys.argv[1]) as book:
    names = [each.get("name") for each in ElementTree.fromstring(book.read("xl/workbook.xml")).iter(main + "sheet")]
    rows = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{names.index(sys.argv[2]) + 1}.xml")).iter(main + "row")
    print(json.dumps(["".join(row[0].itertext()) for row in rows]))`;
  return JSON.parse(execFileSync(PYTHON, ["-c", program, file, sheet], { encoding: "utf8" })) as string[];
}

/** The text that a reader copies out of a PDF, without the invisible places at which lines may end. */
function textOf(file: string): string {
  const program = "import sys, pypdf; print('\\n'.join(page.extract_text() for page in pypdf.PdfReader(sys.argv[1]).pages))";
  return execFileSync(PYTHON, ["-c", program, file], { encoding: "utf8" }).replaceAll("\u200b", "").replaceAll(/\s+/g, " ");
}

/** Creates the report that the form offers, and waits for its page. */
async function create(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Create report" }).click();
  await page.waitForURL(/\/reports\/\d+/);
  await expect(page.getByRole("main").getByRole("link", { name: "PDF", exact: true })).toBeVisible({ timeout: 90_000 });
  return Number(new URL(page.url()).pathname.split("/")[2]);
}

test("a viewer's report has figure for figure what the screens say, in every format", async ({ as }) => {
  test.setTimeout(240_000);
  const page = await as("viewer");
  await page.setViewportSize({ width: 1440, height: 2600 });
  let read: Read | undefined;
  // Hosts check in all the while: the screens are read before and after, and a report between two equal readings is of the same figures.
  for (let tries = 0; tries < 4; tries += 1) {
    const before = await readScreens(page);
    await go(page, "Reports", /Reports/);
    await settled(page);
    const id = await create(page);
    const after = await readScreens(page);
    await page.goto(`/reports/${id}`);
    await settled(page);
    read = before;
    if (JSON.stringify(before) === JSON.stringify(after)) break;
    expect(tries, "the fleet changed during every report").toBeLessThan(3);
  }
  if (!read) throw new Error("no report was made");
  const made = page.locator("main");

  await test.step("the report's page", async () => {
    await expect(page.getByRole("region", { name: "Average score" })).toContainText(`${read?.score} /100`);
    await expect(page.getByRole("region", { name: "Average score" })).toContainText(`coverage ${read?.coverage}%`);
    for (const word of OUTCOMES) {
      const figure = page.getByRole("link", { name: new RegExp(`^[\\d,]+ findings, ${SHOWN[word]}: show hosts`) });
      await expect(figure).toHaveText(read?.outcomes[word] ?? "");
    }
  });

  await test.step("CSV", async () => {
    const tables = tablesOf(await download(page, made, "CSV"));
    const figure = (section: string, name: string) => tables.figures?.find((row) => row.section === section && row.figure === name)?.value;
    expect(Math.floor(Number(figure("Score", "mean")))).toBe(Number(read?.score));
    expect(Math.floor(Number(figure("Score", "rule_coverage")) * 100 + 1e-9)).toBe(Number(read?.coverage));
    expect(`${figure("Score", "hosts_fresh")} of ${figure("Score", "hosts_known")}`).toBe(read?.fresh);
    for (const word of OUTCOMES) expect(figure("Findings", word), word).toBe(read?.outcomes[word].replaceAll(",", ""));
    const failing = (tables.hosts ?? []).filter((host) => Number(host.fail) > 0).map((host) => host.name);
    expect(failing.sort()).toEqual([...(read?.failing ?? [])].sort());
    const total = (tables.hosts ?? []).reduce((sum, host) => sum + Number(host.fail), 0);
    expect(String(total)).toBe(read?.outcomes.fail);
  });

  await test.step("XLSX", async () => {
    const hosts = firstColumnOf(await download(page, made, "XLSX"), "Hosts");
    for (const name of read?.failing ?? []) expect(hosts).toContain(name);
  });

  await test.step("JSON", async () => {
    const data = JSON.parse(readFileSync(await download(page, made, "JSON"), "utf8"));
    expect(String(Math.floor(data.score.mean))).toBe(read?.score);
    for (const word of OUTCOMES) expect(String(data.outcomes[word]), word).toBe(read?.outcomes[word].replaceAll(",", ""));
    const rules = data.failing_rules.slice(0, read?.rules.length).map((rule: { title: string; hosts: number }) => `${rule.title} ${rule.hosts}`);
    expect(rules).toEqual(read?.rules);
  });

  await test.step("PDF, as the text that a reader copies out of it", async () => {
    const file = await download(page, made, "PDF");
    expect(readFileSync(file, "latin1").slice(0, 5)).toBe("%PDF-");
    const text = textOf(file);
    expect(text).toContain(`${read?.score} /100`);
    expect(text).toContain(`Coverage ${read?.coverage}%`);
    expect(text).toContain(`${read?.fresh} hosts up to date`);
    for (const word of OUTCOMES) expect(text).toContain(`${SHOWN[word]} ${read?.outcomes[word]}`);
    expect(text).toContain("page 1 of 1");
  });
});

test("quarter end: a manager has the report in five clicks, follows a figure to the fact, and schedules the next one", async ({ as }) => {
  test.setTimeout(180_000);
  const page = await as("viewer");
  await page.goto("/");
  await settled(page);
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };

  await click(page.getByRole("complementary", { name: "Navigation" }).getByRole("link", { name: /^Reports/ }));
  await click(page.getByRole("combobox", { name: "Report", exact: true }));
  await click(page.getByRole("option", { name: "Audit evidence" }));
  await click(page.getByRole("button", { name: "Create report" }));
  await page.waitForURL(/\/reports\/\d+/);
  // The list of reports, where each has such a link, may still be there for a moment.
  await expect(page.getByRole("listitem", { name: /^Report \d+/ })).toHaveCount(0);
  const pdf = page.getByRole("main").getByRole("link", { name: "PDF", exact: true });
  await expect(pdf).toBeVisible({ timeout: 90_000 });
  const file = page.waitForEvent("download");
  await click(pdf);
  const text = textOf(await (await file).path());
  expect(clicks).toBeLessThanOrEqual(5);
  expect(text).toContain("Audit evidence: All hosts");
  for (const part of ["Active rules", "Approvals", "Active and requested waivers", "Audit log", "How to read this report"]) {
    expect(text).toContain(part);
  }
  expect(await faults(page), "the report's page is accessible").toEqual([]);

  await test.step("a figure leads to its hosts, a host to its facts at that time", async () => {
    await page.getByRole("link", { name: /findings, Fail: show hosts/ }).click();
    const hosts = page.getByRole("table", { name: "Hosts of the report" });
    const host = hosts.locator("tbody th[scope=row]").first().getByRole("link");
    const name = await host.innerText();
    await host.click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    expect(new URL(page.url()).searchParams.get("at")).toBeTruthy();
    await page.goBack();
    await expect(hosts).toBeVisible();
  });

  await test.step("the register of exceptions and the plans", async () => {
    const lists = page.getByRole("navigation", { name: "Lists of this report" });
    await lists.getByRole("link", { name: "Exceptions" }).click();
    await expect(page.getByRole("table", { name: "Waivers of the report" }).or(page.getByText("No waivers in this period"))).toBeVisible();
    await lists.getByRole("link", { name: "PDF preview" }).click();
    const sheet = page.getByRole("img", { name: "Page 1 of the PDF" });
    await expect.poll(() => sheet.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(500);
    await lists.getByRole("link", { name: "Plans" }).click();
    await expect(page.getByRole("table", { name: "Plans of the report" }).or(page.getByText("No plans in this period"))).toBeVisible();
  });

  await test.step("on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await expect(page.getByRole("region", { name: "Average score" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step("schedules the next one", async () => {
    const name = `Quarter ${Date.now()}`;
    await page.goto("/reports?tab=schedules");
    await page.getByRole("button", { name: "Create schedule…" }).click();
    const form = page.getByRole("dialog", { name: "New schedule" });
    await form.getByRole("textbox", { name: "Name" }).fill(name);
    await form.getByRole("button", { name: "Create schedule" }).click();
    const row = page.getByRole("listitem", { name: `Schedule ${name}` });
    await expect(row).toContainText("Day 1 of each quarter at 07:00");
    expect(await faults(page), "the schedules are accessible").toEqual([]);
    await row.getByRole("button", { name: `Delete the schedule ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete schedule" }).click();
    await expect(row).toHaveCount(0);
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
  await expect(row).toContainText(/as of .+ UTC/);
  await expect(row).toContainText("Created by");
  await expect(row.getByRole("link", { name: "PDF" })).toHaveCount(1);
  // An approver decides about others' requests and exports nothing.
  const approver = await as("approver");
  await approver.goto(`/reports/${id}`);
  await expect(approver.getByText("Downloading reports needs the viewer, operator or admin role.")).toBeVisible();
  await expect(approver.getByRole("main").getByRole("link", { name: "PDF", exact: true })).toHaveCount(0);
});
