"""Receivers on this machine."""

from collections.abc import Iterator

import pytest

from plumbline.settings import get_settings
from tests.notify.receivers import Receiver, web_receiver


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The receivers are on this machine, which the operator of a server has to allow."""
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.fixture
def web() -> Iterator[Receiver]:
    with web_receiver() as receiver:
        yield receiver
