"""The agent's `--watch` on recorded hosts: a line for each reading, cheap for a slow host, and over when nobody reads."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.esxi.workbench import AGENT, NO_LOCALE, RECORDINGS, agent, collected, write_samples


def watched(recording: str, folder: Path, engine: list[str], seconds: float) -> list[dict[str, Any]]:
    """The lines of a watch, the file coming over standard input as it does over SSH."""
    done = subprocess.run(
        [*engine, "-", "--watch", str(seconds)],
        input=AGENT.read_bytes(),
        capture_output=True,
        env=write_samples.environment(folder, recording) | NO_LOCALE,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("recording", RECORDINGS)
def test_a_reading_has_the_counters_of_a_check_in(recording: str, tmp_path: Path) -> None:
    (line,) = watched(recording, tmp_path / "watch", [sys.executable, "-I", "-S"], 1)
    check_in = json.loads(collected(recording, tmp_path / "collect", [sys.executable, "-I", "-S"]).split(b"\n")[0])
    series = check_in["counters"]["series"]
    assert line["series"] == [[each["subject"], each["name"], each["kind"]] for each in series]
    assert line["values"] == [each["value"] for each in series]
    assert line["series"]


def test_later_readings_carry_values_alone(tmp_path: Path) -> None:
    first, second = watched(RECORDINGS[0], tmp_path, [sys.executable, "-I", "-S"], 7)
    assert "series" not in second
    assert len(second["values"]) == len(first["values"])
    assert 4900 <= second["uptime_ms"] - first["uptime_ms"] <= 7000


@pytest.mark.parametrize("version", VERSIONS)
def test_old_pythons_print_the_same(version: str, tmp_path: Path) -> None:
    engine = old_python(version)
    if engine is None:
        pytest.skip(missing(version))
    (old,) = watched(RECORDINGS[0], tmp_path / "old", engine, 1)
    (new,) = watched(RECORDINGS[0], tmp_path / "new", [sys.executable, "-I", "-S"], 1)
    assert (old["series"], old["values"]) == (new["series"], new["values"])


@pytest.mark.parametrize("arguments", [["--watch"], ["--watch", "soon"]])
def test_a_watch_without_a_time_is_refused(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, str(AGENT), *arguments], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"see --help" in done.stderr


def test_it_ends_when_nobody_reads(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(AGENT), "--watch", "60"],
        stdout=subprocess.PIPE,
        env=write_samples.environment(tmp_path, RECORDINGS[0]) | NO_LOCALE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(20) == 0


def test_a_host_that_reads_slowly_is_read_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading takes a fifth of the time at most, however slow its commands are: 2 s of reading, then 8 s of rest."""
    clock = [1000.0]
    rests: list[float] = []
    written: list[bytes] = []

    def read(_: object) -> list[Any]:
        clock[0] += 2.0
        return []

    def sleep(seconds: float) -> None:
        rests.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(agent, "monotonic", lambda: clock[0])
    monkeypatch.setattr(agent, "read_series", read)
    monkeypatch.setattr(agent, "write_out", written.append)
    monkeypatch.setattr(time, "sleep", sleep)
    assert agent.watch(agent.Commands(), 60) == 0
    assert rests == [8.0] * 5
    assert [json.loads(line)["uptime_ms"] for line in written] == [1_000_000 + 10_000 * n for n in range(6)]


def test_it_never_goes_on_for_longer_than_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(agent, "monotonic", lambda: clock[0])
    monkeypatch.setattr(agent, "read_series", lambda _: [])
    monkeypatch.setattr(agent, "write_out", lambda _: None)
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    agent.watch(agent.Commands(), 1e9)
    assert clock[0] <= agent.LONGEST_WATCH_SECONDS
