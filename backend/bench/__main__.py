"""`make bench`: every measurement in turn. Each writes its figures, with the command, into its page of `docs/measured/`; those of the web
interface's pages lie beside the page that people wrote, in `pages.new.md`."""

import subprocess
import sys

PARTS: dict[str, list[str]] = {
    "check-ins": ["bench.checkin", "--write"],
    "sizes": ["bench.sizes", "--write"],
    "counters": ["bench.counters", "--write"],
    "rules": ["bench.rules", "--write"],
    "jobs": ["bench.jobs", "--write"],
    "pages": ["bench.pages", "--write"],
}


def main() -> int:
    """Runs the parts named on the command line, or all; the exit code is the worst of theirs."""
    wanted = sys.argv[1:] or list(PARTS)
    worst = 0
    for name in wanted:
        if name not in PARTS:
            print(f"no measurement called {name}: choose from {', '.join(PARTS)}")
            return 2
        print(f"== {name}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", *PARTS[name]], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
