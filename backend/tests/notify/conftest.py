"""Receivers on this machine."""

from collections.abc import Iterator

import pytest

from tests.notify.receivers import Receiver, web_receiver


@pytest.fixture
def web() -> Iterator[Receiver]:
    with web_receiver() as receiver:
        yield receiver
