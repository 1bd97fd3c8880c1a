import type { Page } from "@playwright/test";
import { effects, setOnHost } from "../hosts/lab";
import { faults } from "../pages/axe";
import { failing, hostNamed, idle, pathCounts, readUntil } from "../pages/changes";
import { settled } from "../pages/fleet";
import { expect, loginOf, test } from "../session";

// The on-call's way at night, on a phone: an approver signed beforehand what may run at once.
test.describe.configure({ timeout: 240_000 });
test.use({ actionTimeout: 30_000 });

const HOST = "esx-b10";
const NAME = `Reversible SAN settings ${Date.now()}`;
const HELD_MS = 2400;
const PHONE = { width: 390, height: 844 };

/** Presses on a page, counted by the page itself: taps and holds alike. */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counting = window as unknown as { taps?: number };
    const isNew = counting.taps === undefined;
    counting.taps = 0;
    if (!isNew) return;
    document.addEventListener(
      "pointerdown",
      (event) => {
        if (event.isTrusted) counting.taps = (counting.taps ?? 0) + 1;
      },
      { capture: true },
    );
  });
  return () => page.evaluate(() => (window as unknown as { taps: number }).taps);
}

/** Signs on the page of brakes what operators may run at once; a wrong password is told and keeps what was filled in. */
async function sign(page: Page): Promise<void> {
  await page.goto("/remediate");
  await page.getByRole("link", { name: /^Safety/ }).click();
  await page.getByRole("button", { name: "New standing approval…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(NAME);
  await dialog.getByLabel("Groups (including subgroups)").click();
  await page.getByRole("option", { name: "All hosts", exact: true }).click();
  await page.keyboard.press("Escape");
  await dialog.getByLabel("Rules whose fixes are allowed").fill("Flow control on ESXi");
  await page.getByRole("option", { name: /^Flow control on ESXi/ }).click();
  await page.keyboard.press("Escape");
  await dialog.getByLabel("Maximum disruption").click();
  await page.getByRole("option", { name: "Path loss" }).click();
  const password = dialog.getByRole("textbox", { name: "Password" });
  await password.fill("not the password");
  await dialog.getByRole("button", { name: "Sign standing approval" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong password");
  await password.fill(loginOf("approver").password);
  await dialog.getByRole("button", { name: "Sign standing approval" }).click();
  await expect(page.getByRole("article", { name: `Standing approval ${NAME}` })).toContainText("You signed this, so you can't use it.");
}

test("a fix under a standing approval: three taps to start it, verified by a check-in, one hold to undo it", async ({ as }) => {
  const approver = await as("approver");
  await sign(approver);
  const page = await as("operator");
  const hostId = await hostNamed(page, HOST);
  await idle(page, hostId);
  // It held, and is lost tonight.
  const isLost = async () => (await failing(page, hostId, "esxi55.flow_control")).length;
  for (const value of ["rx_tx", "off"]) {
    for (const adapter of ["vmnic2", "vmnic3"]) await setOnHost(HOST, `${adapter}.flow_control`, value);
    await readUntil(page, hostId, async () => (await isLost()) === (value === "off" ? 2 : 0));
  }
  const before = (await effects(HOST)).length;

  await page.setViewportSize(PHONE);
  await page.goto("/on-call");
  await settled(page);
  const taps = await countTaps(page);
  const card = page.getByRole("article", { name: `New failure on ${HOST}` });
  await card.getByRole("button").first().click();
  await expect(card).toContainText("vmnic2 flow control");
  await expect(card).toContainText(`Can run now under standing approval “${NAME}”`);
  await card.getByRole("button", { name: /^Show fix: Flow control/ }).click();
  const hand = page.getByRole("region", { name: "Current fix" });
  await expect(hand).toContainText("2 adapters, one at a time; 4 → 2 paths", { timeout: 60_000 });
  await hand.getByRole("button", { name: "Hold for 2 s to start" }).click({ delay: HELD_MS });
  await expect(hand.getByRole("region", { name: "Now" })).toBeVisible();
  expect(await taps(), "taps from the open page to a started fix").toBeLessThanOrEqual(3);

  const now = hand.getByRole("region", { name: "Now" });
  await expect(now).toContainText("Verified: a check-in after the last step shows the result", { timeout: 120_000 });
  await expect(now).toContainText("verified by check-in 1/");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  const job = Number((await hand.getByRole("link", { name: /^View job/ }).getAttribute("href"))?.split("/").pop());

  // Two adapters, one after the other: the host's own book and its own counts say so.
  const written = (await effects(HOST)).slice(before);
  expect(written.map((one) => one.setting.split("/")[1])).toEqual([...new Set(written.map((one) => one.setting.split("/")[1]))]);
  expect(written).toHaveLength(2);
  const counts = await pathCounts(page, job);
  expect(Math.min(...counts), "the floor").toBeGreaterThanOrEqual(1);
  expect(Math.max(...counts)).toBe(4);
  const dips = counts.filter((count, at) => count < 4 && (at === 0 || counts[at - 1] === 4)).length;
  expect(dips, "times that paths were away, each followed by all of them being back").toBeLessThanOrEqual(2);
  expect(counts.at(-1)).toBe(4);
  await expect(hand.getByRole("region", { name: "Paths" }).getByRole("figure")).toBeVisible();

  const again = await countTaps(page);
  await hand.getByRole("button", { name: "Hold for 2 s to undo" }).click({ delay: HELD_MS });
  await expect(now).toContainText("Undone", { timeout: 120_000 });
  expect(await again(), "taps to undo it").toBe(1);
  const undone = (await effects(HOST)).slice(before + 2);
  expect(undone.map((one) => [one.setting, one.old, one.new])).toEqual([...written].reverse().map((one) => [one.setting, one.new, one.old]));

  // Reloading loses nothing: the fix in hand stands in the address.
  await page.reload();
  await expect(hand.getByRole("region", { name: "Now" })).toContainText("Undone");
  await expect(page.getByRole("button", { name: `Undo job ${job} on ${HOST}` }), "it is undone already").toHaveCount(0);

  // Fixed again; and whoever comes back later, or is somebody else, finds it on the page: a tap and a hold.
  await page.goto("/on-call");
  await settled(page);
  if ((await card.getByRole("button", { expanded: true }).count()) === 0) await card.getByRole("button").first().click();
  await card.getByRole("button", { name: /^Show fix: Flow control/ }).click();
  await hand.getByRole("button", { name: "Hold for 2 s to start" }).click({ delay: HELD_MS, timeout: 60_000 });
  await expect(now).toContainText("Verified: a check-in after the last step shows the result", { timeout: 120_000 });
  const second = Number((await hand.getByRole("link", { name: /^View job/ }).getAttribute("href"))?.split("/").pop());
  const reader = await as("viewer");
  await reader.goto("/on-call");
  await expect(reader.getByRole("button", { name: `View job ${second} on ${HOST}` })).toBeVisible();
  await expect(reader.getByRole("button", { name: /^Undo job/ })).toHaveCount(0);
  await page.goto("/on-call");
  await settled(page);
  const later = await countTaps(page);
  await page.getByRole("region", { name: "Recent changes" }).getByRole("button", { name: `Undo job ${second} on ${HOST}` }).click();
  const change = page.getByRole("region", { name: "Chosen change" });
  await change.getByRole("button", { name: "Hold for 2 s to undo" }).click({ delay: HELD_MS });
  await expect(change.getByRole("region", { name: "Now" })).toContainText("Undone", { timeout: 120_000 });
  expect(await later(), "taps to undo it from the list").toBe(2);
  await expect(page.getByRole("button", { name: `Undo job ${second} on ${HOST}` })).toHaveCount(0, { timeout: 30_000 });

  // Withdrawn, it lets nothing begin any more.
  await approver.getByRole("button", { name: `Withdraw ${NAME}` }).click();
  await approver.getByRole("dialog").getByLabel(/^Reason/).fill("The switch was replaced.");
  await approver.getByRole("dialog").getByRole("button", { name: `Withdraw ${NAME}` }).click();
  await expect(approver.getByRole("article", { name: `Standing approval ${NAME}` })).toHaveCount(0);
  await page.goto("/on-call");
  await settled(page);
  await card.getByRole("button").first().click();
  await expect(card.getByRole("button", { name: /^Show fix/ })).toBeVisible();
  await expect(card).not.toContainText(NAME);
});

test("a problem is taken on, put off with a reason, and woken; whoever may only read sees who did", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/on-call");
  await settled(page);
  const card = page.getByRole("article", { name: "Path down on esx-b07" });
  await expect(card).toContainText("ds-erp: 2 of 4 paths up");
  // A lost path is the most urgent here, so its card is open already; its own address opens it for others too.
  await expect(page.getByRole("article").first()).toHaveAccessibleName("Path down on esx-b07");
  await page.goto(`/on-call?problem=paths-${await hostNamed(page, "esx-b07")}`);
  await expect(card).toContainText("ds-erp: 2 of 4 paths up");
  await card.getByRole("button", { name: "Acknowledge" }).click();
  await expect(card).toContainText("Owner: operator");
  const reader = await as("viewer");
  await reader.goto(new URL(page.url()).pathname + new URL(page.url()).search);
  const seen = reader.getByRole("article", { name: "Path down on esx-b07" });
  await expect(seen).toContainText("operator, until");
  await expect(seen.getByRole("button", { name: /Acknowledge|Snooze|Take over|Unacknowledge|Show fix/ })).toHaveCount(0);

  await card.getByRole("button", { name: "Snooze…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Snooze", exact: true })).toBeDisabled();
  await dialog.getByLabel(/^Reason/).fill("The cable comes at nine.");
  await dialog.getByRole("button", { name: "Snooze", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card).toHaveCount(0);
  await page.getByRole("switch", { name: /^Show snoozed/ }).click();
  await expect(card).toContainText("The cable comes at nine.");
  await card.getByRole("button", { name: "Unsnooze" }).click();
  await expect(card).toContainText("OwnerUnassigned");
});

test("the page of what wants a person is free of faults that axe finds, in light and dark, and fits a phone", async ({ as }) => {
  const page = await as("operator");
  await page.setViewportSize(PHONE);
  await page.goto("/on-call");
  await settled(page);
  await expect(page.getByRole("article").first().getByRole("button", { expanded: true })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faults(page, colorScheme === "light" ? "all" : "colours"), colorScheme).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  // A link to a problem that is over says so, and the rest stands.
  await page.goto(`/on-call?problem=silent-${"0".repeat(32)}&plan=nonsense`);
  await expect(page.getByText("This problem is resolved.")).toBeVisible();
});
