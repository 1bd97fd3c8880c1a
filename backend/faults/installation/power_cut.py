"""The power goes while agents check in and jobs run. What was not synced to disk is lost or torn; what was receipted is not.

All processes are killed at one moment, and then the files are damaged as a power cut leaves them: the end of the broker's file is gone,
zero-filled or garbage; pages of the database are half written where its log has them whole, as it promises to repair; its log holds garbage
behind the last record, and the segments that it prepared are short; small files that nobody synced are empty.
"""

import contextlib
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from faults.installation.running import Installation, installed, judge
from faults.installation.steady_agents import steady_agents
from faults.rig import FaultResult, dice_of

_PAGE, _SEGMENT = 8192, 16 * 1024 * 1024
# From the power's return until all parts work.
_LONGEST_SECONDS = 60.0
_BLOCK = re.compile(r"rel (\d+)/(\d+)/(\d+) (?:fork (\w+) )?blk (\d+).*?\(FPW\)")
_LAST = re.compile(r"len \(rec/tot\): +\d+/ *(\d+), .*?lsn: ([0-9A-F]+)/([0-9A-F]+)")


def cut(work: Path, count: int, seed: int) -> FaultResult:
    """`count` power cuts, each with another damage of the broker's file."""
    result, dice = FaultResult(seed), dice_of(FaultResult(seed))
    damages = list(BROKER.items())
    torn_pages = 0
    took: list[float] = []
    with installed(work / "power") as one, one.rig(windows=2, esxi=1) as rig, steady_agents(one.url, one.token()) as seen:
        for number in range(count):
            rig.keep_busy()
            time.sleep(dice.uniform(1.0, 4.0))
            one.cut_power()
            name, damage = damages[number % len(damages)]
            damage(dice, one.home / "valkey" / "appendonlydir")
            torn_pages += damage_database(dice, one)
            damage_small_files(one.home)
            result.faults[f"power cut, broker's file {name}"] += 1
            took.append(one.start())
            began = time.monotonic()
            while not seen.taken_since(began) and time.monotonic() - began < _LONGEST_SECONDS:
                time.sleep(0.1)
            took[-1] += time.monotonic() - began
        judge(one, rig, seen, result, longest=_LONGEST_SECONDS)
    result.faults["page of the database torn"] = torn_pages
    result.wrong += ["no page of the database was torn"] * (not torn_pages)
    result.notes.append(f"works at most {max(took):.0f} s after the power is back, checks included")
    return result


# --- The broker ---------------------------------------------------------------------------------------------------------------------------


def _newest(folder: Path) -> Path:
    return max(folder.glob("*.aof"), key=lambda file: (file.name.endswith(".incr.aof"), file.stat().st_mtime))


def _shortened(dice: random.Random, folder: Path) -> None:
    file = _newest(folder)
    with file.open("r+b") as opened:
        opened.truncate(max(0, file.stat().st_size - dice.randint(1, 300)))


def _zeroed(dice: random.Random, folder: Path) -> None:
    file = _newest(folder)
    lost = min(file.stat().st_size, dice.randint(1, 5000))
    with file.open("r+b") as opened:
        opened.seek(-lost, 2)
        opened.write(bytes(lost + 4096))


def _garbled(dice: random.Random, folder: Path) -> None:
    with _newest(folder).open("ab") as opened:
        opened.write(dice.randbytes(2000))


def _listed_empty(_dice: random.Random, folder: Path) -> None:
    for file in folder.glob("*.manifest"):
        file.write_bytes(b"")


BROKER: dict[str, Callable[[random.Random, Path], None]] = {
    "shortened": _shortened,
    "zero-filled": _zeroed,
    "with garbage": _garbled,
    "with an empty list of files": _listed_empty,
    "as it was": lambda _dice, _folder: None,
}

# --- The database -------------------------------------------------------------------------------------------------------------------------


