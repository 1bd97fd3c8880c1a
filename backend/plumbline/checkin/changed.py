"""Changed check-ins that were decided from memory alone, stored by two statements for a whole batch, in one round trip.

Nearly all changed check-ins are such. The first statement locks the hosts' rows in the order of their ids. The second, which sees what
stands then, compares each row, the judging epoch and the versions of the host's domains with what the decision was made from, and writes
those that still stand so; both are one transaction, committed with them. A host that does not stand so is left as it is, and its check-in
takes the long way, as does one about which anything has to be looked up.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import psycopg

from plumbline.checkin.changed_statements import LOCK_HOSTS, STORE_CHANGES, STORE_CHANGES_MOVED
from plumbline.checkin.heartbeats import follow, touch_row
from plumbline.checkin.pending import Answer, Arrival, Decision, NewConfiguration
from plumbline.checkin.receipts import receipt
from plumbline.checkin.state import HostState, SectionState, Warm, is_every_read
from plumbline.configurations.bodies import Store
from plumbline.evaluation.evaluate import Judgement
from plumbline.evaluation.findings import Identity, StoredFinding, Writes, compare, figures_of, set_verdict
from plumbline.evaluation.rollups import Deltas, HostFigures
from plumbline.hosts.agent_keys import KeyRing
from plumbline.infra.columns import array, columns

# Stands for the time at which a row is written, which the database says under the lock.
AT_COMMIT = datetime(1, 1, 1, tzinfo=UTC)
_START = datetime(1970, 1, 1, tzinfo=UTC)
# How many columns each array of rows has.
_BESIDE, _BODIES, _SECTIONS, _CHANGES, _FINDINGS, _VERDICTS, _DELETES, _LOG, _DELTAS = 3, 7, 8, 9, 17, 15, 4, 7, 7


class Change(NamedTuple):
    """One such check-in, and its row of the statement as far as it is the host's."""

    arrival: Arrival
    host: HostState
    decision: Decision
    configuration: NewConfiguration
    warm: Warm
    row: tuple[Any, ...]


class Stands(NamedTuple):
    """What stands of a host's findings once its check-in is stored; where `is_partial`, besides those that stand as they are."""

    findings: dict[Identity, StoredFinding] | None
    figures: HostFigures | None
    judging_epoch: int
    # Those that hold `AT_COMMIT` until the time is known.
    new: list[StoredFinding]
    is_partial: bool = False


def change_of(arrival: Arrival, newest_key: str) -> Change | None:
    """The check-in as such a change; None where it needs the long way."""
    host, decision = arrival.state, arrival.decision
    if host is None or decision is None or decision.configuration is None or decision.warm is None or decision.basis != host.basis:
        return None
    if decision.names or decision.tripped or decision.gathered.is_new:
        return None
    judgement = decision.judgement
    if judgement is not None and (judgement.is_broken or host.warm is None or host.warm.findings is None or host.warm.figures is None):
        return None
    row = touch_row(arrival, host, newest_key)
    return None if row is None else Change(arrival, host, decision, decision.configuration, decision.warm, row)


async def store_changes(
    connection: "psycopg.AsyncConnection[Any]", changes: list[Change], store: Store, ring: KeyRing
) -> list[tuple[Arrival, Answer | None]]:
    """Stores, commits, and lets memory follow; None instead of an answer where the host does not stand any more as it did when that was
    decided."""
    changes.sort(key=_id_of)
    findings = _Findings()
    stands = [findings.add(change) for change in changes]
    packed: dict[tuple[str, str, bytes], tuple[bytes, int | None]] = {}
    values = [
        *columns([_host_row(change, store) for change in changes]),
        *_arrays(_domains(changes), _BESIDE),
        *_arrays([row for change in changes for row in _body_rows(change, store, packed)], _BODIES),
        *_arrays([row for change in changes for row in _section_rows(change)], _SECTIONS),
        *_arrays([row for change in changes for row in _change_rows(change)], _CHANGES),
        *_arrays(findings.writes.upserts, _FINDINGS),
    ]
    statement = STORE_CHANGES
    if findings.is_moved:
        statement = STORE_CHANGES_MOVED
        values += findings.moved_columns()
    async with connection.pipeline():
        # Without BEGIN: what a pipeline sends before it waits is one transaction.
        await connection.execute(LOCK_HOSTS, (array([change.host.id for change in changes]),))
        cursor = await psycopg.AsyncRawCursor(connection).execute(statement, values)
    stored: dict[str, tuple[Any, ...]] = {row[0]: row[1:] for row in await cursor.fetchall()}
    answered: list[tuple[Arrival, Answer | None]] = []
    for change, stand in zip(changes, stands, strict=True):
        found = stored.get(change.host.id)
        if found is None:
            answered.append((change.arrival, None))
            continue
        answered.append((change.arrival, _remember(change, stand, found, ring)))
    return answered


