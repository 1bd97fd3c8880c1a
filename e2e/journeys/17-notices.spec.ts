import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { faults } from "../pages/axe";
import { expect, test } from "../session";

// A channel from the form to a real receiver and back to the log; and an act whose answer was lost.
test.use({ actionTimeout: 30_000 });

const got: { headers: IncomingHttpHeaders; body: string }[] = [];
let receiver: Server;

test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      got.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((up) => void receiver.listen(0, "127.0.0.1", up));
});

test.afterAll(() => void receiver.close());

test("an admin sets a channel up, tries it, and reads what its receiver answered", async ({ as }) => {
  const page = await as("admin");
  const name = `Ticket system ${Date.now()}`;
  await page.goto("/admin?tab=notices");
  await page.getByRole("button", { name: "Add channel" }).click();
  const form = page.getByRole("dialog", { name: "Add channel" });
  await form.getByText("Webhook", { exact: true }).click();
  await form.getByLabel("Name").fill(name);
  await form.getByRole("textbox", { name: "Address" }).fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook/s3cret`);
  await form.getByRole("button", { name: "Add channel" }).click();
  const secret = (await form.getByText(/^whsec_/).textContent()) ?? "";
  await form.getByRole("button", { name: "Done" }).click();

  const channel = page.getByRole("listitem", { name: `Webhook ${name}` });
  await channel.getByRole("button", { name: `Send test to ${name}` }).click();
  await expect(channel.getByText("Responded with 204 No Content")).toBeVisible({ timeout: 60_000 });
  await expect(channel.getByText("Working")).toBeVisible();
  const sent = got.find((each) => each.body.includes(`Test notification from channel ${name}`));
  const signed = `${sent?.headers["webhook-id"]}.${sent?.headers["webhook-timestamp"]}.${sent?.body}`;
  const key = Buffer.from(secret.trim().replace("whsec_", ""), "base64");
  expect(sent?.headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);

  // A new secret: the message is signed with both, so that the receiver can change over.
  await channel.getByRole("button", { name: `Rotate secret for ${name}` }).click();
  const rotation = page.getByRole("dialog", { name: `Rotate secret for ${name}` });
  await rotation.getByRole("button", { name: "Rotate secret" }).click();
  const newer = (await rotation.getByText(/^whsec_/).textContent()) ?? "";
  expect(newer).not.toBe(secret);
  await rotation.getByRole("button", { name: "Done" }).click();
  await expect(channel.getByText(/Both secrets valid until/)).toBeVisible();
  const before = got.length;
  await channel.getByRole("button", { name: `Send test to ${name}` }).click();
  await expect.poll(() => got.length, { timeout: 60_000 }).toBe(before + 1);
  const next = got.at(-1);
  const content = `${next?.headers["webhook-id"]}.${next?.headers["webhook-timestamp"]}.${next?.body}`;
  const signedBy = (one: string) =>
    `v1,${createHmac("sha256", Buffer.from(one.trim().replace("whsec_", ""), "base64")).update(content).digest("base64")}`;
  expect(next?.headers["webhook-signature"]).toBe(`${signedBy(newer)} ${signedBy(secret)}`);

  const log = page.getByRole("region", { name: "Notification log" });
  await expect(log.getByText(`Test notification from channel ${name}`).first()).toBeVisible();
  expect(await page.content()).not.toContain("s3cret");

  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      expect(await faults(page, scheme === "light" ? "all" : "colours")).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  }
  await channel.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("button", { name: "Delete channel" }).click();
  await expect(channel).toBeHidden();
});

test("a form sent again after its answer was lost does one thing", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/hosts");
  const name = `Lost answer ${Date.now()}`;
  let isLost = false;
  await page.route("**/api/v1/views", async (route) => {
    if (route.request().method() !== "POST" || isLost) return route.continue();
    isLost = true;
    // The server does it, and what it says never arrives.
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Save view" }).click();
  const form = page.getByRole("dialog", { name: "Save view" });
  await form.getByLabel("Name").fill(name);
  await form.getByRole("button", { name: "Save view" }).click();
  await expect(form.getByText("Can't reach the server")).toBeVisible();
  await form.getByRole("button", { name: "Save view" }).click();
  await expect(form).toBeHidden();
  const views = (await (await page.request.get("/api/v1/views")).json()) as { id: number; name: string }[];
  const mine = views.filter((each) => each.name === name);
  expect(mine).toHaveLength(1);
  await page.request.delete(`/api/v1/views/${mine[0]?.id}`, { headers: { "X-Plumbline": "1" } });
});
