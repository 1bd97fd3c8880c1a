"""`plumbline up` that is asked to end while it writes the past leaves no process behind, and the next start begins anew."""

import subprocess
import sys
import time
from pathlib import Path

import psutil


def of_home(home: Path) -> list[str]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if any(str(home) in word for word in words):
            found.append(" ".join(words)[:200])
    return found


def test_nothing_is_left_of_a_start_that_was_ended(tmp_path: Path) -> None:
    home = tmp_path / "var"
    command = [sys.executable, "-m", "plumbline.cli", "up", "--home", str(home), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        assert any("days of the lab's past" in line for line in process.stdout)
        limit = time.monotonic() + 60
        while not any("lab_past.build" in each for each in of_home(home)) and time.monotonic() < limit:
            time.sleep(0.1)
        process.terminate()
        assert process.wait(60) == 143
    finally:
        process.kill()
        process.wait()
    assert of_home(home) == []