def _id_of(change: Change) -> str:
    return change.host.id


def _arrays(rows: list[tuple[Any, ...]], width: int) -> list[str]:
    return columns(rows) if rows else ["{}"] * width


def _host_row(change: Change, store: Store) -> tuple[Any, ...]:
    arrival, host, decision, new, _, row = change
    shown = new.shown
    envelope = arrival.body.envelope
    sections = host.sections | decision.sections | decision.remembered
    under = None if decision.judgement is None else decision.judging_epoch
    return (
        *row, under, arrival.body.digest, envelope.made_at, arrival.body.size_bytes,
        envelope.rejected if isinstance(envelope.rejected, int) else 0, envelope.thinned if isinstance(envelope.thinned, int) else 0,
        arrival.runner_mark(envelope.runner_before), arrival.runner_mark(envelope.runner_after), failed_of(sections),
        shown.os_name, shown.os_release, shown.cluster, ",".join(shown.families), ",".join(shown.initiator_modes), shown.paths_healthy,
        shown.paths_total, shown.is_restart_pending, *store.configurations.pack(new.document), digests_of(sections),
    )  # fmt: skip


def _domains(changes: list[Change]) -> list[tuple[Any, ...]]:
    return [(change.host.id, *seen) for change in changes for seen in change.decision.gathered.versions.items()]


def _body_rows(change: Change, store: Store, packed: dict[tuple[str, str, bytes], tuple[bytes, int | None]]) -> list[tuple[Any, ...]]:
    rows = []
    for body in change.decision.bodies:
        name = (body.owner, body.section, body.sha256)
        if name not in packed:
            packed[name] = store.sections.pack(body.content)
        rows.append((change.host.id, *name, *packed[name], len(body.content)))
    return rows


def _section_rows(change: Change) -> list[tuple[Any, ...]]:
    owners = {body.section: body.owner for body in change.decision.bodies}
    claimed = change.arrival.body.envelope.sections
    rows = []
    for name, state in change.decision.sections.items():
        facts = claimed.get(name)
        took = facts.took_ms if facts is not None and isinstance(facts.took_ms, int) else None
        rows.append((change.host.id, name, owners.get(name, ""), state.status, state.error, state.sha256, state.body_id, took))
    return rows


def _change_rows(change: Change) -> list[tuple[Any, ...]]:
    return [
        (change.host.id, row.subject_kind, row.subject_id, row.key, row.old, row.new, row.cause, row.cause_detail, row.alike)
        for row in change.configuration.changes
    ]


