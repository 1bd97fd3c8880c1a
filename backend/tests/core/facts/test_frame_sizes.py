"""Frame sizes are evaluated at what the far end carries, and every portal counts."""

from typing import NamedTuple

import pytest

from plumbline.core.facts.frame_sizes import carried_bytes, decide


class Sent(NamedTuple):
    portal: str
    size: int
    outcome: str


def decided(mtu: int | None, *sent: tuple[str, int, str]) -> tuple[str, int]:
    found = decide([Sent(*each) for each in sent], mtu)
    assert bool(found.outcome) != bool(found.why)
    return found.outcome, found.size


def test_a_host_above_what_the_array_carries_is_proven_at_9000() -> None:
    # BP1057's 9614 on a Broadcom port is an L3 size of 9600; the portal is at 9000.
    assert decided(9600, ("a", 9600, "too_big"), ("a", 9000, "ok"), ("a", 1500, "ok")) == ("ok", 9000)
    assert decided(9600, ("a", 9600, "ok"), ("a", 9000, "ok"), ("a", 1500, "ok")) == ("ok", 9600)
    assert decided(9600, ("a", 9600, "too_big"), ("a", 9000, "too_big"), ("a", 1500, "ok")) == ("too_big", 1500)
    assert decided(9600, ("a", 9600, "silent"), ("a", 9000, "silent"), ("a", 1500, "silent")) == ("silent", 0)
    assert [carried_bytes(mtu) for mtu in (1500, 9000, 9014, 9600)] == [1500, 9000, 9000, 9000]


def test_an_agent_that_did_not_ping_9000_leaves_it_open() -> None:
    assert decided(9600, ("a", 9600, "too_big"), ("a", 1500, "ok")) == ("", 1500)
    assert decide([Sent("a", 9600, "too_big"), Sent("a", 1500, "ok")], 9600).why == (
        "no probe of 9000 bytes, which the path has to carry, only of 1500, 9600"
    )


def test_at_9000_and_below_the_hosts_own_size_decides() -> None:
    assert decided(9000, ("a", 9000, "too_big"), ("a", 1500, "ok")) == ("too_big", 1500)
    assert decided(1500, ("a", 1500, "ok")) == ("ok", 1500)
    # A ping larger than the host's frames shows nothing about those frames, unless the ping came through.
    assert decided(1500, ("a", 9000, "too_big")) == ("", 0)
    assert decided(1500, ("a", 9000, "ok")) == ("ok", 9000)


def test_every_portal_counts() -> None:
    both = (("a", 9000, "ok"), ("b", 9000, "too_big"), ("b", 1500, "ok"))
    assert decided(9000, *both) == ("too_big", 1500)
    # Of one nothing is known at the size: it may be worse, unless another is bad already.
    assert decided(9000, ("a", 9000, "ok"), ("b", 1500, "ok")) == ("", 1500)
    assert decided(9000, ("a", 9000, "silent"), ("b", 1500, "ok")) == ("silent", 0)


@pytest.mark.parametrize("outcome", ["ok", "too_big", "silent", "not_run"])
def test_without_an_mtu_the_largest_size_decides(outcome: str) -> None:
    assert decided(None, ("a", 8000, outcome), ("a", 1500, "ok"))[0] == outcome


def test_larger_pings_are_shown_beside_the_one_that_decides() -> None:
    sent = [Sent("10.0.0.1", 9600, "too_big"), Sent("10.0.0.1", 9000, "ok"), Sent("10.0.0.1", 1500, "ok")]
    assert decide(sent, 9600).shown == "9000 bytes to 10.0.0.1: ok; 9600 bytes: too_big"


def test_a_ping_that_was_not_run_at_the_hosts_size_was_not_run() -> None:
    assert decided(9600, ("a", 9600, "not_run")) == ("not_run", 0)
