"""Whom a host is compared with at the door: read before the queue from what was remembered, and looked at again under the lock."""

import asyncio
from collections.abc import Mapping
from typing import Any

import psycopg

from plumbline.checkin.state import HostState
from plumbline.configurations.bodies import Read
from plumbline.core.facts.configuration import HOST, Configuration
from plumbline.core.rules.peer_questions import Answers, Domain, Questions
from plumbline.core.rules.peers import Peers
from plumbline.evaluation.peers import (
    READ_LABELS,
    READ_MEMBERS,
    READ_TOLD,
    READ_VERSIONS,
    DomainMemory,
    Gathered,
    Told,
    add_members,
    answers_of,
    asked_by,
    domains_of,
    has_to_answer,
    peers_from,
    tell,
    told_by,
)
from plumbline.packs.in_force import ActiveRules, JudgingRules

_NOTHING_ASKED = Gathered()
_LABEL = "fabric:"
_ROWS_AT_A_TIME = 200


class Neighbours:
    """Gathers peers for hosts one at a time. Where the host and its domains are remembered, that takes no query."""

    def __init__(self) -> None:
        self.memory = DomainMemory()
        # By the domains that are being read: who needs the same ones meanwhile waits for that reading.
        self._readings: dict[tuple[str, ...], asyncio.Task[dict[str, Domain]]] = {}

    async def gather(
        self,
        read: Read,
        host: HostState,
        configuration: Configuration,
        rules: ActiveRules,
        in_force: JudgingRules,
        *,
        unread: Mapping[str, str],
        touched: frozenset[str] | None,
        is_locked: bool,
    ) -> Gathered:
        """What a changed host tells now, and what it is compared with. `is_locked`: the versions of its domains are read again."""
        questions = asked_by(rules)
        if not questions.asked:
            return _NOTHING_ASKED
        before = await self._stored(read, host)
        if not is_locked and before is not None and _tells_alike(questions, host, before, touched, unread):
            known = self._known(host, in_force, before)
            if known is not None:
                return known
        if before is None or has_to_answer(questions, before, touched, unread):
            answers: Answers = answers_of(questions, configuration, unread)
        else:
            answers = before.answers
        cluster = configuration.value(HOST, "cluster")
        told = tell(
            questions,
            answers=answers,
            cluster=cluster if isinstance(cluster, str) else "",
            group_id=host.group_id,
            labels=await self._labels(read, host, before, answers),
        )
        domains = await self._domains(read, told.domains, is_locked=is_locked)
        versions = {name: domain.version for name, domain in domains.items()}
        is_new = told != before
        peers = None if is_new else _known_peers(host, in_force, versions)
        if peers is None:
            peers = peers_from(in_force, told, domains, host.id)
        return Gathered(peers, told, is_new, before.domains if before is not None else (), versions)

    def _known(self, host: HostState, in_force: JudgingRules, told: Told) -> Gathered | None:
        """What was gathered last, where the domains are as they were then; None where that is not known."""
        if host.warm is None or host.warm.versions is None:
            return None
        versions = {name: domain.version for name in host.warm.versions if (domain := self.memory.get(name)) is not None}
        peers = _known_peers(host, in_force, versions)
        return None if peers is None else Gathered(peers, told, False, told.domains, versions)

    async def _stored(self, read: Read, host: HostState) -> Told | None:
        if host.warm is not None and host.warm.findings is not None:
            return host.warm.told
        rows = await read(lambda connection: _rows(connection, READ_TOLD, [host.id]))
        return told_by(rows[0])[1] if rows else None

    async def _labels(self, read: Read, host: HostState, before: Told | None, answers: Answers) -> dict[str, str]:
        """The labels of the host's adapters; whoever sets one judges the host again, so that those of its row stand."""
        compared = {subject for told in answers.values() for subject, _ in told}
        if before is not None:
            shared = {domain for domain in before.adapters.values() if not domain.startswith(_LABEL)}
            # An adapter that was not there, or another group: only the table knows.
            if shared <= {f"group:{host.group_id}"} and compared & _known(before) == compared:
                return {adapter: domain.removeprefix(_LABEL) for adapter, domain in before.adapters.items() if domain.startswith(_LABEL)}
        rows = await read(lambda connection: _rows(connection, READ_LABELS, [host.id]))
        return {adapter: fabric for _, adapter, fabric in rows}

    async def _domains(self, read: Read, names: tuple[str, ...], *, is_locked: bool) -> dict[str, Domain]:
        if not names:
            return {}
        found = {name: domain for name in names if (domain := self.memory.get(name)) is not None}
        if is_locked:
            versions = dict(await read(lambda connection: _rows(connection, READ_VERSIONS, list(names))))
            found = {name: domain for name, domain in found.items() if domain.version == versions.get(name, 0)}
        missing = tuple(name for name in names if name not in found)
        if missing:
            found |= await (self._read_anew(read, missing) if is_locked else self._read_once(read, missing))
        return found

    async def _read_once(self, read: Read, names: tuple[str, ...]) -> dict[str, Domain]:
        """The domains, read once for all that ask for the same at a time: of a large group that comes back, hundreds do."""
        reading = self._readings.get(names)
        if reading is None:
            reading = self._readings[names] = asyncio.create_task(self._read_anew(read, names), name="domains of neighbours")
            reading.add_done_callback(lambda _: self._readings.pop(names))
        # Whoever hangs up leaves the others their reading.
        return await asyncio.shield(reading)

    async def _read_anew(self, read: Read, names: tuple[str, ...]) -> dict[str, Domain]:
        anew = await read(lambda connection: _read_domains(connection, list(names)))
        self.memory.put(anew)
        return anew


def _tells_alike(questions: Questions, host: HostState, before: Told, touched: frozenset[str] | None, unread: Mapping[str, str]) -> bool:
    """Nothing that a host tells rests on what changed. Labels stand, since whoever sets one judges the host again."""
    if touched is None or "host.cluster" in touched or has_to_answer(questions, before, touched, unread):
        return False
    own = f"group:{host.group_id}"
    return all(domain == own or domain.startswith(_LABEL) for domain in before.adapters.values())


def _known_peers(host: HostState, in_force: JudgingRules, versions: dict[str, int]) -> Peers | None:
    """What the host was compared with last, where its domains are as they were then; None where that is not known."""
    warm = host.warm
    if warm is None or warm.judged is None or warm.judged.rules is not in_force:
        return None
    # A domain without a version may change without getting another.
    return warm.judged.beside.peers if warm.versions == versions and all(versions.values()) else None


def _known(before: Told) -> set[str]:
    return {subject for told in before.answers.values() for subject, _ in told}


async def _rows(connection: "psycopg.AsyncConnection[Any]", statement: str, keys: list[str]) -> list[Any]:
    return await (await connection.execute(statement, (keys,))).fetchall()


async def _read_domains(connection: "psycopg.AsyncConnection[Any]", names: list[str]) -> dict[str, Domain]:
    """The versions first: what changes in between makes a domain newer than it says, never older. Members are taken some hundred at a time,
    so that a domain of thousands neither stops the answers to others nor stands in memory as rows."""
    async with connection.pipeline():
        versions = await connection.execute(READ_VERSIONS, (names,))
        members = await connection.execute(READ_MEMBERS, (names,))
    domains = domains_of(names, dict(await versions.fetchall()), ())
    while rows := await members.fetchmany(_ROWS_AT_A_TIME):
        add_members(domains, rows)
        await asyncio.sleep(0)
    return domains
