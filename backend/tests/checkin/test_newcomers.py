"""Many hosts that come at once, none known before, all in one domain."""

import random
from collections.abc import Callable, Mapping

import pytest
from sqlmodel import Session

from faults.samples import samples, sections_of
from faults.sending import enrol, sender_of
from plumbline.checkin.store import Store
from plumbline.core.rules.peer_questions import Domain, Member
from plumbline.evaluation import peers
from plumbline.evaluation.peers import DomainMemory
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evaluation.tasks import reevaluate_peers
from plumbline.infra.database import session_scope
from plumbline.packs.publish import install_builtin
from tests.checkin.conftest import Served
from tests.checkin.test_together import FINDINGS, SCORES, flip

HOSTS = 24


def domain_of(size: int, version: int = 0) -> Domain:
    return Domain("group:1", version, [Member(f"{number:032x}", f"host-{number}", False, {}, {}) for number in range(size)])


def test_a_large_domain_is_held_for_a_while_before_it_has_a_version() -> None:
    memory = DomainMemory(hold_seconds=60)
    memory.put({"small": domain_of(peers.LARGE_DOMAIN - 1), "large": domain_of(peers.LARGE_DOMAIN), "versioned": domain_of(1, version=7)})
    assert [
        memory.get(name, version) is not None
        for name, version in (("small", 0), ("large", 0), ("versioned", 7), ("versioned", 8), ("never read", 0))
    ] == [False, True, True, False, False]
    forgetful = DomainMemory(hold_seconds=0)
    forgetful.put({"large": domain_of(peers.LARGE_DOMAIN), "versioned": domain_of(1, version=7)})
    assert [forgetful.get(name, version) is not None for name, version in (("large", 0), ("versioned", 7))] == [False, True]


class Counting(DomainMemory):
    """Counts how often a domain was read."""

    reads = 0

    def put(self, domains: Mapping[str, Domain]) -> None:
        self.reads += len(domains)
        super().put(domains)


@pytest.mark.parametrize("large", [1, 1000])
def test_newcomers_read_a_large_domain_seldom_and_are_judged_right(
    large: int, serve: Callable[..., Served], token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "LARGE_DOMAIN", large)
    memory = Counting()
    served = serve(store=Store(domains=memory))
    with session_scope() as session:
        install_builtin(session)
    rng, found = random.Random(24), samples("windows")
    senders = []
    for number in range(HOSTS):
        sender = sender_of(enrol(served.client, token, f"new-{number:02}"), sections=sections_of(found[number % len(found)]))
        flip(sender, rng)
        assert sender.send(served.client).status_code == 200
        senders.append(sender)
    # Most of them are in the group's domain, and read it unless it is held.
    assert memory.reads < HOSTS / 2 if large == 1 else memory.reads > HOSTS / 2
    reevaluate_peers()
    with session_scope() as session:
        stood = standing(session)
        reevaluate_hosts(session, [sender.host_id for sender in senders], in_full=True)
    with session_scope() as session:
        assert standing(session) == stood


def standing(session: Session) -> list[tuple[object, ...]]:
    return [tuple(row) for statement in (FINDINGS, SCORES) for row in session.execute(statement)]
