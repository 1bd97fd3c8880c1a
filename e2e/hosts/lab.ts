import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of state of the stack under test. */
export function home(): string {
  const folder = process.env.PLUMBLINE_HOME_FOLDER;
  if (!folder) throw new Error("PLUMBLINE_HOME_FOLDER names no folder of a stack with a lab.");
  return folder;
}

/** Knocks at the running lab's own door, the one that `plumbline lab` uses: that command starts a Python of its own each time. */
async function knock(method: "GET" | "POST", act: string, body: Record<string, string>): Promise<unknown> {
  const { port, token } = JSON.parse(readFileSync(join(home(), "run", "lab-control.json"), "utf8")) as { port: number; token: string };
  const reads = method === "GET";
  const answer = await fetch(`http://127.0.0.1:${port}/${act}${reads ? `?${new URLSearchParams(body)}` : ""}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    ...(reads ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  if (!answer.ok) throw new Error(`The lab refused ${act} on ${body.host}: ${await answer.text()}`);
  return answer.json();
}

/** Gives a part of a lab host another value, as somebody at that host would; it shows with the host's next check-in. */
export const setOnHost = (host: string, setting: string, value: string): Promise<unknown> => knock("POST", "set", { host, setting, value });

/** Lets a lab host check in now; it is stored and judged when this answers. */
export const checkIn = (host: string): Promise<unknown> => knock("POST", "check-in", { host });

/** A value that was set on a lab host: by whose act, from what, to what. */
export interface Effect {
  cause: string;
  setting: string;
  old: string;
  new: string;
  op_id: string;
  reverting: boolean;
}

/** Every value that a runner set on a lab host, oldest first: the host's own book, which the server cannot write. */
export async function effects(host: string): Promise<Effect[]> {
  const all = (await knock("GET", "journal", { host })) as (Partial<Effect> & { effect?: string })[];
  return all.filter((one) => one.effect === "set" && one.cause !== "person") as Effect[];
}

/** The number of a process of the stack under test: "executor", "beat". Only these are ever stopped or killed. */
export function processOf(name: string): number {
  return Number(readFileSync(join(home(), "run", `${name}.pid`), "utf8").trim().split(/\s/)[0]);
}

/** Whether a process of the stack is another one than this, and lives: the supervisor has started the part again. */
export function isStartedAgain(name: string, lost: number): boolean {
  const now = processOf(name);
  return now > 0 && now !== lost && existsSync(`/proc/${now}`);
}
