"""What a bundle may take of time, bytes and members, and the one error that opening a bundle raises."""

import time
from dataclasses import dataclass, field

from plumbline.infra.errors import BadInput

MIB = 1024 * 1024


class BadBundle(BadInput):
    """A bundle cannot be read; the message says what is wrong and what to do."""


class LimitReached(BadBundle):
    """The bundle as a whole takes more than it may: reading ends, where a damaged member alone would be left out."""


class Incomplete(Exception):
    """A stream ends before it should, as where a download was cut: what came before is whole."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one bundle may hold or take. `ratio` counts from `ratio_from_bytes` on: small files may compress very well."""

    members: int = 200_000
    unpacked_bytes: int = 20_480 * MIB
    member_bytes: int = 64 * MIB
    kept_bytes: int = 128 * MIB
    nesting: int = 3
    ratio: int = 200
    ratio_from_bytes: int = 64 * MIB
    seconds: float = 600.0
    # A zip inside another archive is copied to a nameless temporary file before it is read, for its list stands at its end.
    inner_zip_bytes: int = 2_048 * MIB


@dataclass(slots=True)
class Budget:
    """What was used of the limits so far, over all levels of one bundle."""

    limits: Limits = field(default_factory=Limits)
    members: int = 0
    unpacked: int = 0
    kept: int = 0
    _ends_at: float = 0.0

    def __post_init__(self) -> None:
        self._ends_at = time.monotonic() + self.limits.seconds

    def take_member(self) -> None:
        """Counts one member."""
        self.members += 1
        if self.members > self.limits.members:
            raise LimitReached(
                f"it holds more than {self.limits.members:,} files, more than a support bundle: upload the bundle of one host alone"
            )

    def take_bytes(self, count: int) -> None:
        """Counts unpacked bytes, and looks at the clock."""
        self.unpacked += count
        if self.unpacked > self.limits.unpacked_bytes:
            raise LimitReached(
                f"it unpacks to more than {self.limits.unpacked_bytes // MIB:,} MiB: collect a smaller one, without core dumps"
            )
        if time.monotonic() > self._ends_at:
            raise LimitReached(f"reading it takes longer than {self.limits.seconds:.0f} seconds: collect a smaller one, without core dumps")

    def check_ratio(self, unpacked: int, packed: int) -> None:
        """Refuses a stream that unpacks to far more than a bundle does."""
        if unpacked > self.limits.ratio_from_bytes and unpacked > packed * self.limits.ratio:
            raise BadBundle(
                f"it unpacks to more than {self.limits.ratio} times its size, as a damaged or hostile archive does: collect it again"
            )

    def may_keep(self, count: int) -> bool:
        """Whether this many bytes more may be kept in memory; counts them where they may."""
        if self.kept + count > self.limits.kept_bytes:
            return False
        self.kept += count
        return True

    def let_go(self, count: int) -> None:
        """Kept bytes that were read and dropped."""
        self.kept -= count
