import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { checkIn, setOnHost } from "../hosts/lab";
import { approvedJob, failing, hostNamed, idle, planned, readUntil } from "../pages/changes";
import { hostBy, settled } from "../pages/fleet";
import { expect, test } from "../session";

/** A host with at least three readings, so that its charts have lines. */
async function countedHost(page: Page, name: string): Promise<{ id: string; name: string }> {
  const host = await hostBy(page, `q=${name}`);
  for (let times = 0; times < 3; times += 1) {
    await checkIn(host.name);
    // A rate is over whole seconds of uptime.
    await page.waitForTimeout(1_200);
  }
  return host;
}

test("the fleet's symptoms lead to a cluster, its hosts, and the charts of one", async ({ as }) => {
  const page = await as("viewer");
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Performance" }).click();
  await expect(page).toHaveURL(/\/performance$/);
  const cells = page.getByRole("article");
  await expect(cells.first()).toBeVisible();
  await page.getByRole("button", { name: "How often these limits raised an alarm" }).click();
  await expect(page.getByRole("table", { name: "Alarms by symptom" }).getByRole("row", { name: /TCP retransmits/ })).toBeVisible();
  await page.getByRole("textbox", { name: "Sort by" }).or(page.getByRole("combobox", { name: "Sort by" })).first().click();
  await page.getByRole("option", { name: "Name" }).click();
  await expect(page).toHaveURL(/sort=name/);
  // Until the new order has come, the old one is shown: the cluster is clicked by its name, wherever it stands.
  const name = (await cells.filter({ hasText: /hosts/ }).getByRole("link").first().textContent()) ?? "";
  await cells.getByRole("link", { name, exact: true }).click();
  await expect(page).toHaveURL(/cluster=|group=/);
  await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
  await cells.locator('a[href*="host="]').first().click();
  await expect(page).toHaveURL(/host=[0-9a-f]{32}/);
  await expect(page.getByRole("region", { name: "TCP retransmits" })).toBeVisible();
});

test("a chart spans what was chosen, is zoomed by dragging, and everything is in the address", async ({ as }) => {
  const page = await as("viewer");
  const host = await countedHost(page, "tst-win-03");
  await page.goto(`/performance?host=${host.id}&hours=48`);
  await settled(page);
  const figure = page.getByRole("figure", { name: "TCP retransmits" });
  await expect(figure.locator("svg.recharts-surface")).toBeVisible();
  const answer = await (await page.request.get(`/api/v1/performance/charts?host=${host.id}&hours=48`)).json();
  expect(Date.parse(answer.to) - Date.parse(answer.from)).toBe(48 * 3_600_000);

  const plot = await figure.locator("svg.recharts-surface").boundingBox();
  if (!plot) throw new Error("The chart has no place on the page.");
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + plot.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.8, plot.y + plot.height * 0.5, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  const search = new URL(page.url()).searchParams;
  const span = Date.parse(search.get("to") ?? "") - Date.parse(search.get("from") ?? "");
  expect(span).toBeGreaterThan(10 * 3_600_000);
  expect(span).toBeLessThan(22 * 3_600_000);
  await page.reload();
  await expect(page).toHaveURL(/from=.*to=/);
  await page.getByRole("button", { name: "Zoom out" }).click();
  await expect(async () => {
    const now = new URL(page.url()).searchParams;
    expect(Date.parse(now.get("to") ?? "") - Date.parse(now.get("from") ?? "")).toBeGreaterThan(1.8 * span);
  }).toPass();
});

test("figures are read with the keyboard, as a table and as files", async ({ as }) => {
  const page = await as("viewer");
  const host = await countedHost(page, "tst-win-03");
  await page.goto(`/performance?host=${host.id}&hours=1`);
  await settled(page);
  const reader = page.getByRole("slider", { name: "Figures of TCP retransmits by time" });
  await reader.focus();
  await page.keyboard.press("End");
  const last = await reader.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  await expect(reader).not.toHaveAttribute("aria-valuetext", last ?? "");
  expect(last).toMatch(/TCP retransmits/);

  await page.getByRole("button", { name: "More for TCP retransmits" }).click();
  await page.getByRole("menuitem", { name: "Show table" }).click();
  await expect(page.getByRole("region", { name: "Figures of TCP retransmits" }).getByRole("row").nth(2)).toBeVisible();
  for (const [item, ending] of [
    ["Save as PNG", "png"],
    ["Save as SVG", "svg"],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "More for TCP retransmits" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`plumbline-tcp-retransmits.${ending}`);
    const content = readFileSync(await file.path());
    if (ending === "png") expect(content.subarray(1, 4).toString()).toBe("PNG");
    else expect(content.toString()).not.toContain("var(--");
  }
  const csv = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export these charts as CSV" }).click();
  expect((await csv).suggestedFilename()).toBe("plumbline-charts.csv");
});

