"""What a check-in means: which sections are new, which bodies are wanted, and, where a body changed, what the host is now configured like.

Made once before the queue from memory, and once more under the lock where memory turned out to be stale; both times by this code.
"""

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import psycopg
import structlog

from plumbline.checkin import statements as sql
from plumbline.checkin.envelope import MAX_ERROR_CHARACTERS, SectionFacts
from plumbline.checkin.errors import Refused
from plumbline.checkin.interpret import Understanding, Understood, new_configuration
from plumbline.checkin.neighbours import Neighbours
from plumbline.checkin.pending import Arrival, Decision, NewBody
from plumbline.checkin.state import HostState, SectionState, Warm, is_every_read
from plumbline.configurations.bodies import Read, Store
from plumbline.evaluation.attestations_in_force import READ_ATTESTATIONS, Given, attestations_by_host
from plumbline.evaluation.evaluate import Judgement, judge, unread_of
from plumbline.evaluation.findings import HostVerdict, Identity, StoredFinding, stored_findings
from plumbline.evaluation.statements import READ_FINDINGS
from plumbline.evaluation.waivers_in_force import READ_WAIVERS, ActiveWaiver, tripped_waivers, waivers_by_host
from plumbline.infra.database import session_scope
from plumbline.packs.in_force import NO_RULES, ActiveRules, read_active

log = structlog.get_logger()

# Known by content alone: nothing of the host is in it, and a driver's catalogue is the same on every host.
SHARED_SECTIONS = frozenset({"property_catalogue"})
# How many other names of one body are kept in memory; the table has them all.
MAX_NAMES = 16


# Hosts in these states are judged; a waiting one is read and shown apart.
JUDGED_STATES = frozenset({"active"})


