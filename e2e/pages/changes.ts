import { expect, type Page } from "@playwright/test";
import { setOnHost } from "../hosts/lab";
import { loginOf } from "../session";

const WRITE = { "X-Plumbline": "1" };

export interface Finding {
  pack: string;
  rule: string;
  outcome: string;
  subject: { kind: string; id: string; label: string };
}

interface Job {
  id: number;
  kind: string;
  state: string;
  state_label: string;
  state_words: string;
  finished_at: string | null;
  steps: { number: number; state: string; title: string }[];
}

interface Plan {
  id: number;
  state: string;
  job_rows: Job[];
}

async function get<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(`/api/v1${path}`);
  expect(answer.ok(), `${path}: ${answer.status()}`).toBeTruthy();
  return (await answer.json()) as T;
}

async function post(page: Page, path: string, data: unknown = {}): Promise<unknown> {
  const answer = await page.request.post(`/api/v1${path}`, { headers: WRITE, data });
  expect(answer.ok(), `${path}: ${answer.status()} ${(await answer.text()).slice(0, 300)}`).toBeTruthy();
  return answer.json();
}

/** The id of a host by its name. */
export async function hostNamed(page: Page, name: string): Promise<string> {
  const { items } = await get<{ items: { id: string; name: string }[] }>(page, `/hosts?q=${name}&limit=20`);
  const host = items.find((one) => one.name === name);
  if (!host) throw new Error(`There is no host ${name}.`);
  return host.id;
}

/** Cancels what is open on a host, and waits for its end: a host has one job at a time, and a journey that failed may have left it one. */
export async function idle(page: Page, hostId: string): Promise<void> {
  const open = async () => (await get<{ items: Job[] }>(page, `/jobs?host=${hostId}&is_open=true&limit=20`)).items;
  for (const job of await open()) await page.request.post(`/api/v1/jobs/${job.id}/cancel`, { headers: WRITE, data: { reason: "another journey begins" } });
  const states = async () => (await open()).map((job) => `${job.id} ${job.state}`);
  await expect.poll(states, { message: "jobs that are open on the host", timeout: 120_000, intervals: [500] }).toEqual([]);
}

/** Reads a host now, and waits until its check-in is stored and judged. */
export async function readNow(page: Page, hostId: string): Promise<void> {
  const seen = async () => (await get<{ last_seen_at: string }>(page, `/hosts/${hostId}`)).last_seen_at;
  const before = await seen();
  await post(page, `/hosts/${hostId}/check-now`);
  await expect.poll(seen, { timeout: 60_000, intervals: [500] }).not.toBe(before);
}

/** Reads a host until what it says is so: a reading that was under way may still bring what was before. */
export async function readUntil(page: Page, hostId: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    await readNow(page, hostId);
    if (await isSo()) return;
  }
  throw new Error("The host was read three times and still says something else.");
}

/** What fails of a rule on a host. */
export async function failing(page: Page, hostId: string, rule: string): Promise<Finding[]> {
  const found = await get<Finding[] | { items: Finding[] }>(page, `/hosts/${hostId}/findings`);
  return (Array.isArray(found) ? found : found.items).filter((one) => one.rule === rule && one.outcome === "fail");
}

export interface Changeable {
  id: string;
  name: string;
  findings: Finding[];
}

const CHANGEABLE = "esx-t01";

/**
 * A host of the lab that Plumbline may change, with a finding that is put right without taking a path. Both are made so here, whatever other
 * journeys did to the host before.
 */
export async function changeable(page: Page, admin: Page): Promise<Changeable> {
  const id = await hostNamed(page, CHANGEABLE);
  const isRunnerCurrent = async () => (await get<{ is_runner_current: boolean }>(page, `/hosts/${id}/remediation`)).is_runner_current;
  if (!(await isRunnerCurrent())) {
    await admin.request.post(`/api/v1/hosts/${id}/remediation/runner`, { headers: WRITE });
    await expect.poll(isRunnerCurrent, { timeout: 60_000 }).toBe(true);
  }
  await idle(page, id);
  const lost = () => failing(page, id, "esxi55.login_timeout");
  await setOnHost(CHANGEABLE, "initiator.login_timeout_seconds", "5");
  await readUntil(page, id, async () => (await lost()).length === 1);
  return { id, name: CHANGEABLE, findings: await lost() };
}

/** A plan for these findings, planned. */
export async function planned(page: Page, hostId: string, findings: Finding[], reason: string, options: object = {}): Promise<number> {
  const { id } = (await post(page, "/plans", {
    findings: findings.map(({ pack, rule, subject }) => ({ host_id: hostId, pack, rule, subject_kind: subject.kind, subject_id: subject.id })),
    reason,
    options,
  })) as Plan;
  await expect.poll(async () => (await get<Plan>(page, `/plans/${id}`)).state, { timeout: 60_000, intervals: [300] }).toBe("PLANNED");
  return id;
}

/** Asked for by its author, signed by an approver; answers its one job. */
export async function approvedJob(page: Page, approver: Page, plan: number): Promise<number> {
  await post(page, `/plans/${plan}/submit`);
  await post(approver, `/plans/${plan}/approve`, { password: loginOf("approver").password });
  const job = (await get<Plan>(page, `/plans/${plan}`)).job_rows[0];
  if (!job) throw new Error(`Plan ${plan} has no job.`);
  return job.id;
}

export const readJob = (page: Page, id: number): Promise<Job> => get<Job>(page, `/jobs/${id}`);

/** Healthy paths of the volume that had fewest, at each reading of a job: what its host counted. */
export async function pathCounts(page: Page, id: number): Promise<number[]> {
  const { items } = await get<{ items: { data: { health?: { least_paths?: number | null } } }[] }>(page, `/jobs/${id}/events?after=0`);
  return items.flatMap(({ data }) => (typeof data.health?.least_paths === "number" ? [data.health.least_paths] : []));
}

/** Pulls or releases the switch that stops everything. */
export async function stopEverything(page: Page, is_stopped: boolean, reason: string): Promise<void> {
  const answer = await page.request.put("/api/v1/stop-switch", { headers: WRITE, data: { is_stopped, reason } });
  expect(answer.ok()).toBeTruthy();
}
