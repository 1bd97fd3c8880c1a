"""Runs every test: Python, web components, browser on a real stack of its own. Prints each runner's closing lines, then one sum.

The stack listens on loopback, lives in a temporary folder and is gone at the end; a process of it left behind is a failure.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
sys.path.insert(0, str(ROOT / "tools"))

import chromium  # noqa: E402

# Journeys of the second lane, which runs at the same time as the first; each lane takes about half of the time.
SECOND_LANE = (
    "12-jobs",
    "12-plan",
    "13-safety",
    "14-on-call",
    "15-when-it-breaks",
    "16-identity-provider",
    "17-notices",
    "19-assess",
    "19-proofs",
    "2-host",
    "20-evidence-and-health",
    "7-collection",
    "8-first-run",
    "9-packs",
)

# So many tests may fail at first and pass when tried once more, alone: they speak to real processes on a machine that others may share.
# Each is named at the end. More than that is a failure.
MOST_AGAIN = 3


class Sum:
    """Adds up what the runners' JUnit files say."""

    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = 0
        # Tests that failed at first and passed when tried once more, alone.
        self.again: list[str] = []

    def add(self, name: str, report: Path, code: int, *, again: Sequence[str] = ()) -> None:
        """Counts one runner; one that ended badly without a failed test counts as one failure of its own. `again` passed in the end."""
        results = outcomes(report)
        passed, failed, skipped = (list(results.values()).count(word) for word in ("passed", "failed", "skipped"))
        rescued = [name for name in again if results.get(name) == "failed"]
        passed, failed = passed + len(rescued), failed - len(rescued)
        if failed == 0 and (code != 0 or passed == 0):
            failed = 1
        retried = f", {len(again)} of them only when tried once more: {'; '.join(again)}" if again else ""
        print(f"{name}: {passed} passed, {failed} failed, {skipped} skipped{retried}", flush=True)
        self.passed, self.failed, self.skipped = self.passed + passed, self.failed + failed, self.skipped + skipped
        self.again += again


def outcomes(report: Path) -> dict[str, str]:
    """The outcome of each test in a JUnit file: passed, failed or skipped. A name that occurs twice gets a number; not so where pytest
    writes a test that failed a second time because what it had used could not be put away either."""
    results: dict[str, str] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase") if report.exists() else ():
        name = base = f"{case.get('classname')}::{case.get('name')}"
        if case.find("error") is not None and results.get(base) == "failed":
            continue
        number = 1
        while name in results:
            number += 1
            name = f"{base} ({number})"
        is_failed = case.find("failure") is not None or case.find("error") is not None
        results[name] = "skipped" if case.find("skipped") is not None else "failed" if is_failed else "passed"
    return results


def run_in_foreground(command: list[str], folder: Path, environment: dict[str, str]) -> int:
    """Runs one runner with a clock of its own; answers its exit code."""
    start = time.monotonic()
    print(f"\n$ {' '.join(command)}   (in {folder.relative_to(ROOT) or '.'})", flush=True)
    code = subprocess.run(command, cwd=folder, env=environment, check=False).returncode
    print(f"took {time.monotonic() - start:.0f} s", flush=True)
    return code


def free_port() -> int:
    """A free port; two stacks that start together must not each search for one by themselves."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Stack:
    """`plumbline up` with its lab fleet, for the browser."""

    def __init__(self, folder: Path, environment: dict[str, str], *arguments: str) -> None:
        self.home = folder / "var"
        self.log = (folder / "up.log").open("w+")
        command = [str(BIN / "plumbline"), "up", "--home", str(self.home), "--port", str(free_port()), "--past-days", "0", *arguments]
        # The identity provider of the journeys runs on this machine.
        environment = environment | {"PLUMBLINE_OUTBOUND_LOOPBACK": "true"}
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=environment, start_new_session=True)

    def wait(self, limit_seconds: float = 300) -> str:
        """The address once the stack says that it is up."""
        deadline = time.monotonic() + limit_seconds
        while time.monotonic() < deadline and self.process.poll() is None:
            match = re.search(r"Plumbline is running: (\S+)", Path(self.log.name).read_text())
            if match:
                return match[1]
            time.sleep(0.2)
        raise RuntimeError(f"the stack did not start:\n{Path(self.log.name).read_text()}\n{self.tail()}")

    def tail(self) -> str:
        log = self.home / "log" / "plumbline.log"
        return "\n".join(log.read_text(errors="replace").splitlines()[-40:]) if log.exists() else ""

    def stop(self) -> list[str]:
        """Stops it as Ctrl-C would; answers the command lines of processes left behind (there must be none)."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        deadline = time.monotonic() + 5
        while (left := self._left()) and time.monotonic() < deadline:
            time.sleep(0.2)
        return left

    def _left(self) -> list[str]:
        problems = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(self.home) in line and int(entry.name) != os.getpid():
                problems.append(f"{entry.name} {line[:160]}")
        return problems


