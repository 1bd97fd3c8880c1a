"""Builds what the tests of metrics, alert rules and the Grafana dashboard need, where Go is. Nothing ships it.

That is Prometheus with its `promtool`, and `tools/dashboard/main.go`, which holds the dashboard against Grafana's own types. They go into
`tools/.prometheus/`, some minutes the first time on two cores. The module of Prometheus excludes versions of others, which `go install`
refuses, so it is built in place, the server without its web interface.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / ".prometheus"
PROGRAMS = ("promtool", "prometheus")
DASHBOARD = "plumbline-dashboard"
MODULE = "github.com/prometheus/prometheus@v0.307.3"
# Without a network Go gives up long before.
LIMIT_SECONDS = 1800


def main() -> int:
    """Builds them where that is possible; says why where it is not, which fails nothing."""
    missing = [name for name in (*PROGRAMS, DASHBOARD) if not (FOLDER / name).exists()]
    if not missing:
        return 0
    go = shutil.which("go")
    if go is None:
        print(f"Go is not on PATH: {', '.join(missing)} are not built, and the tests with them are skipped.")
        return 0
    print(f"Building {', '.join(missing)} ...", flush=True)
    try:
        if DASHBOARD in missing:
            _run([go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(FOLDER / DASHBOARD), "."], FOLDER.parent / "dashboard")
        if missing == [DASHBOARD]:
            return 0
        folder = Path(json.loads(_run([go, "mod", "download", "-json", MODULE], Path.cwd()))["Dir"])
        with tempfile.TemporaryDirectory() as work:
            # The module's own folder is read-only.
            for name in ("go.mod", "go.sum"):
                (Path(work) / name).write_bytes((folder / name).read_bytes())
            flags = ["-trimpath", "-ldflags", "-s -w", f"-modfile={work}/go.mod"]
            for name in PROGRAMS:
                _run([go, "build", *flags, "-o", str(FOLDER / name), f"./cmd/{name}"], folder)
    except (subprocess.SubprocessError, OSError, ValueError, KeyError) as error:
        told = getattr(error, "stderr", None) or str(error)
        print(f"They could not be built, and the tests with them are skipped: {told.strip()[-500:]}")
    return 0


def _run(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=LIMIT_SECONDS).stdout


if __name__ == "__main__":
    sys.exit(main())
