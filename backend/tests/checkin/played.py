"""One host played twice: through the door's deciding with everything it remembers, and judged from nothing after every check-in."""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from plumbline.checkin.envelope import read_body
from plumbline.checkin.headers import Claim
from plumbline.checkin.interpret import Understood, new_configuration
from plumbline.checkin.pending import Answer, Arrival, Decision
from plumbline.checkin.sections import Deciding
from plumbline.checkin.state import HostState
from plumbline.configurations.bodies import Store
from plumbline.core.drift.changes import diff
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import Platform, SectionReading
from plumbline.core.facts.document import Document
from plumbline.evaluation.evaluate import Judgement, judge, unread_of
from plumbline.evaluation.findings import Identity, StoredFinding, Writes, compare, figures_of, set_verdict
from plumbline.evaluation.rollups import HostFigures
from plumbline.evaluation.waivers_in_force import READ_WAIVERS, ActiveWaiver, tripped_waivers
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.load import load_folder
from plumbline.packs.in_force import ActiveRules, JudgingRules

Failure = tuple[str, str]  # status, error
Sections = Mapping[str, bytes | Failure]
START = datetime(2026, 11, 1, tzinfo=UTC)


def rules_of_the_program() -> ActiveRules:
    """The packs that come with it, as they would be in force on the root group."""
    packs = tuple(loaded.pack for loaded in load_folder(RULESETS))
    rules = {rule.address: rule for pack in packs for rule in pack.rules}
    numbers = {address: number for number, address in enumerate(sorted(rules), start=1)}
    versions = {pack.id: number for number, pack in enumerate(packs, start=1)}
    judging = JudgingRules(packs, versions, numbers, rules=rules, known_numbers=frozenset(numbers.values()))
    return ActiveRules(1, {1: judging})


class EmptyTables:
    """Stands for a database that knows nothing of the host but the waivers that meet it."""

    def __init__(self, waivers: Sequence[tuple[Any, ...]]) -> None:
        self.waivers = waivers

    @contextlib.asynccontextmanager
    async def pipeline(self) -> AsyncIterator[None]:
        yield

    async def execute(self, statement: str, parameters: object) -> "Rows":
        return Rows(self.waivers if statement == READ_WAIVERS else ())


class Rows:
    """What a query answered."""

    def __init__(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self.rows = rows

    async def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        given, self.rows = list(self.rows[:size]), self.rows[size:]
        return given

    async def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self.rows)


