import { effects, setOnHost } from "../hosts/lab";
import { approvedJob, failing, hostNamed, planned, readJob, readUntil, stopEverything } from "../pages/changes";
import { expect, test } from "../session";

// What may go wrong between an approval and its end, on hosts of the lab whose own book is the judge.
test.describe.configure({ timeout: 240_000 });
test.use({ actionTimeout: 30_000 });

test("a host that was changed by hand between approval and run is skipped, and nothing is sent to it", async ({ as }) => {
  const [page, approver] = [await as("operator"), await as("approver")];
  const hostId = await hostNamed(page, "esx-t01");
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
    await expect(page.getByRole("region", { name: "Jobs" })).toContainText("facts changed since approval", { timeout: 90_000 });
    await page.getByRole("region", { name: "Jobs" }).getByRole("link", { name: new RegExp(`^Job ${job}`) }).click();
    await expect(page.getByRole("region", { name: "Now" })).toContainText("reads 30");
    await expect(page.getByRole("region", { name: "What to do next" })).toContainText("Plan again on the facts of now");
    expect(await effects("esx-t01")).toHaveLength(before);
  } finally {
    await setOnHost("esx-t01", "initiator.login_timeout_seconds", "5");
  }
});