def python(folder: Path, environment: dict[str, str], total: Sum) -> None:
    """The Python tests on four workers; up to three that failed are run once more by themselves, and reported."""
    # Two workers more than the two cores that are promised: the longest of these tests wait for processes of their own half of their time.
    spread = ["-n", "4", "--dist", "loadfile", "--no-loadscope-reorder"]
    first, second = folder / "python.xml", folder / "python-again.xml"
    command = [str(BIN / "pytest"), "-o", f"cache_dir={folder / 'cache'}", f"--basetemp={folder / 'pytest'}"]
    code = run_in_foreground([*command, *spread, f"--junitxml={first}", "tests"], ROOT / "backend", environment)
    failed = [name for name, outcome in outcomes(first).items() if outcome == "failed"]
    again = []
    if 0 < len(failed) <= MOST_AGAIN:
        code = run_in_foreground([*command, "--last-failed", f"--junitxml={second}", "tests"], ROOT / "backend", environment)
        again = [name for name in failed if outcomes(second).get(name) == "passed"]
    print(slowest(first))
    total.add("python", first, code, again=again)


def slowest(report: Path, count: int = 12) -> str:
    """The files whose tests took longest, in a line."""
    seconds: Counter[str] = Counter()
    for case in ElementTree.parse(report).getroot().iter("testcase") if report.exists() else ():
        seconds[str(case.get("classname"))] += float(case.get("time", 0))
    return "longest: " + ", ".join(f"{name.removeprefix('tests.')} {spent:.0f} s" for name, spent in seconds.most_common(count))


def web(folder: Path, environment: dict[str, str], total: Sum) -> None:
    command = ["npx", "vitest", "run", "--reporter=default", "--reporter=junit", f"--outputFile.junit={folder / 'web.xml'}"]
    total.add("web", folder / "web.xml", run_in_foreground(command, ROOT / "frontend", environment))


def journeys() -> list[list[str]]:
    """The files of the two lanes; a journey that is not listed for the second runs in the first."""
    names = sorted(path.name.removesuffix(".spec.ts") for path in (ROOT / "e2e" / "journeys").glob("*.spec.ts"))
    if gone := set(SECOND_LANE) - set(names):
        raise RuntimeError(f"SECOND_LANE in tools/test.py names journeys that are not there: {sorted(gone)}")
    return [[f"journeys/{name}.spec.ts" for name in names if (name in SECOND_LANE) == is_second] for is_second in (False, True)]


