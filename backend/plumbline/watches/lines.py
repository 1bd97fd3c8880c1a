"""What an agent prints in a watch: a line for each reading."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from plumbline.channels.errors import OutcomeUnknown

MAX_SERIES = 4000
_LONGEST_LINE = 2 * 1024 * 1024
# Without control characters, which PostgreSQL can't store or a screen can't show.
_Text = Annotated[str, msgspec.Meta(max_length=256, pattern=r"^[^\x00-\x1f\x7f]*$")]


class WatchLine(msgspec.Struct, frozen=True):
    """One reading. `series` (subject, name, kind) comes with the first line and wherever it is another list than before."""

    uptime_ms: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    values: Annotated[list[float | None], msgspec.Meta(max_length=MAX_SERIES)]
    series: Annotated[list[tuple[_Text, _Text, Literal["total", "gauge"]]], msgspec.Meta(max_length=MAX_SERIES)] | None = None


_decode = msgspec.json.Decoder(WatchLine).decode


class LineReader:
    """Cuts what comes in pieces of any size into lines."""

    def __init__(self) -> None:
        self._rest = b""
        self._size = -1  # of the list of series; -1 before the first one

    def feed(self, piece: bytes) -> Iterator[WatchLine]:
        """The readings that this piece completes. Raises `OutcomeUnknown` for something else than a reading."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            raise OutcomeUnknown("the host printed something else than counters")
        for line in lines:
            if line.strip():
                yield self._reading(line)

    def _reading(self, line: bytes) -> WatchLine:
        try:
            found = _decode(line)
        except msgspec.MsgspecError as error:
            shown = line[:120].decode("utf-8", "replace")
            raise OutcomeUnknown(f"the host printed something else than counters: {shown!r}") from error
        if found.series is not None:
            self._size = len(found.series)
        if len(found.values) != self._size:
            raise OutcomeUnknown(f"the host sent {len(found.values)} values for {max(self._size, 0)} counters")
        return found
