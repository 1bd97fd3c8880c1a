"""Huge pages under what a door remembers."""

import asyncio
import ctypes
import mmap
from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.checkin import memory
from plumbline.checkin.memory import ask_for_huge_pages, is_offered, keep_huge, regions, resident_bytes

MIB = 1 << 20

# What needs none of them is tried everywhere.
needs_huge_pages = pytest.mark.skipif(not is_offered(), reason="this system hands out no huge pages")


def mapped(mib: int) -> mmap.mmap:
    return mmap.mmap(-1, mib * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def address_of(held: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(held))


def flags_at(address: int) -> list[str]:
    """What the system notes of the region that holds this address."""
    is_there = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first, _, rest = line.partition(" ")
        if not first.endswith(":"):
            start, _, end = first.partition("-")
            is_there = int(start, 16) <= address < int(end, 16)
        elif is_there and first == "VmFlags:":
            return rest.split()
    raise LookupError(hex(address))


@pytest.fixture
def full() -> Iterator[mmap.mmap]:
    with mapped(32) as held:
        for at in range(0, len(held), mmap.PAGESIZE):
            held[at] = 1
        yield held


@pytest.fixture
def reserved() -> Iterator[mmap.mmap]:
    """As the stack of a thread: addresses, of which next to nothing is in use."""
    with mapped(128) as held:
        held[0] = 1
        yield held


@needs_huge_pages
def test_what_is_in_use_gets_huge_pages_and_holds_what_it_held(full: mmap.mmap) -> None:
    middle = address_of(full) + 16 * MIB
    assert "hg" not in flags_at(middle)
    assert ask_for_huge_pages() >= 1
    assert "hg" in flags_at(middle)
    assert full[:: mmap.PAGESIZE] == b"\1" * (len(full) // mmap.PAGESIZE)


@needs_huge_pages
def test_what_is_only_reserved_is_not_filled(full: mmap.mmap, reserved: mmap.mmap) -> None:
    before = resident_bytes()
    ask_for_huge_pages()
    assert "hg" not in flags_at(address_of(reserved) + 64 * MIB)
    assert resident_bytes() - before < 64 * MIB


def test_files_and_shared_memory_are_not_of_the_process(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(4 * MIB))
    with (
        path.open("r+b") as file,
        mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE) as of_a_file,
        mmap.mmap(-1, 4 * MIB, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS) as shared,
        mapped(4) as own,
    ):
        starts_and_ends = [(each.start, each.end) for each in regions()]

        def is_told(held: mmap.mmap) -> bool:
            return any(start <= address_of(held) < end for start, end in starts_and_ends)

        assert [is_told(each) for each in (of_a_file, shared, own)] == [False, False, True]


@needs_huge_pages
def test_a_process_that_grows_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_LOOK_SECONDS", 0.01)

    async def run() -> list[str]:
        keeping = asyncio.create_task(keep_huge())
        await asyncio.sleep(0.2)
        with mapped(32) as held:
            for at in range(0, len(held), mmap.PAGESIZE):
                held[at] = 1
            middle = address_of(held) + 16 * MIB
            for _ in range(500):
                if "hg" in flags_at(middle):
                    break
                await asyncio.sleep(0.01)
            found = flags_at(middle)
        keeping.cancel()
        return found

    assert "hg" in asyncio.run(run())


def test_a_system_whose_owner_said_never_is_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = tmp_path / "enabled"
    said.write_text("always madvise [never]\n")
    monkeypatch.setattr(memory, "_OFFERED", said)
    assert not is_offered()
    asyncio.run(asyncio.wait_for(keep_huge(), timeout=5))


def test_a_system_without_them_is_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "_OFFERED", tmp_path / "missing")
    assert not is_offered()
