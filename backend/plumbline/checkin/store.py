"""One transaction's worth of check-ins: put in order under the locks, written (`writing`), remembered after COMMIT."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import psycopg

from plumbline.checkin import statements as sql
from plumbline.checkin.errors import Refused
from plumbline.checkin.locked import Accepted, LockedRow
from plumbline.checkin.pending import Answer, Arrival, Decision
from plumbline.checkin.receipts import receipt
from plumbline.checkin.sections import Deciding
from plumbline.checkin.sequence import Place, follow_boots, place_of
from plumbline.checkin.state import HostState, HostStates, push_entry, read_states, ring_entry
from plumbline.checkin.write import Writing
from plumbline.hosts.agent_keys import KeyRing, key_ring

T = TypeVar("T")


@dataclass
class Batch:
    """The check-ins of one transaction."""

    connection: "psycopg.AsyncConnection[Any]"
    states: HostStates
    deciding: Deciding
    accepted: list[Accepted] = field(default_factory=list)
    answers: list[tuple[Arrival, Answer]] = field(default_factory=list)
    alarms: list[tuple[str, str]] = field(default_factory=list)
    # Hosts whose new secret was used first by a check-in seen before.
    first_uses: list[HostState] = field(default_factory=list)
    statements: int = 0

    @property
    def is_empty(self) -> bool:
        """Nothing is to be written."""
        return not self.accepted and not self.alarms

    async def settle(self, arrivals: list[Arrival], rows: dict[str, LockedRow]) -> None:
        """Puts each check-in in its host's order, deciding again under the lock what was decided from a state that no longer is."""
        ring = key_ring()
        newest = ring.newest
        for arrival in arrivals:
            if arrival.decision is None and arrival.quiet is not None:
                arrival.decision = Decision(arrival.quiet)
        stale = [
            arrival.claim.host_id
            for arrival in arrivals
            if arrival.claim.host_id in rows and (arrival.state is None or arrival.state.basis != rows[arrival.claim.host_id].basis)
        ]
        fresh: dict[str, HostState] = {}
        if stale:
            fresh = await read_states(self.connection, stale)
            self.statements += 3
        judging_epoch, versions = await self._judging_epoch(arrivals, rows)
        for arrival in arrivals:
            row = rows.get(arrival.claim.host_id)
            host = fresh.get(arrival.claim.host_id, arrival.state)
            if row is None or host is None:
                self.answers.append((arrival, Answer(401, {"error": "bad signature"})))
                continue
            host.interval_seconds = row.interval_seconds
            place = place_of(arrival, host, newest)
            if place.kind == "new":
                await self._take(arrival, row, host, place, newest, judging_epoch, versions)
            else:
                self._answer_old(arrival, row, host, place, ring)
            if arrival.claim.host_id in fresh:
                self.states.put(host)

    async def _judging_epoch(self, arrivals: list[Arrival], rows: dict[str, LockedRow]) -> tuple[int, dict[str, int]]:
        """The installation's judging epoch and the versions of domains, read after the locks are held; zero where nothing can need it."""
        if all(
            arrival.decision is not None
            and arrival.decision.is_heartbeat
            and arrival.claim.host_id in rows
            and arrival.decision.basis == rows[arrival.claim.host_id].basis
            for arrival in arrivals
        ):
            return 0, {}
        domains = {name for arrival in arrivals if arrival.decision is not None for name in arrival.decision.gathered.versions}
        row = await (await self.connection.execute(sql.JUDGING_EPOCH, (sorted(domains),))).fetchone()
        self.statements += 1
        return (int(row[0]), row[1] or {}) if row else (0, {})

    async def _take(
        self,
        arrival: Arrival,
        row: LockedRow,
        host: HostState,
        place: Place,
        newest: str,
        judging_epoch: int,
        versions: dict[str, int],
    ) -> None:
        decision = arrival.decision
        is_stale = decision is None or decision.basis != row.basis
        is_old_judging = decision is not None and decision.judgement is not None and decision.judging_epoch != judging_epoch
        is_beside_old = decision is not None and any(versions.get(name, 0) != seen for name, seen in decision.gathered.versions.items())
        if is_stale or is_old_judging or is_beside_old:
            try:
                decision = await self.deciding.decide(self._read, arrival, host, judging_epoch)
            except Refused as refused:
                self.answers.append((arrival, Answer(refused.status, refused.body(), refused.retry_after_seconds)))
                return
        assert decision is not None
        claim = arrival.claim
        boots, alarm = follow_boots(host.boots if claim.epoch == host.epoch else (), arrival.body.envelope.boot)
        entry = ring_entry(claim.seq, arrival.body.digest)
        after = host.following()
        after.epoch, after.last_seq, after.boots = claim.epoch, claim.seq, boots
        after.accepted = push_entry(host.accepted if claim.epoch == host.epoch else b"", entry)
        after.alarm = alarm or host.alarm
        if not decision.is_heartbeat:
            after.sections = host.sections | decision.sections | decision.remembered
        _move_generation(after, arrival, place, newest)
        gap = max(0, claim.seq - host.last_seq - 1) if claim.epoch == host.epoch and host.last_seq else 0
        self.accepted.append(Accepted(arrival, row, host, after, decision, alarm, min(gap, 2**31 - 1)))

    def _answer_old(self, arrival: Arrival, row: LockedRow, host: HostState, place: Place, ring: KeyRing) -> None:
        if place.kind == "again":
            self.answers.append((arrival, Answer(200, receipt(arrival, host, ring, now=row.now_seconds, seen_before=row.seen_seconds))))
            return
        if place.alarm and host.alarm == "":
            self.alarms.append((host.id, place.alarm))
            host.alarm = place.alarm
        body: dict[str, Any] = {"error": place.error}
        if place.status == 409:
            body["seq_used"] = arrival.claim.seq
        self.answers.append((arrival, Answer(place.status, body, 3600 if place.status == 403 else None)))

    async def write(self) -> None:
        """Writes everything and commits; the answers are ready then, not before."""
        writing = Writing(self.connection, self.deciding.store, self.accepted)
        await writing.write(self.alarms)
        self.statements += writing.statements
        ring = key_ring()
        for found in self.accepted:
            said = receipt(found.arrival, found.after, ring, now=found.row.now_seconds, seen_before=found.row.seen_seconds)
            self.answers.append((found.arrival, Answer(200, said)))

    async def _read(self, ask: "Callable[[psycopg.AsyncConnection[Any]], Awaitable[T]]", /) -> T:
        """Reads inside the transaction, under the locks."""
        return await ask(self.connection)

    def remember(self) -> None:
        """After COMMIT: memory follows."""
        for found in self.accepted:
            self.states.put(found.after)


def _move_generation(host: HostState, arrival: Arrival, place: Place, newest: str) -> None:
    """First use of a new secret ends the old one; a key newer than the host's starts a new one."""
    if place.is_first_use or place.is_raised:
        host.generation, host.key_id = arrival.claim.generation, arrival.key_id
        host.next_generation, host.next_key_id = None, ""
    if host.key_id != newest and host.next_generation is None:
        host.next_generation, host.next_key_id = host.generation + 1, newest
