import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PLUMBLINE = fileURLToPath(new URL("../../.venv/bin/plumbline", import.meta.url));

/** Tells the running lab to do something to one of its hosts, as `plumbline lab` does for a person. */
export function lab(...words: string[]): void {
  const home = process.env.PLUMBLINE_HOME_FOLDER;
  if (!home) throw new Error("PLUMBLINE_HOME_FOLDER names no folder of a stack with a lab.");
  execFileSync(PLUMBLINE, ["lab", ...words, "--home", home], { encoding: "utf8", timeout: 60_000 });
}