class _Findings:
    """What a batch moves of findings, verdicts and rollups. The rows of rollups name their host, since it may turn out not to stand."""

    def __init__(self) -> None:
        self.writes = Writes()
        self._deltas: list[tuple[Any, ...]] = []

    @property
    def is_moved(self) -> bool:
        """More than words: some outcome, or a verdict."""
        return bool(self.writes.deletes or self.writes.log or self.writes.verdicts or self._deltas)

    def add(self, change: Change) -> Stands:
        """Compares one host's new findings with the stored ones."""
        host, decision = change.host, change.decision
        judgement, warm = decision.judgement, host.warm
        if judgement is None or warm is None or warm.findings is None or warm.figures is None:
            return Stands(None, None, host.judging_epoch, [])
        writes = self.writes
        first = len(writes.upserts)
        stands = compare(
            writes,
            host_id=host.id,
            group_id=host.group_id,
            now=AT_COMMIT,
            old=decision.old_findings,
            new=judgement.findings,
            is_unread=judgement.is_unread,
            known_rules=judgement.known_rules,
            kept=judgement.kept,
            is_partial=judgement.is_partial,
        )
        new = [stands[row[1], row[2], row[3]] for row in writes.upserts[first:]]
        epoch = max(1, decision.judging_epoch)
        figures = self._set_verdict(host, warm, judgement, epoch)
        if writes.deltas.hosts:
            self._deltas += [(host.id, *row) for row in writes.deltas.rows()]
            writes.deltas = Deltas()
        return Stands(stands, figures, epoch, new, judgement.is_partial)

    def _set_verdict(self, host: HostState, warm: Warm, judgement: Judgement, epoch: int) -> HostFigures:
        assert warm.figures is not None
        verdict = judgement.verdict
        if warm.judged is not None and warm.judged.verdict is verdict and host.judging_epoch == epoch:
            return warm.figures
        after = figures_of(host.group_id, verdict)
        set_verdict(self.writes, host_id=host.id, old=warm.figures, new=after, verdict=verdict, judging_epoch=epoch)
        return after

    def moved_columns(self) -> list[str]:
        """The columns that only `STORE_CHANGES_MOVED` has. The log's time is the one at which it is written."""
        return [
            *_arrays(self.writes.verdicts, _VERDICTS),
            *_arrays([*self.writes.deletes], _DELETES),
            *_arrays([row[1:] for row in self.writes.log], _LOG),
            *_arrays(self._deltas, _DELTAS),
        ]


def _remember(change: Change, stands: Stands, found: tuple[Any, ...], ring: KeyRing) -> Answer:
    """After COMMIT: what is remembered of the host stands as its rows do. A decision made from before notices by its basis."""
    arrival, host, decision, _, warm, _ = change
    now, host.interval_seconds, seen_before, configuration_id, bodies = found
    for placed in bodies.split(",") if bodies else ():
        name, _, number = placed.partition(" ")
        decision.sections[name].body_id = int(number)
    host.sections = host.sections | decision.sections | decision.remembered
    host.configuration_id = warm.configuration_id = configuration_id
    host.judging_epoch = stands.judging_epoch
    written_at = _START + timedelta(microseconds=now) if stands.new else AT_COMMIT
    for finding in stands.new:
        if finding.since == AT_COMMIT:
            finding.since = written_at
        if finding.failing_since == AT_COMMIT:
            finding.failing_since = written_at
    warm.findings, warm.figures, warm.waivers = stands.findings, stands.figures, decision.waivers
    if stands.is_partial and stands.findings is not None and host.warm is not None and host.warm.findings is not None:
        # Those of the host before are of no more use to anyone, and are not copied.
        warm.findings = host.warm.findings
        warm.findings.update(stands.findings)
    host.warm = warm
    follow(arrival, host)
    return Answer(200, receipt(arrival, host, ring, now=now // 1_000_000, seen_before=seen_before))


def failed_of(sections: dict[str, SectionState]) -> str:
    """The names of failed sections, as the host's row is given them."""
    if is_every_read(sections):
        return ""
    return ",".join(sorted(name for name, state in sections.items() if state.status == "failed"))


def digests_of(sections: dict[str, SectionState]) -> str:
    """The bodies that a configuration was read from, as JSON by section. What was not read then stands there with why (under `!` and its
    name): to judge the configuration later, one has to know what it could not show."""
    digests = {name: state.hex for name, state in sections.items() if state.sha256 is not None}
    if not is_every_read(sections):
        digests |= {f"!{name}": f"{state.status}: {state.error}" for name, state in sections.items() if state.status != "ok"}
    return msgspec.json.encode(digests).decode()
