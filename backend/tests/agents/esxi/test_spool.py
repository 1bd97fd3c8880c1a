"""The spool under kill -9 at each call into the system (docs/measured/agents.md, A10), under its caps and on a full disk."""

import errno
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.agents.esxi.workbench import agent, check_in

CALLS = ("open", "write", "fsync", "rename", "remove", "close", "listdir", "stat")


def scenario(state: str, progress: int) -> None:
    """A life of a spool: three check-ins, a receipt, a refusal, a fourth. Each step that is done is written to `progress`."""
    spool = agent.Spool(state)
    items = {}
    for number in range(3):
        item = check_in(number, nics=str(number), iscsi="same")
        items[spool.add(item)] = item
        os_write(progress, b"added %d\n" % number)
    first, second = spool.waiting()[:2]
    spool.confirm(first, spool.read(first))
    os_write(progress, b"confirmed %d\n" % first)
    spool.reject(second, "refused")
    os_write(progress, b"rejected %d\n" % second)
    spool.add(check_in(3, nics="3", iscsi="same"))
    os_write(progress, b"added 3\n")
    os_write(progress, b"done\n")


os_write = os.write


def die_at(place: int, state: str, progress: int, *, torn: bool) -> None:
    """Runs the scenario and kills itself at the n-th call; a write may have half happened by then."""
    count = 0

    def wrapped(name: str) -> Any:
        real = getattr(os, name)

        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == place:
                if torn and name == "write":
                    real(arguments[0], arguments[1][: max(1, len(arguments[1]) // 2)])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **named)

        return call

    for name in CALLS:
        setattr(os, name, wrapped(name))
    agent.log = lambda *_, **__: None
    scenario(state, progress)


def run_until_killed(place: int, state: Path, *, torn: bool) -> tuple[list[str], bool]:
    """What the child said before it died, and whether it died."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            die_at(place, str(state), writer, torn=torn)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        lines = stream.read().splitlines()
    _, status = os.waitpid(child, 0)
    return lines, os.WIFSIGNALED(status)


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_each_call_nothing_is_lost_and_no_half_file_is_sent(torn: bool, tmp_path: Path) -> None:
    place, deaths = 0, 0
    while True:
        place += 1
        state = tmp_path / str(place)
        lines, is_dead = run_until_killed(place, state, torn=torn)
        spool = agent.Spool(str(state))
        progress = {
            line.split()[0]: [item.split()[1] for item in lines if item.startswith(line.split()[0]) and " " in item] for line in lines
        }
        whole = {seq: spool.read(seq) for seq in spool.waiting()}
        assert None not in whole.values(), f"half a file after call {place}"
        here = {json.loads(item.line)["live"]["number"] for item in whole.values()}
        gone = {0} if "confirmed" in progress else set()
        # A receipt may have been used up in the call that died; a refusal likewise. Nothing else may be missing.
        begun = set() if len(lines) < 3 else {0, 1}
        for number in (int(text) for text in progress.get("added", [])):
            assert number in here or number in gone or number in begun, f"check-in {number} lost at call {place}"
        known = spool.confirmed()
        if known:
            assert known["nics"] == check_in(0, nics="0").sections()["nics"]
        # Life goes on: a new number above all that were used, and a body that was never confirmed still goes along.
        used = [*whole, agent.number((state / "counter").read_text()) if (state / "counter").exists() else 0]
        fresh = spool.add(check_in(9, nics="9", iscsi="same"))
        assert fresh > max(used)
        assert spool.read(fresh) is not None
        assert ("iscsi" in spool.read(fresh).bodies) == ("iscsi" not in known)
        deaths += is_dead
        if not is_dead:
            break
    assert lines[-1] == "done"
    assert deaths > 60


def test_numbers_never_fall_even_without_the_counter(tmp_path: Path) -> None:
    spool = agent.Spool(str(tmp_path))
    assert [spool.add(check_in(number)) for number in range(3)] == [1, 2, 3]
    (tmp_path / "counter").unlink()
    assert spool.add(check_in(3)) == 4


def test_each_file_holds_all_that_is_not_confirmed(tmp_path: Path) -> None:
    spool = agent.Spool(str(tmp_path))
    for number in range(3):
        spool.add(check_in(number, nics="same", iscsi=str(number)))
    assert [sorted(spool.read(seq).bodies) for seq in (1, 2, 3)] == [["iscsi", "nics"]] * 3
    spool.confirm(1, spool.read(1))
    assert sorted(spool.read(spool.add(check_in(4, nics="same", iscsi="4"))).bodies) == ["iscsi"]


def test_full_the_unchanged_of_the_middle_go_first_then_the_oldest_changed(tmp_path: Path) -> None:
    spool = agent.Spool(str(tmp_path), files=6)
    bodies = ["a", "a", "a", "b", "b", "c"]
    for number, body in enumerate(bodies):
        spool.add(check_in(number, nics=body))
    assert spool.waiting() == [1, 2, 3, 4, 5, 6]
    for number in range(6, 9):
        spool.add(check_in(number, nics="c"))
    # 2, 3 and 5 brought nothing new; 1, 4 and 6 did, 7 stands before the newest.
    assert {1, 4, 6, 9} <= set(spool.waiting())
    assert len(spool.waiting()) == 6
    for number in range(9, 15):
        spool.add(check_in(number, nics=str(number)))
    assert len(spool.waiting()) == 6
    assert spool.waiting()[-1] == 15
    assert 1 not in spool.waiting()
    assert spool.counts()["thinned"] == 1
    envelope_counts = [json.loads((tmp_path / "counts.json").read_text())["thinned"]]
    assert envelope_counts == [1]


def test_the_cap_in_bytes_holds(tmp_path: Path) -> None:
    spool = agent.Spool(str(tmp_path), size=20_000)
    for number in range(30):
        spool.add(check_in(number, nics=f"{number:04d}" * 500))
        assert sum(path.stat().st_size for path in (tmp_path / "spool").iterdir()) <= 20_000
    assert spool.waiting()[-1] == 30


def test_a_full_disk_gives_up_the_oldest_and_keeps_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = agent.Spool(str(tmp_path))
    for number in range(6):
        spool.add(check_in(number, nics=str(number) * 500))
    real = os.write

    def limited(handle: int, data: bytes) -> int:
        room = 9_000 - sum(path.stat().st_size for path in (tmp_path / "spool").iterdir())
        if len(data) > max(room, 400):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data)

    monkeypatch.setattr(os, "write", limited)
    # The file system fills up underneath: the real call answers ENOSPC from here on.
    seq = spool.add(check_in(6, nics="x" * 5000))
    assert spool.read(seq) is not None
    assert len(spool.waiting()) < 7
    assert [path.name for path in (tmp_path / "spool").iterdir() if path.name.endswith(".tmp")] == []


def test_a_file_that_is_not_whole_is_set_aside(tmp_path: Path) -> None:
    spool = agent.Spool(str(tmp_path))
    seq = spool.add(check_in(0, nics="a"))
    path = Path(spool.path(seq))
    path.write_bytes(path.read_bytes()[:-10])
    assert spool.read(seq) is None
