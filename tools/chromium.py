"""Finds a Chromium for the browser tests; as root on Debian it installs one. Prints where it is, or what to do.

Chromium's headless shell comes first: it draws the same pages without the windows, toolbars and services of a desktop browser, which take a
third of the processor time of a test.
"""

import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """Path of a Chromium, from CHROMIUM or PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for name in (SHELL, *BROWSERS) if (path := shutil.which(name))), None)


def main() -> int:
    if os.environ.get("CHROMIUM") or shutil.which(SHELL):
        return 0
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests ...", flush=True)
        # Where the shell can't be had, a whole browser does.
        problem = _install(SHELL)
        if problem and not find():
            problem = _install("chromium")
        if not find():
            print(problem)
            return 1
    if find():
        return 0
    print("The browser tests need Chromium: install it, or set CHROMIUM to its path.")
    return 1


def _install(package: str) -> str:
    """Installs a package of Debian; answers why it could not be, or nothing."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", package]):
        words = ["apt-get", "-qq", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30", *command]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr[-2000:]
    return ""


if __name__ == "__main__":
    sys.exit(main())
