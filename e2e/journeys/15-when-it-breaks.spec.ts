import { effects, isStartedAgain, processOf, setOnHost } from "../hosts/lab";
import { approvedJob, failing, hostNamed, idle, planned, readJob, readUntil, stopEverything } from "../pages/changes";
import { expect, test } from "../session";

// What may go wrong between an approval and its end, on hosts of the lab whose own book is the judge.
test.describe.configure({ timeout: 240_000 });
test.use({ actionTimeout: 30_000 });

test("a host that was changed by hand between approval and run is skipped, and nothing is sent to it", async ({ as }) => {
  const [page, approver] = [await as("operator"), await as("approver")];
  const hostId = await hostNamed(page, "esx-t01");
  await idle(page, hostId);
  await setOnHost("esx-t01", "initiator.login_timeout_seconds", "5");
  await readUntil(page, hostId, async () => (await failing(page, hostId, "esxi55.login_timeout")).length === 1);
  const findings = await failing(page, hostId, "esxi55.login_timeout");
  const plan = await planned(page, hostId, findings, "sessions are lost too early");
  const before = (await effects("esx-t01")).length;
  await stopEverything(page, true, "Somebody is at the hosts.");
  let job = 0;
  try {
    job = await approvedJob(page, approver, plan);
    await setOnHost("esx-t01", "initiator.login_timeout_seconds", "30");
  } finally {
    await stopEverything(page, false, "They are gone.");
  }
  try {
    await page.goto(`/remediate/${plan}`);
    await expect(page.getByRole("region", { name: "Jobs" })).toContainText("host changed since approval", { timeout: 90_000 });
    await page.getByRole("region", { name: "Jobs" }).getByRole("link", { name: new RegExp(`^Job ${job}`) }).click();
    await expect(page.getByRole("region", { name: "Now" })).toContainText("is 30");
    await expect(page.getByRole("region", { name: "Next steps" })).toContainText("Create a new plan");
    expect(await effects("esx-t01")).toHaveLength(before);
  } finally {
    await setOnHost("esx-t01", "initiator.login_timeout_seconds", "5");
  }
});

test("the worker is killed in mid-change: the host takes the change back by itself, and the pages say so", async ({ as }) => {
  const [page, approver] = [await as("operator"), await as("approver")];
  const hostId = await hostNamed(page, "esx-b10");
  await idle(page, hostId);
  const lost = async () => (await failing(page, hostId, "esxi55.flow_control")).filter((one) => one.subject.label === "vmnic2");
  await setOnHost("esx-b10", "vmnic2.flow_control", "off");
  await readUntil(page, hostId, async () => (await lost()).length === 1);
  const plan = await planned(page, hostId, await lost(), "pause frames are wanted under congestion", { deadman_s: 30 });
  const before = (await effects("esx-b10")).length;
  const job = await approvedJob(page, approver, plan);
  await page.goto(`/jobs/${job}`);

  // The value was set a moment ago, and the host waits to hear that all is well with it.
  await expect.poll(async () => (await effects("esx-b10")).length, { timeout: 90_000, intervals: [20] }).toBe(before + 1);
  const worker = processOf("executor");
  process.kill(worker, "SIGKILL");
  // The supervisor starts another one at once; one that hangs at its start helps nobody, so the host is left alone.
  await expect.poll(() => isStartedAgain("executor", worker), { timeout: 60_000, intervals: [20] }).toBe(true);
  const next = processOf("executor");
  process.kill(next, "SIGSTOP");
  try {
    await expect(page.getByText("no worker assigned")).toBeVisible({ timeout: 60_000 });
    await expect.poll(async () => (await effects("esx-b10")).length, { timeout: 90_000, intervals: [500] }).toBe(before + 2);
  } finally {
    process.kill(next, "SIGCONT");
  }
  const [set, back] = (await effects("esx-b10")).slice(before);
  expect([back?.reverting, back?.setting, back?.old, back?.new]).toEqual([true, set?.setting, set?.new, set?.old]);

  // The worker that comes back asks the host, and tells what it found; it sends nothing.
  await expect(page.getByRole("region", { name: "Now" })).toContainText("Rolled back", { timeout: 90_000 });
  expect((await readJob(page, job)).state).toBe("ROLLED_BACK");
  expect(await effects("esx-b10")).toHaveLength(before + 2);
  await page.goto("/on-call");
  await expect(page.getByRole("article", { name: "Job failed on esx-b10" })).toContainText("rolled back");
});
