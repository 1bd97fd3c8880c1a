import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { checkIn, setOnHost } from "../hosts/lab";
import { faults } from "../pages/axe";
import { hostNamed } from "../pages/changes";
import { settled } from "../pages/fleet";
import { expect, test } from "../session";

// From a ticket system that an admin adds, over its wire, to the number on the event and on the on-call card.
test.describe.configure({ mode: "serial", timeout: 240_000 });
test.use({ actionTimeout: 30_000 });

const got: { short_description: string; description: string; correlation_id: string }[] = [];
// The system and its numbers are those of this attempt.
const SYSTEM = `Service desk ${Date.now()}`;
const numberOf = (sent: number) => `INC${SYSTEM.slice(-6)}${sent}`;
let desk: Server;

test.beforeAll(async () => {
  // Answers as ServiceNow's Table API does.
  desk = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      got.push(JSON.parse(body));
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ result: { number: numberOf(got.length), sys_id: "9c" } }));
    });
  });
  await new Promise<void>((up) => void desk.listen(0, "127.0.0.1", up));
  await setOnHost("sql-04", "SAN*.flow_control", "off");
  await checkIn("sql-04");
});

test.afterAll(() => void desk.close());

test("an admin adds a ticket system; what its link still needs is said", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/admin?tab=notices");
  await page.getByRole("button", { name: "Add channel" }).click();
  const form = page.getByRole("dialog", { name: "Add channel" });
  await form.getByText("Ticket system", { exact: true }).click();
  await form.getByLabel("Name", { exact: true }).fill(SYSTEM);
  await form.getByRole("textbox", { name: "Address" }).fill(`http://127.0.0.1:${(desk.address() as AddressInfo).port}/api/now/table/incident`);
  await form.getByLabel("User name").fill("plumbline");
  await form.getByRole("textbox", { name: "Password or token" }).fill("s3cret-w0rd");
  await form.getByRole("button", { name: "Add channel" }).click();
  await expect(form.getByText("Put your own name in place of <…>")).toBeVisible();
  await form.getByLabel("Link to a ticket (optional)").fill("https://desk.example.com/incident/{{number}}");
  expect(await faults(page)).toEqual([]);
  await form.getByRole("button", { name: "Add channel" }).click();
  const channel = page.getByRole("listitem", { name: `Ticket system ${SYSTEM}` });
  await expect(channel).toContainText("Gets the tickets that operators create");
  await channel.getByRole("button", { name: `Edit channel ${SYSTEM}` }).click();
  await expect(page.getByRole("dialog").getByLabel("Ticket number in the response")).toHaveValue("result.number");
  expect(await page.content()).not.toContain("s3cret");
});

test("an operator sends a ticket about a change, and its number stands on the event", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/drift?hours=24");
  await settled(page);
  // The newest one. A host that another journey changed in the same minute is in the same event, which then names no host in the list.
  const row = page.getByRole("row", { name: /Flow control/ }).first();
  await row.getByRole("button", { name: /^View Flow control/ }).click();
  const event = page.getByRole("region", { name: "Event: Flow control" });
  await event.getByRole("button", { name: "Create ticket…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create ticket" });
  await dialog.getByLabel("Ticket system").click();
  await page.getByRole("option", { name: SYSTEM }).click();
  await expect(dialog.getByLabel("Description")).toHaveValue(/sql-04: Flow control of SAN1: .*→ off/);
  await dialog.getByLabel("Title").fill("Flow control is off on sql-04");
  expect(await faults(page)).toEqual([]);
  expect(got, "nothing is sent before the button").toHaveLength(0);
  await dialog.getByRole("button", { name: "Create ticket" }).click();
  const ticket = event.getByRole("list", { name: "Tickets" }).getByRole("link", { name: `Ticket ${numberOf(1)}` });
  await expect(ticket).toHaveAttribute("href", `https://desk.example.com/incident/${numberOf(1)}`, { timeout: 60_000 });
  expect(got[0]?.short_description).toBe("Flow control is off on sql-04");
  expect(got[0]?.description).toMatch(/\/drift\?event=\d+$/);
  // The link of the ticket leads back to the event, for whoever may only read.
  const reader = await as("viewer");
  await reader.goto(new URL(got[0]?.description.split("\n").at(-1) ?? "").pathname + new URL(got[0]?.description.split("\n").at(-1) ?? "").search);
  const numbers = reader.getByRole("link", { name: `Ticket ${numberOf(1)}` });
  await expect(reader.getByRole("region", { name: "Event: Flow control" }).locator(numbers)).toBeVisible();
  await expect(reader.getByRole("row", { name: /Flow control/ }).first().locator(numbers)).toBeVisible();
  await expect(reader.getByRole("button", { name: "Create ticket…" })).toHaveCount(0);
  // A plan for the event belongs to the ticket.
  await event.getByRole("button", { name: /^Plan fix/ }).click();
  await expect(page).toHaveURL(/\/remediate\/\d+$/);
  // The address changes before the page does, and the page that is left names the ticket too.
  await expect(page.getByRole("heading", { name: /^Plan \d+$/ })).toBeVisible();
  await expect(page.getByText(`Ticket ${numberOf(1)}`)).toBeVisible();
});

