"""A server on this machine that answers and never ends: a byte every now and then."""

from collections.abc import Iterator
from contextlib import contextmanager

from faults.talking_peer import talking


@contextmanager
def dripping(beginning: bytes, scheme: str = "http") -> Iterator[str]:
    """Its address. It says `beginning` once it was asked something or after 0.3 s, and then a letter at a time."""
    with talking("drip", beginning) as port:
        yield f"{scheme}://127.0.0.1:{port}"