class Deciding:
    """Decides. Holds what is needed for it: the store of bodies, the facts read lately, the rules in force."""

    def __init__(self, store: Store, rules: ActiveRules | None = None) -> None:
        """`rules`: those in force, where they are known already; else they are read when first asked for."""
        self.store = store
        self.understanding = Understanding(store)
        self.neighbours = Neighbours()
        self._rules = rules
        self._reading = asyncio.Lock()
        self.judging_errors = 0

    async def rules(self, judging_epoch: int | None = None) -> ActiveRules:
        """The rules in force; read again where the given epoch (the one under the lock) is another than theirs."""
        known = self._rules
        if known is not None and (judging_epoch is None or known.judging_epoch == judging_epoch):
            return known
        async with self._reading:
            if self._rules is None or (judging_epoch is not None and self._rules.judging_epoch != judging_epoch):
                self._rules = await asyncio.to_thread(_read_rules)
            return self._rules

    def glance(self, arrival: Arrival, host: HostState) -> tuple[Any, ...] | None:
        """What the decision rests on where nothing differs from memory, which needs no query; None: it has to be decided."""
        claimed, sections = arrival.body.envelope.sections, host.sections
        if len(claimed) != len(sections):
            return None
        for name, facts in claimed.items():
            before = sections.get(name)
            if before is None or facts.status != "ok" or before.status != "ok":
                break
            if facts.sha256 != before.hex:
                if not before.also:
                    return None
                break
        else:
            return host.basis
        decision, unknown = _compare(arrival, host)
        return decision.basis if not unknown and decision.is_heartbeat else None

    async def decide(self, read: Read, arrival: Arrival, host: HostState, judging_epoch: int | None = None) -> Decision:
        """The decision on a check-in that is new in its host's order. Raises `Refused` (409 with `want`) where bodies are not known.

        `judging_epoch` is the installation's, where it was read under the lock.
        """
        decision, unknown = _compare(arrival, host)
        if unknown:
            await self._find(read, arrival, decision, unknown)
        if decision.sections:
            await self._understand(read, arrival, host, decision, judging_epoch)
        return decision

    async def _understand(self, read: Read, arrival: Arrival, host: HostState, decision: Decision, judging_epoch: int | None) -> None:
        """Reads the configuration; where it did not change, the new bodies become other names of the stored ones."""
        sections = host.sections | decision.sections
        version = arrival.body.envelope.agent.version
        understood = await self.understanding.understand(read, host, sections, decision.sections, arrival.body.bodies, version)
        if not understood.is_changed:
            _name_again(host, decision)
            return
        is_rebooted = bool(host.boots) and host.boots[-1] != arrival.body.envelope.boot
        decision.configuration = new_configuration(understood, is_rebooted=is_rebooted)
        decision.warm = Warm(None, understood.document, understood.memory, understood.encoded, understood.shown)
        if host.state in JUDGED_STATES:
            await self._judge(read, host, decision, understood, sections, judging_epoch)

    async def _judge(
        self,
        read: Read,
        host: HostState,
        decision: Decision,
        understood: Understood,
        sections: dict[str, SectionState],
        judging_epoch: int | None,
    ) -> None:
        rules = await self.rules(judging_epoch)
        if host.group_id not in rules.by_group:
            # A group made a moment ago.
            self._rules = None
            rules = await self.rules()
        in_force = rules.by_group.get(host.group_id, NO_RULES)
        decision.judging_epoch = rules.judging_epoch
        old, waivers, attestations = await self._findings(read, host)
        tripped = tripped_waivers(waivers, understood.document.configuration)
        decision.waivers = waivers
        decision.tripped = tripped
        unread = _unread(host.platform, sections)
        # Findings judged under other rules are put into words again as a whole.
        touched = understood.touched_keys if host.judging_epoch == rules.judging_epoch and understood.before is not None else None
        # What was judged last is what is stored, where both are remembered together.
        is_remembered = host.warm is not None and host.warm.findings is not None and touched is not None
        moved = understood.touched if is_remembered and not understood.has_other_subjects else None
        decision.gathered = await self.neighbours.gather(
            read,
            host,
            understood.document.configuration,
            rules,
            in_force,
            unread=unread,
            touched=touched,
            is_locked=judging_epoch is not None,
        )
        try:
            decision.judgement = judge(
                in_force,
                understood.document.configuration,
                unread=unread,
                peers=decision.gathered.peers,
                waivers=[waiver for waiver in waivers if waiver.id not in tripped],
                attestations=attestations,
                old=old,
                touched=touched,
                before=host.warm.judged if host.warm is not None else None,
                moved=moved,
            )
            if decision.warm is not None:
                decision.warm.attestations = attestations
                decision.warm.told, decision.warm.versions = decision.gathered.told, decision.gathered.versions
                decision.warm.judged = decision.judgement.judged
        except Exception as error:
            # Never the check-in's fault: its settings are stored, its findings become unknown until it is judged again.
            self.judging_errors += 1
            log.exception("internal error while judging a check-in", host=host.id)
            reason = f"internal error while judging: {type(error).__name__}"
            decision.judgement = Judgement([], frozenset(), HostVerdict(), in_force.known_numbers, _Everything(reason), is_broken=True)
        decision.old_findings = old

    async def _findings(self, read: Read, host: HostState) -> tuple[dict[Identity, StoredFinding], list[ActiveWaiver], list[Given]]:
        if host.warm is not None and host.warm.findings is not None:
            return host.warm.findings, host.warm.waivers, host.warm.attestations
        findings, waivers, attestations = await read(lambda connection: _read_findings(connection, host.id))
        return (
            stored_findings(findings).get(host.id, {}),
            waivers_by_host(waivers).get(host.id, []),
            attestations_by_host(attestations).get(host.id, []),
        )

    async def _find(self, read: Read, arrival: Arrival, decision: Decision, unknown: dict[str, bytes]) -> None:
        """Lists the bodies to be stored, and fills in those that are known. Raises `Refused` (409) for those nobody has.

        A body that came along is not looked for: storing it finds the one that may be there already.
        """
        host_id = arrival.claim.host_id
        bodies = arrival.body.bodies
        decision.bodies += [NewBody(name, _owner(name, host_id), unknown[name], bodies[name]) for name in unknown if name in bodies]
        names = [name for name in unknown if name not in bodies]
        if not names:
            return
        digests = [unknown[name] for name in names]
        found = await read(lambda connection: _find_bodies(connection, host_id, names, digests))
        for name, digest in zip(names, digests, strict=True):
            decision.sections[name].body_id = found.get((name, digest))
        want = [name for name in names if decision.sections[name].body_id is None]
        if want:
            raise Refused(409, "some bodies are not known", want=sorted(want))


