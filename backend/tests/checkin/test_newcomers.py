"""Many hosts that come at once, none known before, all in one domain."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping

import pytest
from sqlmodel import Session

from faults.samples import samples, sections_of
from faults.sending import enrol, sender_of
from plumbline.checkin.neighbours import Neighbours
from plumbline.core.rules.peer_questions import Domain, Member
from plumbline.evaluation import peers
from plumbline.evaluation.peers import DomainMemory
from plumbline.evaluation.reevaluate import rejudge_hosts
from plumbline.evaluation.tasks import judge_neighbours
from plumbline.infra.database import session_scope
from plumbline.packs.in_force import install_builtin
from tests.checkin.conftest import Served
from tests.checkin.played import EmptyTables, Rows
from tests.checkin.test_together import FINDINGS, SCORES, flip

HOSTS = 24


def domain_of(size: int, version: int = 0) -> Domain:
    return Domain("group:1", version, [Member(f"{number:032x}", f"host-{number}", False, {}, {}) for number in range(size)])


def test_a_large_domain_is_held_for_a_while_before_it_has_a_version() -> None:
    memory = DomainMemory(hold_seconds=60)
    memory.put({"small": domain_of(peers.LARGE_DOMAIN - 1), "large": domain_of(peers.LARGE_DOMAIN), "told": domain_of(1, version=7)})
    assert [memory.get(name) is not None for name in ("small", "large", "told", "never read")] == [False, True, True, False]
    forgetful = DomainMemory(hold_seconds=0)
    forgetful.put({"large": domain_of(peers.LARGE_DOMAIN), "told": domain_of(1, version=7)})
    assert [forgetful.get(name) is not None for name in ("large", "told")] == [False, True]


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
    served = serve()
    memory = served.door.deciding.neighbours.memory = Counting()
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
    judge_neighbours()
    with session_scope() as session:
        stood = standing(session)
        rejudge_hosts(session, [sender.host_id for sender in senders], in_full=True)
    with session_scope() as session:
        assert standing(session) == stood


def standing(session: Session) -> list[tuple[object, ...]]:
    return [tuple(row) for statement in (FINDINGS, SCORES) for row in session.execute(statement)]


def test_of_hosts_that_come_at_one_moment_one_reads_for_all() -> None:
    class Slow(EmptyTables):
        """Answers once everybody has asked."""

        def __init__(self) -> None:
            super().__init__(())
            self.asked, self.may_answer = 0, asyncio.Event()

        async def execute(self, statement: str, parameters: object) -> Rows:
            self.asked += statement == peers.READ_MEMBERS
            await self.may_answer.wait()
            return await super().execute(statement, parameters)

    async def run() -> tuple[int, list[bool]]:
        tables, neighbours = Slow(), Neighbours()

        async def read(ask: Callable[..., Awaitable[object]]) -> object:
            return await ask(tables)

        asking = [asyncio.create_task(neighbours._domains(read, ("group:1",), is_locked=False)) for _ in range(8)]
        await asyncio.sleep(0)
        # One hangs up, and be it the one that began to read: the others are answered all the same.
        asking[0].cancel()
        tables.may_answer.set()
        answered = await asyncio.gather(*asking, return_exceptions=True)
        again = await neighbours._domains(read, ("group:1",), is_locked=False)
        assert set(again) == {"group:1"}
        return tables.asked, [isinstance(each, dict) and set(each) == {"group:1"} for each in answered]

    assert asyncio.run(run()) == (2, [False] + [True] * 7)
