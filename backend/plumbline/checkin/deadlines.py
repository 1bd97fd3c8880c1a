"""Deadlines of all requests of the door, kept with one timer: a timer of its own for each costs more than what it guards."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

# How late a deadline may be noticed.
LOOK_SECONDS = 0.5


class Deadlines:
    """What waits, until when, and what is done where it waited too long. Used from one event loop."""

    def __init__(self, look_seconds: float = LOOK_SECONDS) -> None:
        self._look_seconds = look_seconds
        self._waiting: dict[asyncio.Future[Any], tuple[float, Callable[[], object]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def watch(self, waiting: "asyncio.Future[Any]", until: float, give_up: Callable[[], object]) -> None:
        """Calls `give_up` once `until` (of `time.monotonic`) is past, unless `forget` or another `watch` of the same comes first."""
        self._waiting[waiting] = (until, give_up)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._look_seconds, self._look)

    def forget(self, waiting: "asyncio.Future[Any]") -> None:
        """It waits no more."""
        self._waiting.pop(waiting, None)

    def _look(self) -> None:
        now = time.monotonic()
        late = [(waiting, give_up) for waiting, (until, give_up) in self._waiting.items() if until <= now]
        for waiting, give_up in late:
            del self._waiting[waiting]
            give_up()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._look_seconds, self._look) if self._waiting else None
