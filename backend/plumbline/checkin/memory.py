"""How the process of a door keeps its memory.

What a door remembers of its hosts is tens of megabytes that live long, in objects of some dozen bytes, and each check-in reads a few
thousand of them that nothing has touched since that host's last one. With pages of 4 KiB the processor spends a tenth of a check-in on
finding where those are. Pages of 2 MiB spare most of that. CPython asks for none before 3.15, and where the system hands them out on
request only (`madvise`, as Ubuntu does), somebody has to ask: docs/adr/0023.
"""

import asyncio
import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import structlog

log = structlog.get_logger()

# How often memory is looked at, and by how much the process must have grown since.
_LOOK_SECONDS = 10.0
_GROWN_BYTES = 8 << 20

# Of the addresses of a region, this share must be in use. Of stacks of threads and of reserves it is not, and a huge page would fill them.
_LEAST_IN_USE = 0.75

# From Linux: include/uapi/asm-generic/mman-common.h; MADV_COLLAPSE came with 6.1, and an older system answers that it does not know it.
_MADV_HUGEPAGE = 14
_MADV_COLLAPSE = 25

_OFFERED = Path("/sys/kernel/mm/transparent_hugepage/enabled")
_HUGE_PAGE = Path("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")
_REGIONS = Path("/proc/self/smaps")
_SIZES = Path("/proc/self/statm")


class Region(NamedTuple):
    """A region of this process's own memory: addresses, and bytes of it in use."""

    start: int
    end: int
    in_use: int


def is_offered() -> bool:
    """Whether this system hands out huge pages on request. One whose owner said `never` is not asked."""
    try:
        offered = _OFFERED.read_text()
    except OSError:
        return False
    return sys.platform == "linux" and "[never]" not in offered


def regions() -> Iterator[Region]:
    """The private memory of this process that belongs to no file, as the system tells it."""
    bounds: tuple[int, int] | None = None
    for line in _REGIONS.read_text().splitlines():
        first, _, rest = line.partition(" ")
        if not first.endswith(":"):
            # "7f5c2a000000-7f5c2a200000 rw-p 00000000 00:00 0   [heap]"
            fields = rest.split()
            is_ours = fields[0] == "rw-p" and fields[3] == "0" and fields[4:] in ([], ["[heap]"])
            start, _, end = first.partition("-")
            bounds = (int(start, 16), int(end, 16)) if is_ours else None
        elif first == "Rss:" and bounds is not None:
            yield Region(*bounds, int(rest.split()[0]) << 10)


def ask_for_huge_pages() -> int:
    """Asks for huge pages under every region that is in use nearly whole; the number of such regions. What is refused stays as it is."""
    page = int(_HUGE_PAGE.read_text())
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    asked = 0
    for region in regions():
        start, end = -(-region.start // page) * page, region.end // page * page
        if start < end and region.in_use >= _LEAST_IN_USE * (region.end - region.start):
            advise(start, end - start, _MADV_HUGEPAGE)
            advise(start, end - start, _MADV_COLLAPSE)
            asked += 1
    return asked


def resident_bytes() -> int:
    """Memory of this process that is in use."""
    return int(_SIZES.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def collect_seldom() -> None:
    """What is remembered is much, lives long and holds next to no cycles. Young objects are looked through for cycles as always, old ones
    seldom: looking through all of them with every few changes stops all answers meanwhile."""
    gc.set_threshold(10_000, 20, 1_000)


async def keep_huge() -> None:
    """Asks again whenever the process has grown, until its task ends or the system does not tell of memory. In a thread, since the
    system may move much memory at once."""
    if not is_offered():
        return
    seen = 0
    try:
        while True:
            size = resident_bytes()
            if size >= seen + _GROWN_BYTES:
                await asyncio.to_thread(ask_for_huge_pages)
                seen = resident_bytes()
            await asyncio.sleep(_LOOK_SECONDS)
    except (OSError, AttributeError) as error:
        log.warning("huge pages are not asked for", error=str(error))