test("a changed setting is a mark with words that leads to the timeline", async ({ as }) => {
  const page = await as("viewer");
  const host = await countedHost(page, "tst-win-03");
  await setOnHost(host.name, "SAN1.receive_buffers", "1024");
  await checkIn(host.name);
  await page.goto(`/performance?host=${host.id}&hours=1`);
  await settled(page);
  const mark = page.getByRole("figure", { name: "TCP retransmits" }).getByRole("link", { name: /Receive buffers/ });
  await mark.last().focus();
  await expect(page.getByRole("tooltip")).toContainText("Receive buffers");
  await mark.last().click();
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f]{32}\?tab=timeline/);
});

for (const name of ["tst-win-03", "esx-b10"]) {
  test(`an operator watches the counters of ${name} every five seconds, and a viewer follows it`, async ({ as }) => {
    const page = await as("operator");
    const host = await hostBy(page, `q=${name}`);
    await unwatched(page, host.id);
    await page.goto(`/hosts/${host.id}?tab=performance`);
    const watch = page.getByRole("region", { name: "Watch", exact: true });
    await watch.getByRole("button", { name: "Watch counters…" }).click();
    await page.getByRole("dialog", { name: `Watch counters of ${name}` }).getByRole("button", { name: "Start watch" }).click();
    const state = watch.getByRole("status", { name: "State of the watch" });
    // Signing in and the first reading; rates need a second one.
    await expect(state).toContainText(/Watching.*[2-9] readings/, { timeout: 30_000 });
    await expect(watch.getByRole("figure", { name: "TCP retransmits" }).locator("svg.recharts-surface")).toBeVisible({ timeout: 15_000 });
    await expect(watch.getByText("Full resolution, a reading every 5 s.").first()).toBeVisible();

    await watch.getByRole("combobox", { name: "Counters of the watch" }).click();
    await page.getByRole("option", { name: /read latency/ }).first().click();
    await expect(watch.getByRole("figure", { name: "Latency of volumes" })).toBeVisible();

    const other = await as("viewer");
    await other.goto(`/hosts/${host.id}?tab=performance`);
    const followed = other.getByRole("region", { name: "Watch", exact: true });
    await expect(followed.getByText("Watching")).toBeVisible();
    await expect(followed.getByRole("button", { name: /watch/i })).toHaveCount(0);

    await watch.getByRole("button", { name: "Stop watch" }).click();
    await expect(state).toContainText("Stopped by operator.");
    await watch.getByRole("button", { name: "Close watch" }).click();
    await watch.getByRole("combobox", { name: "Earlier watches" }).click();
    await page.getByRole("option").first().click();
    await expect(page).toHaveURL(/watch=\d+/);
    await expect(watch.getByText("Stopped by operator.")).toBeVisible();
  });
}

interface Watch {
  id: number;
  state: string;
}

const watchesOf = async (page: Page, hostId: string) =>
  ((await (await page.request.get(`/api/v1/hosts/${hostId}/watches`)).json()) as { watches: Watch[] }).watches;

/** Ends the watch that a journey which failed may have left to a host. */
async function unwatched(page: Page, hostId: string): Promise<void> {
  for (const { id, state } of await watchesOf(page, hostId))
    if (state !== "ended") await page.request.post(`/api/v1/watches/${id}/stop`, { headers: { "X-Plumbline": "1" } });
}

