"""A full disk: the supervisor goes on, recovers by itself, and ends when it is asked to."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import disk_usage

import psutil
import pytest

from plumbline.infra import parts
from plumbline.infra.pid_files import is_alive, note_pid
from plumbline.ops.log_file import KEPT_FILES, LogFile
from plumbline.ops.supervisor import restarts

BACKEND = Path(__file__).parents[2]


def wait_for(what: Callable[[], bool], seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_supervisor_outlives_a_full_disk(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-m", "tests.ops.supervised", str(tmp_path)], cwd=BACKEND)
    try:
        family = psutil.Process(process.pid)

        def starts() -> set[int]:
            return {one.pid for one in family.children(recursive=True) if "lived" in " ".join(one.cmdline())}

        seen: set[int] = set()
        deadline = time.monotonic() + 40
        # Started at least three times though neither log nor book can be written.
        while len(seen) < 3:
            assert time.monotonic() < deadline
            assert process.poll() is None
            try:
                seen |= starts()
            except psutil.NoSuchProcess:
                continue
            time.sleep(0.02)
        assert (tmp_path / "log").stat().st_size == 0
        assert list(restarts(tmp_path)) == []

        for one in [family, *family.children(recursive=True)]:
            try:
                resource.prlimit(one.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            except ProcessLookupError:
                continue
        wait_for(lambda: "lines are missing here" in (tmp_path / "log").read_text() and any(restarts(tmp_path)))
        assert next(iter(restarts(tmp_path))).how == "ended with code 3"

        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    finally:
        process.kill()
        process.wait()


def test_supervisor_is_ended_while_the_disk_is_full(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-m", "tests.ops.supervised", str(tmp_path)], cwd=BACKEND)
    try:
        wait_for(lambda: bool(psutil.Process(process.pid).children()))
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    finally:
        process.kill()
        process.wait()


def test_the_log_is_rotated(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "plumbline.log", max_bytes=1000)
    for number in range(200):
        print(f"line {number:04d} {'x' * 40}", file=log, flush=True)
    files = sorted(tmp_path.iterdir())
    assert [one.name for one in files] == ["plumbline.log", *(f"plumbline.log.{number}" for number in range(1, KEPT_FILES + 1))]
    assert all(one.stat().st_size <= 1100 for one in files)
    assert "line 0199" in files[0].read_text()


def test_a_line_that_was_cut_is_closed_and_what_is_missing_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.ops.log_file.RETRY_SECONDS", 0.0)
    log = LogFile(tmp_path / "plumbline.log")
    log.write("first\n")
    real = os.write

    def half(descriptor: int, data: bytes) -> int:
        return real(descriptor, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    log.write("second\n")

    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    log.write("third\n")
    log.write("fourth\nfifth\n")
    monkeypatch.setattr(os, "write", real)
    log.write("sixth\n")
    assert (tmp_path / "plumbline.log").read_text() == "first\nsec\n4 lines are missing here: the log could not be written\nsixth\n"


def test_a_process_id_that_cannot_be_written_is_no_reason_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLUMBLINE_PID_FILE", str(tmp_path / "no such folder" / "api.pid"))
    note_pid()
    assert "cannot be written" in capsys.readouterr().err
    file = tmp_path / "api.pid"
    file.write_text("123456789 987654321 and more that is longer\n")
    monkeypatch.setenv("PLUMBLINE_PID_FILE", str(file))
    note_pid()
    assert is_alive(file)


def test_parts_and_disk_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parts.parts_down(tmp_path / "run") == []
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "executor.pid").write_text("4194305 1\n")
    (tmp_path / "run" / "torn.pid").write_bytes(b"\xff\xfe")
    assert parts.parts_down(tmp_path / "run") == ["executor", "torn"]
    usage = disk_usage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(total=1000 * 2**20, free=200 * 2**20))
    assert parts.full_disk(tmp_path) == ""
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(total=1000 * 2**20, free=50 * 2**20))
    assert parts.full_disk(tmp_path) == f"the disk of {tmp_path} is 95% full: 50 MB are left"
