"""One timer for everything that waits at the door."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from plumbline.checkin import asgi
from plumbline.checkin.asgi import _Body
from plumbline.checkin.deadlines import Deadlines
from plumbline.checkin.errors import Refused

Message = dict[str, Any]


def test_what_is_late_is_given_up_and_the_rest_goes_on_waiting() -> None:
    async def run() -> tuple[list[str], int]:
        deadlines = Deadlines(look_seconds=0.005)
        loop = asyncio.get_running_loop()
        gone: list[str] = []
        now = time.monotonic()
        late, early, done = loop.create_future(), loop.create_future(), loop.create_future()
        deadlines.watch(late, now + 60, lambda: gone.append("late"))
        deadlines.watch(early, now + 0.01, lambda: (gone.append("early"), early.set_result(None)))
        deadlines.watch(done, now + 0.01, lambda: gone.append("done"))
        deadlines.forget(done)
        await early
        return gone, len(deadlines)

    assert asyncio.run(run()) == (["early"], 1)


def body_of(receive: Callable[[], Coroutine[Any, Any, Message]]) -> _Body:
    return _Body(receive, Deadlines(look_seconds=0.005))


def test_a_body_that_drips_is_408_and_the_task_is_not_left_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "PIECE_SECONDS", 0.02)

    async def drip() -> Message:
        await asyncio.sleep(0.001)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def silence() -> Message:
        await asyncio.sleep(60)
        return {}

    async def run(receive: Callable[[], Coroutine[Any, Any, Message]]) -> int:
        body = body_of(receive)
        with pytest.raises(Refused) as found:
            await body.read(10_000)
        assert not body.is_whole
        await asyncio.sleep(0)
        return found.value.status

    assert asyncio.run(run(silence)) == 408
    monkeypatch.setattr(asgi, "READ_SECONDS", 0.03)
    assert asyncio.run(run(drip)) == 408


def test_a_reader_that_is_cancelled_from_outside_stays_cancelled() -> None:
    async def silence() -> Message:
        await asyncio.sleep(60)
        return {}

    async def run() -> None:
        reading = asyncio.create_task(body_of(silence).read(10))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(run())
