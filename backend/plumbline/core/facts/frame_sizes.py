"""At which frame size do-not-fragment pings are evaluated, and what those of one host show.

A host's frames may be larger than what its array carries: BP1057 sets 9614 bytes (L3: 9600) on a Broadcom port, and the portals of an
EqualLogic array are at 9000, to which both sides of a session agree. A ping of the host's own size then fails, and nothing is wrong. So a
path is evaluated at the smaller of the two; larger sizes are pinged too, and shown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

# L3 bytes that the portals of a jumbo SAN carry (Dell EqualLogic: fixed at 9000). No host is asked to prove more.
FAR_END_BYTES = 9000
OUTCOMES = ("ok", "not_run", "silent", "too_big")  # from best to worst


class Ping(Protocol):
    """One do-not-fragment ping; `size` is the L3 size."""

    @property
    def portal(self) -> str:
        """The portal that was pinged."""
        ...

    @property
    def size(self) -> int:
        """L3 bytes."""
        ...

    @property
    def outcome(self) -> str:
        """One of `OUTCOMES`."""
        ...


class Decided(NamedTuple):
    """What the pings of one sender show. `outcome` empty: they decide nothing, and `why` is the reason. `size`: the largest that every
    portal answered; 0 where one answered none."""

    outcome: str
    why: str
    shown: str
    size: int


def carried_bytes(mtu: int) -> int:
    """The L3 size that has to come through for a sender of this MTU."""
    return min(mtu, FAR_END_BYTES)


def decide(pings: Iterable[Ping], mtu: int | None) -> Decided:
    """The worst of a sender's portals. Where its MTU is not known, each is evaluated at the largest size that was sent to it."""
    by_portal: dict[str, list[Ping]] = {}
    for ping in pings:
        by_portal.setdefault(ping.portal, []).append(ping)
    deciding: list[Ping] = []
    why = ""
    for sent in by_portal.values():
        size = max(ping.size for ping in sent) if mtu is None else carried_bytes(mtu)
        found = _deciding(sent, size)
        if found is not None:
            deciding.append(found)
        else:
            tried = ", ".join(str(each) for each in sorted({ping.size for ping in sent}))
            why = why or f"no probe of {size} bytes, which the path has to carry, only of {tried}"
    largest = min((max((ping.size for ping in sent if ping.outcome == "ok"), default=0) for sent in by_portal.values()), default=0)
    worst = max(deciding, key=lambda ping: OUTCOMES.index(ping.outcome), default=None)
    # A portal that nothing is known of may be worse than one that answered.
    if worst is None or (why and worst.outcome in OUTCOMES[:2]):
        return Decided("", why, "", largest)
    return Decided(worst.outcome, "", _shown(worst, by_portal[worst.portal]), largest)


def _deciding(sent: Sequence[Ping], size: int) -> Ping | None:
    """The ping to one portal that decides: one that came through at this size or more, else the worst of this size."""
    through = [ping for ping in sent if ping.outcome == "ok" and ping.size >= size]
    if through:
        return max(through, key=lambda ping: ping.size)
    of_size = [ping for ping in sent if ping.size == size] or [ping for ping in sent if ping.size > size and ping.outcome == "not_run"]
    return max(of_size, key=lambda ping: OUTCOMES.index(ping.outcome), default=None)


def _shown(deciding: Ping, sent: Sequence[Ping]) -> str:
    """The deciding ping, and those of larger sizes, which the host may send and the portal need not carry."""
    words = f"{deciding.size} bytes to {deciding.portal}: {deciding.outcome}"
    reason = getattr(deciding, "reason", "")
    words += f" ({reason})" if reason else ""
    larger = sorted({(ping.size, ping.outcome) for ping in sent if ping.size > deciding.size})
    return "; ".join([words, *(f"{size} bytes: {outcome}" for size, outcome in larger)])
