"""Finds the vSphere simulator of the vCenter tests, or builds it where Go is: `python tools/vcsim.py`. It is tests' only; nothing ships it.

The program is `tools/vcsim/main.go` on govmomi's simulator, built into `tools/vcsim/bin/`: about a minute the first time.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "vcsim"
BUILT = SOURCE / "bin" / "plumbline-vcsim"
# Modules may have to be downloaded; without a network this must fail soon.
LIMIT_SECONDS = 300


def find() -> Path | None:
    """The simulator: named by PLUMBLINE_VCSIM, on PATH, or built here from the present source."""
    named = os.environ.get("PLUMBLINE_VCSIM") or shutil.which(BUILT.name)
    if named:
        return Path(named)
    newest = max(file.stat().st_mtime for file in (SOURCE / "main.go", SOURCE / "go.mod"))
    return BUILT if BUILT.exists() and BUILT.stat().st_mtime >= newest else None


def main() -> int:
    """Builds it where that is possible; says why where it is not, which fails nothing."""
    if find():
        return 0
    go = shutil.which("go")
    if go is None:
        print("Go is not on PATH: the vSphere simulator is not built, and the tests that need it are skipped.")
        return 0
    print("Building the vSphere simulator of the vCenter tests ...", flush=True)
    command = [go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(BUILT), "."]
    try:
        done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=False, timeout=LIMIT_SECONDS)
        fault = done.stderr.strip()[-500:] if done.returncode != 0 else ""
    except subprocess.TimeoutExpired:
        fault = f"not built within {LIMIT_SECONDS} s"
    if fault:
        print(f"It could not be built, and the tests that need it are skipped: {fault}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
