"""Round trip 3 of the store transaction: the rows of a batch, by one array statement for each table, and the commit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import psycopg

from plumbline.checkin import statements as sql
from plumbline.checkin.counter_rows import Name, array_text, number_series
from plumbline.checkin.interpret import Interpretation, Moment, change_rows, configuration_row
from plumbline.checkin.pending import PendingCheckIn
from plumbline.checkin.sections import SectionChanges, SectionState, failed_of, owner_of
from plumbline.checkin.sequence import Classification, leap, next_boots, recent_entry
from plumbline.checkin.statements import (
    AlarmRow,
    AliasRow,
    BodyRow,
    CheckInRow,
    HostRow,
    SampleRow,
    SectionRow,
    SeriesRow,
    TouchRow,
)
from plumbline.checkin.switch_ports import STORE_SWITCH_PORTS, SWITCH_PORTS, switch_port_rows
from plumbline.configurations.compression import Packers
from plumbline.core.drift.causes import JobWork
from plumbline.evaluation.findings import Writes, statements
from plumbline.evaluation.inputs import StoredInputs
from plumbline.evaluation.peers import Peering
from plumbline.infra.columns import ColumnTable, array


@dataclass(slots=True)
class Accepted:
    """A check-in that is being stored. `stored`: its host's sections before. `found`: its interpretation, where a section changed."""

    check_in: PendingCheckIn
    host: HostRow
    classification: Classification
    stored: dict[str, SectionState]
    changes: SectionChanges
    found: Interpretation | None = None

    @property
    def sections(self) -> dict[str, SectionState]:
        """The host's sections as they will be."""
        return {**self.stored, **self.changes.sections}

    @property
    def has_new_series(self) -> bool:
        """Its counters have other names, or another order, than those of the host's last check-in."""
        mark = self.check_in.body.counters.mark
        return bool(mark) and mark != self.host.counters_mark

    @property
    def is_changed(self) -> bool:
        """A section changed."""
        return bool(self.changes.sections or self.changes.aliases)

    @property
    def moment(self) -> Moment:
        """The check-in as its configuration names it."""
        headers = self.check_in.headers
        return Moment(self.host.id, headers.epoch, headers.seq, self.host.now)


class Identity(NamedTuple):
    """Which secrets of a host are valid, as its row says."""

    generation: int
    key_id: str
    next_generation: int | None
    next_key_id: str


@dataclass(slots=True)
class Batch:
    """What one store transaction writes."""

    accepted: list[Accepted] = field(default_factory=list)
    alarms: list[AlarmRow] = field(default_factory=list)
    # Known numbers of counters, of hosts whose series are new.
    series: dict[str, dict[Name, int]] = field(default_factory=dict)
    # What jobs of ours began lately on these hosts.
    jobs: dict[str, list[JobWork]] = field(default_factory=dict)
    inputs: StoredInputs | None = None
    writes: Writes = field(default_factory=Writes)
    peering: Peering | None = None

    def write(self, connection: "psycopg.Connection[Any]", packers: Packers, newest_key: str, *, owns_transaction: bool) -> list[Identity]:
        """Writes everything, and commits where it owns the transaction; returns the secrets of the accepted hosts."""
        identities = [_identity(each, newest_key) for each in self.accepted]
        orders, series = self._number_series()
        touched = [_touch_row(each, identity, order) for each, identity, order in zip(self.accepted, identities, orders, strict=True)]
        changed = [(each, each.found) for each in self.accepted if each.found is not None and each.found.is_changed]
        packer = packers.configurations
        rows: list[tuple[str, ColumnTable, Sequence[tuple[Any, ...]]]] = [
            (sql.TOUCH, sql.TOUCHED, touched),
            (sql.SET_ALARMS, sql.ALARMS, self.alarms),
            (sql.INSERT_CHECK_INS, sql.CHECK_INS, [row for each in self.accepted for row in _check_in_rows(each)]),
            (sql.INSERT_SERIES, sql.SERIES, series),
            (sql.INSERT_SAMPLES, sql.SAMPLES, [row for pair in zip(self.accepted, orders, strict=True) for row in _sample_rows(*pair)]),
            (sql.INSERT_BODIES, sql.BODIES, self._body_rows(packers)),
            (sql.INSERT_ALIASES, sql.ALIASES, [AliasRow(each.host.id, *alias) for each in self.accepted for alias in each.changes.aliases]),
            (sql.UPSERT_SECTIONS, sql.SECTIONS, [row for each in self.accepted for row in _section_rows(each)]),
            (
                sql.STORE_CONFIGURATIONS,
                sql.CONFIGURATIONS,
                [configuration_row(each.moment, found.document, each.sections, packer) for each, found in changed],
            ),
            (
                sql.INSERT_CHANGES,
                sql.CHANGES,
                [row for each, found in changed for row in _change_rows(each, found, self.jobs.get(each.host.id, ()))],
            ),
            (STORE_SWITCH_PORTS, SWITCH_PORTS, [row for each, found in changed for row in switch_port_rows(each.moment, found)]),
        ]
        with connection.pipeline():
            for statement, table, found in rows:
                if found:
                    connection.execute(statement, table.arrays(found))
            for statement, arrays in statements(self.writes):
                connection.execute(statement, arrays)
            if self.peering is not None:
                self.peering.write(connection)
            if owns_transaction:
                connection.execute("COMMIT")
        return identities

    def _number_series(self) -> tuple[list[Sequence[int] | None], list[SeriesRow]]:
        """For each check-in the numbers of its series (None without counters), and the series that are new."""
        orders: list[Sequence[int] | None] = []
        rows: list[SeriesRow] = []
        for each in self.accepted:
            counters = each.check_in.body.counters
            if not counters.mark:
                orders.append(None)
            elif not each.has_new_series:
                orders.append(each.host.counters_order or range(counters.size))
            else:
                series = counters.series()
                kinds = {(one.subject, one.name): one.kind for one in series}
                numbers, fresh = number_series([(one.subject, one.name) for one in series], self.series.get(each.host.id, {}))
                rows += [SeriesRow(each.host.id, number, *name, kinds[name]) for name, number in fresh]
                orders.append(numbers)
        return orders, rows

    def _body_rows(self, packers: Packers) -> list[BodyRow]:
        # Every process inserts in the same order, so that two batches with the same shared bodies cannot deadlock.
        new = {body[:3]: body.content for each in self.accepted for body in each.changes.bodies}
        return [BodyRow(*name, *packers.sections.pack(new[name]), len(new[name])) for name in sorted(new)]