test("a problem at night: three taps to a ticket, on a phone", async ({ as }) => {
  const page = await as("operator");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/on-call");
  await settled(page);
  const card = page.getByRole("article", { name: "Path down on esx-b07" });
  if ((await card.getByRole("button", { expanded: true }).count()) === 0) await card.getByRole("button").first().click();
  await card.getByRole("button", { name: "Create ticket…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create ticket" });
  await dialog.getByLabel("Ticket system").click();
  await page.getByRole("option", { name: SYSTEM }).click();
  await expect(dialog.getByLabel("Title")).toHaveValue(/^esx-b07: Path down: /);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await dialog.getByRole("button", { name: "Create ticket" }).click();
  await expect(card.getByRole("link", { name: `Ticket ${numberOf(2)}` })).toBeVisible({ timeout: 60_000 });
});

test("a ticket about two hosts from the list, and its number on the page of each", async ({ as }) => {
  const page = await as("operator");
  await page.goto("/hosts?q=sql-0");
  await settled(page);
  for (const name of ["sql-05", "sql-06"]) await page.getByRole("checkbox", { name: new RegExp(`Select ${name}`) }).check();
  await page.getByRole("region", { name: "Selected hosts" }).getByRole("button", { name: "Create ticket…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create ticket" });
  await dialog.getByLabel("Ticket system").click();
  await page.getByRole("option", { name: SYSTEM }).click();
  await expect(dialog.getByLabel("Title")).toHaveValue(/failing on 2 hosts$/);
  await expect(dialog.getByLabel("Description")).toHaveValue(/^sql-05: .*\nsql-06: /);
  await dialog.getByRole("button", { name: "Create ticket" }).click();
  await expect(dialog).toHaveCount(0);
  const host = await as("viewer");
  await host.goto(`/hosts/${await hostNamed(host, "sql-06")}`);
  const tickets = host.getByRole("region", { name: "Tickets about this host" });
  await expect(async () => {
    await host.reload();
    await expect(tickets.getByRole("link", { name: `Ticket ${numberOf(3)}` })).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  // From the menu of a host, too.
  await page.goto(`/hosts/${await hostNamed(page, "sql-05")}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Create ticket…" }).click();
  await expect(page.getByRole("dialog", { name: "Create ticket about sql-05" }).getByLabel("Title")).toHaveValue(/failing on sql-05$/);
});

test("without a ticket system the dialog says who adds one", async ({ as }) => {
  const admin = await as("admin");
  await admin.goto("/admin?tab=notices");
  // Those of earlier attempts too.
  const systems = admin.getByRole("listitem", { name: /^Ticket system Service desk/ });
  await expect(systems.first()).toBeVisible();
  for (let left = await systems.count(); left > 0; left--) {
    await systems.first().getByRole("button", { name: /^Delete / }).click();
    await admin.getByRole("dialog").getByRole("button", { name: "Delete channel" }).click();
    await expect(systems).toHaveCount(left - 1);
  }
  const page = await as("operator");
  await page.goto("/on-call");
  await settled(page);
  const card = page.getByRole("article", { name: "Path down on esx-b07" });
  if ((await card.getByRole("button", { expanded: true }).count()) === 0) await card.getByRole("button").first().click();
  // The ticket that was sent stays on the card.
  await expect(card.getByRole("link", { name: `Ticket ${numberOf(2)}` })).toBeVisible();
  await card.getByRole("button", { name: "Create ticket…" }).click();
  await expect(page.getByRole("dialog")).toContainText("No ticket system for these hosts");
});
