import { checkIn, setOnHost } from "../hosts/lab";
import { faults } from "../pages/axe";
import { hostNamed } from "../pages/changes";
import { settled } from "../pages/fleet";
import { expect, test } from "../session";

// Plans are made by a worker in the background, and two people sign in: on a busy machine that takes its time.
test.describe.configure({ mode: "serial", timeout: 300_000 });

test.beforeAll(async () => {
  // A driver update that turns flow control off, and a setting that no rule asks for, changed by hand.
  await setOnHost("sql-03", "SAN*.driver_version", "7.8.1.0");
  await setOnHost("sql-03", "SAN*.flow_control", "off");
  await checkIn("sql-03");
  await setOnHost("sql-03", "SAN*.lso_ipv6", "disabled");
  await checkIn("sql-03");
});

test("the Monday drift review: from the overview to a requested fix in at most four clicks", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/");
  await settled(page);
  await page.evaluate(() => {
    (window as unknown as { clicks: number }).clicks = 0;
    document.addEventListener("click", (event) => {
      if (event.isTrusted) (window as unknown as { clicks: number }).clicks += 1;
    }, { capture: true });
  });
  const row = page.getByRole("region", { name: "Worse" }).getByRole("row", { name: /Flow control.*Driver update/ });
  // Others may be there: what jobs did, or a past of the lab.
  await expect(row).toHaveCount(1);
  await row.getByRole("link", { name: /^View Flow control/ }).click();
  await expect(page).toHaveURL(/\/drift\?.*event=\d+/);
  const event = page.getByRole("region", { name: "Event: Flow control" });
  await expect(event.getByRole("list", { name: "Failing rules" })).toContainText("Flow control");
  await event.getByRole("button", { name: /^Plan fix/ }).click();
  await expect(page).toHaveURL(/\/remediate\/\d+$/);
  await page.getByRole("button", { name: "Request approval" }).click({ timeout: 90_000 });
  await expect(page.getByText("Pending approval", { exact: true }).first()).toBeVisible();
  const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks);
  expect(clicks, "clicks from the overview to a requested fix").toBeLessThanOrEqual(4);
});

test("from hosts selected in the list to what changed on them, where it can be accepted or marked", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/hosts?q=sql-0");
  await page.getByRole("checkbox", { name: /Select sql-03/ }).check();
  await page.getByRole("region", { name: "Selected hosts" }).getByRole("link", { name: "View changes" }).click();
  await expect(page).toHaveURL(/\/drift\?host=[0-9a-f]{32}$/);
  await expect(page.getByRole("paragraph").filter({ hasText: "Events on sql-03" })).toBeVisible();
  const row = page.getByRole("region", { name: "Unplanned changes" }).getByRole("row", { name: /Flow control/ }).first();
  await row.getByRole("button", { name: /^View Flow control/ }).click();
  const event = page.getByRole("region", { name: "Event: Flow control" });
  await expect(event.getByRole("button", { name: "Mark as expected…" })).toBeVisible();
  // The counters of the day around it, with the change as a mark.
  await event.getByRole("button", { name: "Show counters" }).click();
  await expect(event.getByRole("region", { name: "TCP retransmits" })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "Show all hosts" }).click();
  await expect(page).not.toHaveURL(/host=/);
});

test("several events are marked as expected at once, from hosts selected in the list, and the marks are removed", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/hosts?q=sql-0");
  await page.getByRole("checkbox", { name: /Select sql-03/ }).check();
  await page.getByRole("region", { name: "Selected hosts" }).getByRole("link", { name: "View changes" }).click();
  const unplanned = page.getByRole("region", { name: "Unplanned changes" });
  for (const name of [/^Select Flow control/, /^Select LSO.*IPv6/]) {
    await unplanned.getByRole("checkbox", { name }).first().check();
  }
  const bar = page.getByRole("region", { name: "Selected events" });
  await expect(bar).toContainText(/2 events selected.*changes on \d+ hosts?/s);
  await expect(bar.getByRole("button", { name: /^Plan fix/ })).toBeVisible();
  await expect(bar.getByRole("button", { name: /^Restore former values… \(\d+\)/ })).toBeEnabled();
  expect(await faults(page)).toEqual([]);
  await bar.getByRole("button", { name: "Mark as expected…" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Maintenance of the night");
  await page.getByRole("dialog").getByRole("button", { name: /^Mark \d+ changes/ }).click();
  const expected = page.getByRole("region", { name: "Expected changes" });
  await expect(expected.getByRole("checkbox", { name: /^Select Flow control/ }).first()).toBeChecked();
  await expect(expected.getByRole("checkbox", { name: /^Select LSO.*IPv6/ }).first()).toBeChecked();
  await bar.getByRole("button", { name: /^Remove (mark|\d marks)/ }).click();
  await expect(unplanned.getByRole("checkbox", { name: /^Select LSO.*IPv6/ }).first()).toBeChecked();
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect(bar).toHaveCount(0);
});

test("everything that the driver update changed is one row, and it is marked as expected and unmarked", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/drift?hours=24&cause=driver_update");
  await settled(page);
  const unplanned = page.getByRole("region", { name: "Unplanned changes" });
  const row = unplanned.getByRole("row", { name: /Flow control.*sql-03|Flow control.*host/ }).first();
  await expect(row).toContainText("other setting");
  await row.getByRole("button", { name: /^View Flow control/ }).click();
  const event = page.getByRole("region", { name: "Event: Flow control" });
  await event.getByRole("button", { name: "Mark as expected…" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Announced driver update");
  await page.getByRole("dialog").getByRole("button", { name: /^Mark \d/ }).click();
  const expected = page.getByRole("region", { name: "Expected changes" });
  await expect(expected.getByText("Announced driver update")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await expected.getByRole("button", { name: "Remove mark" }).click();
  await expect(page.getByRole("region", { name: "Unplanned changes" }).getByRole("row", { name: /Flow control/ }).first()).toBeVisible();
});

test("a value that no rule asks for is restored by a plan that says before what it sets", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/drift?hours=24");
  await settled(page);
  await page.getByRole("button", { name: /^View LSO.*IPv6/ }).first().click();
  const event = page.getByRole("region", { name: /^Event: LSO.*IPv6/ });
  await event.getByRole("button", { name: /^Restore former values… \(\d+\)/ }).click();
  const dialog = page.getByRole("dialog", { name: "Restore former values" });
  await expect(dialog.getByRole("listitem").first()).toContainText("sql-03");
  await dialog.getByRole("button", { name: "Create plan" }).click();
  await expect(page).toHaveURL(/\/remediate\/\d+$/);
  await expect(page.getByRole("button", { name: "Request approval" })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("main")).toContainText(/LSO/);
});

test("a host is compared with a peer, and both sides are in the address", async ({ as }) => {
  const page = await as("operator");
  const host = await hostNamed(page, "sql-03");
  await page.goto(`/hosts/${host}/compare`);
  await expect(page.getByRole("heading", { level: 1, name: /^Compare sql-03/ })).toBeVisible();
  await page.getByRole("combobox", { name: "Compare with" }).click();
  await page.getByRole("option", { name: "Best peer" }).click();
  await expect(page).toHaveURL(/with=best/);
  await expect(page.getByText(/\d+ differences?|1 difference/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Compare with" })).toHaveValue("Best peer");
  expect(await faults(page)).toEqual([]);
});