def _identity(each: Accepted, newest_key: str) -> Identity:
    """The first use of a new secret ends the old one; where the newest agent key is newer than the host's, a new secret is issued."""
    host, classification = each.host, each.classification
    found = Identity(host.generation, host.key_id, host.next_generation, host.next_key_id)
    if classification.is_first_use or classification.is_raised:
        found = Identity(each.check_in.headers.generation, each.check_in.key_id, None, "")
    if found.key_id != newest_key and found.next_generation is None:
        found = found._replace(next_generation=found.generation + 1, next_key_id=newest_key)
    return found


def _touch_row(each: Accepted, identity: Identity, order: Sequence[int] | None) -> TouchRow:
    check_in, host = each.check_in, each.host
    headers, envelope = check_in.headers, check_in.body.envelope
    is_same_epoch = headers.epoch == host.epoch
    boots, alarm = next_boots(host.boots if is_same_epoch else [], envelope.boot)
    alarm = alarm or leap(headers.seq, host.last_seq if is_same_epoch else 0)
    clock = check_in.host_clock()
    counters = check_in.body.counters
    is_in_order = order is None or list(order) == list(range(counters.size))
    return TouchRow(
        host.id,
        headers.epoch,
        headers.seq,
        recent_entry(headers.seq, check_in.body.digest),
        max(0, headers.seq - host.last_seq - 1) if is_same_epoch and host.last_seq else 0,
        array(boots),
        alarm,
        identity.generation,
        identity.next_generation,
        identity.key_id,
        identity.next_key_id,
        host.now,
        None if clock is None else clock - host.now.timestamp(),
        envelope.agent.version,
        check_in.runner_hash,
        array(failed_of(each.sections)) if each.changes.sections else None,
        check_in.sections_digest,
        counters.mark or None,
        None if is_in_order or order is None else array(list(order)),
    )


def _check_in_rows(each: Accepted) -> list[CheckInRow]:
    """A row for a check-in where a section changed, the runner acted, or the agent lost something."""
    check_in = each.check_in
    headers, envelope = check_in.headers, check_in.body.envelope
    before, after = check_in.runner_mark(envelope.runner_before), check_in.runner_mark(envelope.runner_after)
    rejected = envelope.rejected if isinstance(envelope.rejected, int) else 0
    thinned = envelope.thinned if isinstance(envelope.thinned, int) else 0
    if not (each.is_changed or before or after or rejected or thinned):
        return []
    return [
        CheckInRow(
            headers.host_id, headers.epoch, headers.seq, each.host.now, check_in.body.digest, envelope.made_at, each.is_changed,
            check_in.body.size_bytes, rejected, thinned, before, after,
        )
    ]  # fmt: skip


def _sample_rows(each: Accepted, order: Sequence[int] | None) -> list[SampleRow]:
    counters = each.check_in.body.counters
    if order is None:
        return []
    return [SampleRow(each.host.id, each.host.now, counters.uptime_seconds, array_text(order, counters.values))]


def _section_rows(each: Accepted) -> list[SectionRow]:
    claimed = each.check_in.body.envelope.sections
    rows = []
    for name, state in each.changes.sections.items():
        facts = claimed.get(name)
        took = facts.took_ms if facts is not None and isinstance(facts.took_ms, int) else None
        rows.append(SectionRow(each.host.id, name, *state, took, each.host.now, owner_of(name, each.host.id)))
    return rows


def _change_rows(each: Accepted, found: Interpretation, jobs: Sequence[JobWork]) -> list[sql.ChangeRow]:
    boots = each.host.boots
    is_rebooted = bool(boots) and boots[-1] != each.check_in.body.envelope.boot
    return change_rows(each.moment, found, is_rebooted=is_rebooted, jobs=jobs)