def browser(stacks: list[Stack], folder: Path, environment: dict[str, str], total: Sum) -> None:
    """The journeys in two lanes, since each waits for its host and its worker half of its time: every lane has a demo stack of its own.

    The empty stack, for the first run and enrolment, is the last; the second lane's lines are printed when both are done.
    """
    *demos, empty = [(stack.wait(), stack) for stack in stacks]
    code = re.search(r"/setup and enter code (\S+)", Path(empty[1].log.name).read_text())
    if code is None:
        raise RuntimeError("the empty stack printed no code for its first admin")
    lanes = []
    for number, ((address, stack), files) in enumerate(zip(demos, journeys(), strict=True), 1):
        lane = environment | {
            "PLUMBLINE_URL": address,
            "PLUMBLINE_LOGINS": str(stack.home / "demo-logins.json"),
            "PLUMBLINE_HOME_FOLDER": str(stack.home),
            "PLUMBLINE_EMPTY_URL": empty[0],
            "PLUMBLINE_SETUP_CODE": code[1],
            "PLUMBLINE_CHROMIUM": chromium.find() or "",
            "PLAYWRIGHT_JUNIT_OUTPUT_FILE": str(folder / f"browser{number}.xml"),
            "PLAYWRIGHT_JSON_OUTPUT_FILE": str(folder / f"browser{number}.json"),
        }
        command = ["npx", "playwright", "test", "--retries=1", "--reporter=list,junit,json", f"--output=test-results/lane{number}", *files]
        lanes.append((command, ROOT / "e2e", lane))
    first, (command, place, lane) = lanes
    with (folder / "browser2.log").open("w+") as log:
        second = subprocess.Popen(command, cwd=place, env=lane, stdout=log, stderr=subprocess.STDOUT)
        try:
            total.add("browser, first lane", folder / "browser1.xml", run_in_foreground(*first), again=flaky(folder / "browser1.json"))
            second_code = second.wait()
        finally:
            second.kill()
        log.seek(0)
        print(f"\n$ {' '.join(command)}   (at the same time as the one above)\n{log.read()}", flush=True)
    total.add("browser, second lane", folder / "browser2.xml", second_code, again=flaky(folder / "browser2.json"))


def flaky(report: Path) -> list[str]:
    """The journeys that Playwright had to try once more, by its JSON file."""
    if not report.exists():
        return []
    waiting, names = list(json.loads(report.read_text())["suites"]), []
    while waiting:
        suite = waiting.pop()
        waiting += suite.get("suites", [])
        names += [spec["title"] for spec in suite.get("specs", []) if any(test["status"] == "flaky" for test in spec["tests"])]
    return names


def run(names: list[str], folder: Path, environment: dict[str, str], total: Sum) -> None:
    """The runners named, one after the other; the stacks of the browser come up while the tests of components run."""
    if "python" in names:
        python(folder, environment, total)
    stacks: list[Stack] = []
    try:
        if "browser" in names:
            for name, arguments in (("first", []), ("second", []), ("empty", ["--no-demo"])):
                (folder / name).mkdir()
                stacks.append(Stack(folder / name, environment, *arguments))
        if "web" in names:
            web(folder, environment, total)
        if "browser" in names:
            browser(stacks, folder, environment, total)
    finally:
        left = [line for stack in stacks for line in stack.stop()]
    if left:
        print("processes left behind:\n" + "\n".join(left))
        total.failed += 1


def forget_clusters() -> None:
    """A home that its database's user may not enter has its cluster elsewhere: those of temporary homes that are gone are taken away."""
    for noted in Path("/var/lib/plumbline").glob("*/home"):
        home = Path(noted.read_text().strip())
        if home.is_relative_to(tempfile.gettempdir()) and not home.exists():
            shutil.rmtree(noted.parent, ignore_errors=True)
            shutil.rmtree(f"/tmp/plumbline-{os.getuid()}-{noted.parent.name}", ignore_errors=True)  # noqa: S108 (its socket's folder)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=["python", "web", "browser"])
    only = parser.parse_args().only
    # The tests start hundreds of Pythons. Each would compile every module that it imports anew (more than half of its start); so they keep
    # what they compiled, outside the tree.
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPYCACHEPREFIX": str(ROOT / ".venv" / ".bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    folder = Path(tempfile.mkdtemp(prefix="plumbline-run-"))
    folder.chmod(0o755)
    total = Sum()
    start = time.monotonic()
    try:
        run([only] if only else ["web", "browser", "python"], folder, environment, total)
    except RuntimeError as error:
        print(error)
        total.failed += 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        forget_clusters()
    if len(total.again) > MOST_AGAIN:
        print(f"{len(total.again)} tests passed only when tried once more; a busy machine explains {MOST_AGAIN} at most")
        total.failed += 1
    print(f"\nall of it took {time.monotonic() - start:.0f} s, {total.skipped} skipped (each with its reason above)")
    print(f"{total.passed} passed, {total.failed} failed", flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