def _unread(platform: str, sections: Mapping[str, SectionState]) -> Mapping[str, str]:
    """The kinds that could not be listed, with the words."""
    if is_every_read(sections):
        return _not_sent(platform, frozenset(sections))
    return unread_of(platform, {name: (state.status, state.error) for name, state in sections.items()})


@lru_cache(maxsize=256)
def _not_sent(platform: str, names: frozenset[str]) -> Mapping[str, str]:
    """As `_unread`, of a host all of whose sections were read: the same for every host that sends these."""
    return unread_of(platform, dict.fromkeys(names, ("ok", "")))


def _owner(section: str, host_id: str) -> str:
    return "" if section in SHARED_SECTIONS else host_id


async def _read_findings(connection: "psycopg.AsyncConnection[Any]", host_id: str) -> tuple[list[Any], list[Any], list[Any]]:
    async with connection.pipeline():
        findings = await connection.execute(READ_FINDINGS, ([host_id],))
        waivers = await connection.execute(READ_WAIVERS, ([host_id],))
        attestations = await connection.execute(READ_ATTESTATIONS, ([host_id],))
    return await findings.fetchall(), await waivers.fetchall(), await attestations.fetchall()


async def _find_bodies(
    connection: "psycopg.AsyncConnection[Any]", host_id: str, names: list[str], digests: list[bytes]
) -> dict[tuple[str, bytes], int]:
    """Stored bodies by section and digest, under their own name or another."""
    owners = [_owner(name, host_id) for name in names]
    async with connection.pipeline():
        stored = await connection.execute(sql.FIND_BODIES, (owners, names, digests))
        named = await connection.execute(sql.FIND_NAMED, (names, digests, host_id))
    found = {(section, bytes(sha256)): body_id for section, sha256, body_id in await named.fetchall()}
    found.update(((section, bytes(sha256)), body_id) for _, section, sha256, body_id in await stored.fetchall())
    return found


def _compare(arrival: Arrival, host: HostState) -> tuple[Decision, dict[str, bytes]]:
    """Sections that differ from the host's newest, and of those the digests of the ones with a body."""
    decision = Decision(basis=host.basis)
    unknown: dict[str, bytes] = {}
    claimed = arrival.body.envelope.sections
    for name in _differing(claimed, host.sections):
        facts, before = claimed[name], host.sections.get(name)
        error = (facts.error if isinstance(facts.error, str) else "")[:MAX_ERROR_CHARACTERS]
        if facts.status != "ok" or not isinstance(facts.sha256, str):
            if before is None or before.status != facts.status or before.error != error:
                decision.sections[name] = SectionState(facts.status, error)
            continue
        digest = bytes.fromhex(facts.sha256)
        if before is not None and before.is_named(digest):
            continue
        decision.sections[name] = SectionState("ok", error, digest)
        unknown[name] = digest
    if host.sections.keys() <= claimed.keys():
        return decision, unknown
    for name, before in host.sections.items():
        if name not in claimed and before.status != "failed":
            decision.sections[name] = SectionState("failed", "the agent did not list it")
    return decision, unknown


def _differing(claimed: Mapping[str, SectionFacts], known: Mapping[str, SectionState]) -> list[str]:
    """The sections that are not at first sight what is remembered."""
    return [
        name
        for name, facts in claimed.items()
        if (before := known.get(name)) is None or facts.sha256 != before.hex or facts.status != "ok" or before.status != "ok"
    ]


class _Everything(dict[str, str]):
    """Says the same of every kind of subject."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self._reason = reason

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ARG002
        return self._reason


def _read_rules() -> ActiveRules:
    with session_scope() as session:
        return read_active(session)


def _name_again(host: HostState, decision: Decision) -> None:
    """No setting changed: bodies that differ become other names of the stored ones, and only changes of status remain to be written."""
    kept = []
    for name, state in list(decision.sections.items()):
        before = host.sections.get(name)
        if state.status != "ok" or state.sha256 is None or before is None or before.body_id is None or before.status != "ok":
            kept.append(name)
            continue
        decision.names.append((name, state.sha256, before.body_id))
        also = (before.also | {state.sha256}) if len(before.also) < MAX_NAMES else frozenset({state.sha256})
        decision.remembered[name] = SectionState("ok", before.error, before.sha256, before.body_id, also)
    decision.sections = {name: decision.sections[name] for name in kept}
    decision.bodies = [body for body in decision.bodies if body.section in decision.sections]