@dataclass
class Played:
    """A host and the two memories of it."""

    platform: str
    rules: ActiveRules
    waivers: Sequence[ActiveWaiver] = ()
    host: HostState = field(init=False)
    deciding: Deciding = field(init=False)
    seq: int = 0
    bodies: int = 0
    # How many check-ins were judged by rules that read a touched key alone.
    partial: int = 0
    # What the server holds of each section.
    stored: dict[str, bytes | Failure] = field(default_factory=dict)
    # The reference: what is stored of the host when every check-in is understood and judged from nothing.
    document: Document | None = None
    stands: dict[Identity, StoredFinding] = field(default_factory=dict)
    figures: HostFigures = field(default_factory=lambda: HostFigures(1, False))

    def __post_init__(self) -> None:
        self.host = HostState("f" * 32, "h", self.platform, 1, "active", True, 1, 1, None, "k", "", 0, b"", (), "", 0, 1, 3600, None, {})
        self.deciding = Deciding(Store(), self.rules)

    def check_in(self, sections: Sections, version: str = "1.0.0", overrides: Mapping[str, str] | None = None) -> bool:
        """Takes one check-in on both ways and compares; answers whether it changed anything."""
        self.seq += 1
        if overrides is not None and overrides != self.host.overrides:
            # A person's word comes in another transaction: the door finds another state_version and reads the host anew.
            self.host = replace(self.host, overrides=dict(overrides), warm=None, configuration_id=None)
            self.stands, self.document, self.figures = {}, None, HostFigures(1, False)
        now = START + timedelta(hours=self.seq)
        arrival = self._arrival(sections, version)
        before = self.host
        taken: list[Decision] = []
        # Not as the result: on its way out asyncio writes that as text to itself, which for a whole host takes longer than to decide.
        asyncio.run(self._decide(arrival, taken))
        (decision,) = taken
        assert self.deciding.judging_errors == 0
        assert self.deciding.understanding.internal_errors == 0
        self._remember(arrival, decision)
        new = {*decision.sections, *(name for name, _, _ in decision.names)}
        asked = {**self.stored, **{name: sections[name] for name in new}}
        # A body that changes no setting is only another name of the stored one.
        self.stored.update((name, sections[name]) for name in decision.sections)
        if decision.configuration is None:
            # Another version of the agent alone moves nothing but the host's row; its setting follows with the next section.
            if not decision.is_heartbeat:
                assert not self._understood(asked, version).is_changed
            return False
        self._compare_changed(asked, version, decision, before, now)
        return True

    async def _decide(self, arrival: Arrival, taken: list[Decision]) -> None:
        quiet = self.deciding.glance(arrival, self.host)
        taken.append(await self.deciding.decide(self._read, arrival, self.host) if quiet is None else Decision(quiet))

    async def _read(self, ask: Any) -> Any:
        return await ask(EmptyTables([(self.host.id, *waiver) for waiver in self.waivers]))

    def _arrival(self, sections: Sections, version: str) -> Arrival:
        said: dict[str, Any] = {}
        lines = []
        for name, held in sections.items():
            if isinstance(held, bytes):
                said[name] = {"sha256": hashlib.sha256(held).hexdigest(), "status": "ok", "took_ms": 1}
                lines.append(held)
            else:
                said[name] = {"status": held[0], "error": held[1]}
        first = {
            "v": 1, "boot": "b1", "made_at": "2026-11-01T00:00:00Z", "agent": {"platform": self.platform, "version": version},
            "sections": said,
        }  # fmt: skip
        body = read_body(b"\n".join([json.dumps(first, separators=(",", ":")).encode(), *dict.fromkeys(lines)]))
        claim = Claim(self.host.id, 1, self.seq, "ab" * 8, 1, "2026-11-01T00:00:00Z", "identity", b"0" * 64, None)
        return Arrival(claim, "k", body, 0, cast("asyncio.Future[Answer]", None), state=self.host)

    def _remember(self, arrival: Arrival, decision: Decision) -> None:
        """As the committer does after COMMIT."""
        for state in decision.sections.values():
            if state.status == "ok" and state.body_id is None:
                self.bodies += 1
                state.body_id = self.bodies
        host = replace(self.host, last_seq=self.seq, sections=self.host.sections | decision.sections | decision.remembered)
        host.boots = (arrival.body.envelope.boot,)
        if decision.configuration is not None:
            host.configuration_id = self.seq
            host.warm = decision.warm
            if host.warm is not None:
                host.warm.configuration_id = self.seq
        self.host = host

    # The reference.

    def _understood(self, sections: Sections, version: str) -> Understood:
        readings = {
            name: SectionReading("ok", held) if isinstance(held, bytes) else SectionReading(held[0], b"", held[1])  # type: ignore[arg-type]
            for name, held in sections.items()
        }
        known = self.document.configuration.all_subjects() if self.document is not None else ()
        assembled = assemble(cast(Platform, self.platform), readings, self.host.overrides, known_subjects=known, agent_version=version)
        assert assembled.internal_errors == ()
        document = Document(assembled.configuration, assembled.path_map, assembled.problems)
        return Understood(
            assembled, document, self.document, diff(self.document.configuration if self.document else None, document.configuration)
        )

    def _compare_changed(self, sections: Sections, version: str, decision: Decision, before: HostState, now: datetime) -> None:
        understood = self._understood(sections, version)
        assert understood.is_changed
        assert decision.warm is not None
        found, asked = decision.warm.document, understood.document
        assert found.configuration == asked.configuration
        assert found.path_map == asked.path_map
        assert found.problems == asked.problems
        assert decision.configuration == new_configuration(understood, is_rebooted=False)
        judgement = self._judgement(understood, sections, decision)
        self.partial += decision.judgement is not None and decision.judgement.is_partial
        mine, writes = Writes(), Writes()
        assert decision.judgement is not None
        old = before.warm.findings if before.warm is not None and before.warm.findings is not None else {}
        stands = _stored(mine, self.host.id, now, old, decision.judgement)
        self.stands = _stored(writes, self.host.id, now, self.stands, judgement)
        assert stands == self.stands
        assert decision.judgement.verdict == judgement.verdict
        after = figures_of(1, judgement.verdict)
        set_verdict(mine, host_id=self.host.id, old=self.figures, new=after, verdict=decision.judgement.verdict, judging_epoch=1)
        set_verdict(writes, host_id=self.host.id, old=self.figures, new=after, verdict=judgement.verdict, judging_epoch=1)
        for name in ("upserts", "deletes", "log"):
            assert sorted(map(repr, getattr(mine, name))) == sorted(map(repr, getattr(writes, name))), name
        assert mine.deltas.rows() == writes.deltas.rows()
        self.document, self.figures = asked, after
        decision.warm.findings, decision.warm.figures = stands, after
        decision.warm.waivers = [waiver for waiver in decision.waivers if waiver.id not in decision.tripped]
        self.waivers = decision.warm.waivers

    def _judgement(self, understood: Understood, sections: Sections, decision: Decision) -> Judgement:
        statuses = {name: ("ok", "") if isinstance(held, bytes) else held for name, held in sections.items()}
        configuration = understood.document.configuration
        tripped = tripped_waivers(self.waivers, configuration)
        return judge(
            self.rules.by_group[1],
            configuration,
            unread=unread_of(self.platform, statuses),
            peers=decision.gathered.peers,
            waivers=[waiver for waiver in self.waivers if waiver.id not in tripped],
        )


def _stored(
    writes: Writes, host_id: str, now: datetime, old: Mapping[Identity, StoredFinding], judgement: Judgement
) -> dict[Identity, StoredFinding]:
    stands = compare(
        writes,
        host_id=host_id,
        group_id=1,
        now=now,
        old=old,
        new=judgement.findings,
        is_unread=judgement.is_unread,
        known_rules=judgement.known_rules,
        kept=judgement.kept,
        is_partial=judgement.is_partial,
    )
    return {**old, **stands} if judgement.is_partial else stands
