import type { Page } from "@playwright/test";
import { faults } from "../pages/axe";
import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

const HEADING = [
  "Nov 20, 2026    interval        i/o   MB/sec   bytes   read     resp     read    write     read    write     resp  queue  cpu%  cpu%",
  "                               rate  1024**2     i/o    pct     time     resp     resp      max      max   stddev  depth sys+u   sys",
].join("\n");

/** A summary of Vdbench with a run of the 8K mix for each rate; the last one was stopped if it says so. */
function summary(rates: number[], isStopped = false): string {
  const runs = rates.map((rate, index) => {
    const line = (label: string) =>
      `10:00:05.000 ${label.padStart(11)} ${rate.toFixed(1).padStart(10)} ${((rate * 8192) / 1048576).toFixed(2).padStart(8)}    8192  67.00    2.500    2.400    2.700    40.00    50.00    1.200   20.0   6.1   2.1`;
    const begun = `10:00:00.001 Starting RD=rd${index}; I/O rate: Uncontrolled MAX; elapsed=1200; For loops: None`;
    return [begun, "", HEADING, line("1"), ...(isStopped && index === rates.length - 1 ? [] : [line("avg_2-240")])].join("\n");
  });
  return `Vdbench summary report, created ${Date.now()}-${Math.random()}\n\n${runs.join("\n\n")}\n`;
}

const PARAMETERS = `wd=mix,sd=sd*,xfersize=8k,rdpct=67,seekpct=100\n${[0, 1, 2].map((one) => `rd=rd${one},wd=mix,elapsed=1200`).join("\n")}\n`;

async function importRuns(page: Page, rates: number[]): Promise<number[]> {
  const answered = page.waitForResponse((response) => response.url().endsWith("/benchmarks") && response.request().method() === "POST");
  await page.getByLabel("Parameter file").setInputFiles({ name: "parmfile", mimeType: "text/plain", buffer: Buffer.from(PARAMETERS) });
  await page
    .getByLabel("Results file")
    .setInputFiles({ name: "summary.html", mimeType: "text/html", buffer: Buffer.from(summary(rates)) });
  const { runs } = (await (await answered).json()) as { runs: { id: number }[] };
  await expect(page.getByText("3 runs of Vdbench imported.")).toBeVisible();
  return runs.map((run) => run.id);
}

async function choose(page: Page, runs: number[], side: "Before" | "After") {
  for (const run of runs) {
    await page.getByRole("combobox", { name: `Side of run ${run}`, exact: true }).click();
    await page.getByRole("option", { name: side }).click();
  }
}

/** Imports three runs for each side and compares them; the page of the proof is open afterwards. */
async function prove(page: Page, host: string, before: number[], after: number[], title: string) {
  await page.goto(`/benchmarks?host=${host}`);
  await settled(page);
  const first = await importRuns(page, before);
  const second = await importRuns(page, after);
  await choose(page, first, "Before");
  await choose(page, second, "After");
  await page.getByLabel("Change", { exact: true }).fill(title);
  for (const question of await page.getByRole("radiogroup").all()) await question.getByLabel("Yes").check();
}

test("the three verdicts of the papers' method: a clean gain, runs that differ too much, and no significant effect", async ({ as }) => {
  test.setTimeout(240_000);
  const page = await as("operator");
  const host = await hostBy(page, "platform=windows&sort=score&outcome=fail&freshness=fresh");

  await prove(page, host.id, [9950, 10_000, 10_050], [12_950, 13_000, 13_050], "Jumbo frames on");
  await page.getByRole("button", { name: "Compare runs" }).click();
  await expect(page).toHaveURL(/\/proofs\/\d+$/);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Better: +30.0%");
  await expect(verdict).toContainText("Quick look");
  await expect(verdict).toContainText("not all three loads of the paper were run");
  expect(await faults(page)).toEqual([]);
  await verdict.getByRole("button", { name: "Keep change" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep change" }).click();
  await expect(verdict).toContainText("Kept by");

  await prove(page, host.id, [9950, 10_000, 10_050], [12_610, 13_000, 13_390], "RSS on");
  await page.getByRole("button", { name: "Compare runs" }).click();
  await expect(verdict).toContainText("Run again");
  await expect(page.getByRole("region", { name: "Loads" })).toContainText("3.00%");

  await prove(page, host.id, [9950, 10_000, 10_050], [10_150, 10_200, 10_250], "Interrupt moderation off");
  await page.getByRole("combobox", { name: "Rule (optional)" }).fill("flow control");
  await page.getByRole("option").first().click();
  await page.getByRole("button", { name: "Compare runs" }).click();
  await expect(verdict).toContainText("No significant effect: +2.0%");
  await verdict.getByRole("button", { name: "Request waiver" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Request waiver" }).click();
  await expect(page).toHaveURL(/\/waivers\/new\?.*link=/);
  await expect(page.getByLabel("Evidence (optional)")).toHaveValue(/\+2\.0%.*no significant effect/);
  await expect(page.getByLabel("Evidence link (optional)")).toHaveValue(/^\/proofs\/\d+$/);
});

test("a run that was stopped imports nothing and is named with its line", async ({ as }) => {
  const page = await as("operator");
  const host = await hostBy(page, "platform=windows&freshness=fresh");
  await page.goto(`/benchmarks?host=${host.id}`);
  await settled(page);
  await page
    .getByLabel("Results file")
    .setInputFiles({ name: "summary.html", mimeType: "text/html", buffer: Buffer.from(summary([100, 100], true)) });
  await expect(page.getByRole("alert")).toContainText(/summary\.html, line \d+: run rd1 has no line of averages/);
  expect(await faults(page)).toEqual([]);
});

test("a viewer reads runs and imports none", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/benchmarks");
  await settled(page);
  await expect(page.getByRole("region", { name: "Runs" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Import results" })).toHaveCount(0);
  await page.goto("/benchmarks?tab=papers");
  await expect(page.getByRole("cell", { name: "storage alone, no QoS" })).toBeVisible();
});