def damage_database(dice: random.Random, one: Installation) -> int:
    """Tears pages that the log has whole, and fills what is behind the log's end with garbage; answers how many pages."""
    cluster = one.cluster
    control = subprocess.run(
        [cluster.binaries / "pg_controldata", "-D", cluster.data], capture_output=True, text=True, check=True, env={"LC_ALL": "C"}
    ).stdout
    redo = re.search(r"REDO location: +(\S+)", control)
    assert redo is not None
    log = cluster.data / "pg_wal"
    done = subprocess.run(
        [cluster.binaries / "pg_waldump", "-b", "-p", log, "-s", redo[1], _segment(redo[1]), _last_segment(cluster.data)],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    dumped = done.stdout
    if not _LAST.search(dumped):
        # Right after a checkpoint nothing may stand behind it.
        print(f"nothing in the log from {redo[1]} on: {done.stderr.strip()[:300]}", file=sys.stderr)
        return 0
    pages = {match.groups() for match in _BLOCK.finditer(dumped)}
    torn = sum(_tear(dice, cluster.data, *page) for page in sorted(pages, key=str))
    *_, last = _LAST.finditer(dumped)
    begin, length = (int(last[2], 16) << 32) + int(last[3], 16), int(last[1])
    # A record's length does not count the headers of the pages that it crosses: 24 bytes each, 40 where a segment begins.
    _fill_log(dice, log, begin + length + 40 * (length // 8000 + 1))
    return torn


def _last_segment(data: Path) -> str:
    return max(file.name for file in (data / "pg_wal").iterdir() if re.fullmatch("[0-9A-F]{24}", file.name))


def _segment(position: str) -> str:
    """The file of the log that a position is in. Named to pg_waldump, since it reads any other file first, which may be empty."""
    high, low = (int(half, 16) for half in position.split("/"))
    return f"{1:08X}{high:08X}{low // _SEGMENT:08X}"


def _tear(dice: random.Random, data: Path, space: str, database: str, relation: str, fork: str | None, block: str) -> bool:
    """One half of the page is what was there before it was written last, here: nothing."""
    suffix = "" if fork in (None, "main") else f"_{fork}"
    file = data / ("global" if space == "1664" else f"base/{database}") / f"{relation}{suffix}"
    at = int(block) * _PAGE
    if not file.exists() or file.stat().st_size < at + _PAGE:
        return False
    with file.open("r+b") as opened:
        opened.seek(at + dice.choice((0, _PAGE // 2)))
        opened.write(bytes(_PAGE // 2))
    return True


def _fill_log(dice: random.Random, folder: Path, end: int) -> None:
    """Garbage from the page after the last record on, as an older use of the file has it; the next segment is short."""
    name = _segment(f"{end >> 32:X}/{end & 0xFFFFFFFF:X}")
    begin = (end % _SEGMENT + _PAGE - 1) // _PAGE * _PAGE
    with contextlib.suppress(FileNotFoundError), (folder / name).open("r+b") as opened:
        opened.seek(begin)
        opened.write(dice.randbytes(max(0, min(256 * 1024, _SEGMENT - begin))))
    for file in folder.glob("0" * 7 + "1*"):
        if file.name > name:
            with file.open("r+b") as opened:
                opened.truncate(dice.choice((0, _PAGE, _SEGMENT // 2)))


# --- What nobody synced -------------------------------------------------------------------------------------------------------------------


def damage_small_files(home: Path) -> None:
    """Process ids, the address and the list of restarts are empty or half; the log and the exported heads end within a line."""
    for file in (home / "run").iterdir():
        if file.suffix == ".pid" or file.name == "address":
            file.write_bytes(b"")
    for file in (home / "run" / "restarts.jsonl", home / "log" / "plumbline.log", home / "audit-heads.jsonl"):
        if file.exists():
            with file.open("ab") as opened:
                opened.write(b'{"half' + bytes(600))
