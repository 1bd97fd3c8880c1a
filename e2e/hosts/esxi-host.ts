import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The Python of the installation under test. */
export const PYTHON = `${ROOT}.venv/bin/python`;

/** An ESXi host of the lab that runs the real agent file, outside the demo: a journey enrols it as a person would. */
export class EsxiHost {
  constructor(
    private readonly folder: string,
    readonly name: string,
  ) {}

  /** Runs the command that the page shows, and answers what the agent said. */
  enrol(url: string, token: string): string {
    return this.run("enrol", url, token);
  }

  /** Collects and sends once. */
  checkIn(): string {
    return this.run("check-in");
  }

  private run(...words: string[]): string {
    return execFileSync(PYTHON, [`${ROOT}e2e/hosts/esxi_host.py`, this.folder, this.name, ...words], { encoding: "utf8", timeout: 150_000 });
  }
}
