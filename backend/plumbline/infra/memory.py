"""Memory of a server process: what no longer is in use goes back to the system.

Python's collector walks through every object that lives long when it collects its oldest generation, and no response is sent meanwhile.
By its own counts it would do so too often while a server has many caches, or, with higher thresholds, never. Here it is done when the
process has grown, and at the latest after some minutes.
"""

import asyncio
import ctypes
import gc
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import structlog

log = structlog.get_logger()

# Young objects are collected by Python, the oldest generation by `keep_small`.
THRESHOLDS = (10_000, 20, 1_000_000)
LOOK_SECONDS = 2.0
# Collected where the process has grown by this share and by so many bytes since it was last collected, and in any case after this time.
GROWTH_SHARE = 0.05
GROWTH_BYTES = 8 * 1024 * 1024
LATEST_SECONDS = 600.0
# The share of the time that collecting may take: after a long pause the next one waits.
_MOST_OF_TIME = 0.02


def resident_bytes() -> int:
    """Resident memory of this process; 0 where the system does not report it."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    return 0


def collect() -> float:
    """Collects all generations and gives free memory back to the system; returns the seconds it took."""
    started = time.monotonic()
    gc.collect()
    if sys.platform == "linux":
        # musl has no such function, and gives back by itself.
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)
    return time.monotonic() - started


async def keep_small() -> None:
    """Collects while the process grows, until it is cancelled. For the event loop of a server."""
    gc.set_threshold(*THRESHOLDS)
    gc.collect()
    # What was imported stays: it is never looked through again.
    gc.freeze()
    after, collected_at, took = resident_bytes(), time.monotonic(), 0.0
    while True:
        await asyncio.sleep(max(LOOK_SECONDS, took / _MOST_OF_TIME))
        now = resident_bytes()
        has_grown = now > after + max(GROWTH_BYTES, after * GROWTH_SHARE)
        if has_grown or time.monotonic() - collected_at > LATEST_SECONDS:
            took = collect()
            after, collected_at = resident_bytes(), time.monotonic()
