import { execFileSync } from "node:child_process";
import { PYTHON } from "./esxi-host";
import { home } from "./lab";

const PAUSE = `
import sys
from pathlib import Path
from plumbline.ops.backup import pause
from plumbline.ops.running import owner_url

pause(owner_url(Path(sys.argv[1])), words=sys.argv[2])
`;

/** Leaves the stack as \`plumbline restore\` leaves it, by the same function: claims above every host's fence, and everything stopped. */
export function standStillAsAfterRestore(words: string): void {
  execFileSync(PYTHON, ["-c", PAUSE, home(), words], { timeout: 120_000 });
}