/** The share of segments that were sent again, in percent, in the newest readings of a host's watch. */
async function retransmitsOf(page: Page, watchId: number): Promise<number | null> {
  const charts = (await (await page.request.get(`/api/v1/watches/${watchId}/charts`)).json()) as {
    series: { name: string; statistics: { latest: number | null } }[];
  };
  return charts.series.find((line) => line.name === "tcp_retransmit_percent")?.statistics.latest ?? null;
}

test("a watch shows what flow control does: packets are sent again without it, and the fix ends that", async ({ as }) => {
  test.setTimeout(300_000);
  const [page, approver] = [await as("operator"), await as("approver")];
  const name = "esx-b10";
  const hostId = await hostNamed(page, name);
  await idle(page, hostId);
  await unwatched(page, hostId);
  const lost = () => failing(page, hostId, "esxi55.flow_control");
  const setAll = async (host: string, value: string) => {
    for (const adapter of ["vmnic2", "vmnic3"]) await setOnHost(host, `${adapter}.flow_control`, value);
  };
  // A host with the same fault that no job will touch: what gets better there was not the fix.
  const untreated = "esx-t01";
  const untreatedId = await hostNamed(page, untreated);
  await idle(page, untreatedId);
  await unwatched(page, untreatedId);
  await setAll(name, "rx_tx");
  await readUntil(page, hostId, async () => (await lost()).length === 0);

  await page.goto(`/hosts/${hostId}?tab=performance`);
  const watch = page.getByRole("region", { name: "Watch", exact: true });
  await watch.getByRole("button", { name: "Watch counters…" }).click();
  const dialog = page.getByRole("dialog", { name: `Watch counters of ${name}` });
  await dialog.getByRole("combobox", { name: "Duration" }).click();
  await page.getByRole("option", { name: "15 minutes" }).click();
  await dialog.getByRole("button", { name: "Start watch" }).click();
  await expect(watch.getByText("Watching")).toBeVisible({ timeout: 30_000 });
  const watchId = (await watchesOf(page, hostId))[0]?.id ?? 0;
  const latest = () => retransmitsOf(page, watchId);
  await expect.poll(latest, { timeout: 30_000 }).not.toBeNull();
  expect(await latest()).toBeLessThan(0.01);

  // The symptom within seconds, in the figures on the page too; the limit is the paper's 0.11 %.
  for (const each of [name, untreated]) await setAll(each, "off");
  const beside = (
    await page.request.post(`/api/v1/hosts/${untreatedId}/watches`, { headers: { "X-Plumbline": "1" }, data: { minutes: 15 } })
  ).json() as Promise<Watch>;
  const besideId = (await beside).id;
  const latestUntreated = () => retransmitsOf(page, besideId);
  await expect.poll(latest, { timeout: 40_000 }).toBeGreaterThan(0.11);
  await expect.poll(latestUntreated, { timeout: 40_000 }).toBeGreaterThan(0.11);
  const figures = watch.getByRole("row", { name: /TCP retransmits/ });
  await expect(figures.getByRole("cell").nth(3)).toHaveText(/^0\.[1-9]\d*%$/, { timeout: 15_000 });

  // The cause, its fix by a job that a second person approved, and the end of the symptom.
  await readUntil(page, hostId, async () => (await lost()).length === 2);
  const job = await approvedJob(page, approver, await planned(page, hostId, await lost(), "flow control is off"));
  await page.goto(`/jobs/${job}`);
  await expect(page.getByRole("region", { name: "Watch", exact: true }).getByText("Watching")).toBeVisible();
  await expect(page.getByRole("region", { name: "Now" })).toContainText("Verified: a check-in after the last step shows the result", {
    timeout: 120_000,
  });
  // A step may have a long sentence about what lasts only until the next restart.
  await expect(page.getByRole("region", { name: "Steps" })).toContainText("Lasts until the next restart");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `at ${width} px`).toBe(0);
  }
  await expect.poll(latest, { timeout: 60_000 }).toBeLessThan(0.01);
  expect(await latestUntreated()).toBeGreaterThan(0.11);
  await setAll(untreated, "rx_tx");
  await unwatched(page, untreatedId);
  await page.getByRole("region", { name: "Watch", exact: true }).getByRole("button", { name: "Stop watch" }).click();
  await expect(page.getByText("Stopped by operator.")).toBeVisible();
});
