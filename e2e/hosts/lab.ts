import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PLUMBLINE = fileURLToPath(new URL("../../.venv/bin/plumbline", import.meta.url));

/** The folder of state of the stack under test. */
export function home(): string {
  const folder = process.env.PLUMBLINE_HOME_FOLDER;
  if (!folder) throw new Error("PLUMBLINE_HOME_FOLDER names no folder of a stack with a lab.");
  return folder;
}

/** Tells the running lab to do something to one of its hosts, as `plumbline lab` does for a person; answers what it printed. */
export function lab(...words: string[]): string {
  return execFileSync(PLUMBLINE, ["lab", ...words, "--home", home()], { encoding: "utf8", timeout: 60_000 });
}

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
export function effects(host: string): Effect[] {
  const all = JSON.parse(lab("journal", host)) as (Partial<Effect> & { effect?: string })[];
  return all.filter((one) => one.effect === "set" && one.cause !== "person") as Effect[];
}

/** The number of a process of the stack under test: "hands", "beat". Only these are ever stopped or killed. */
export function processOf(name: string): number {
  return Number(readFileSync(join(home(), "run", `${name}.pid`), "utf8").trim().split(/\s/)[0]);
}
