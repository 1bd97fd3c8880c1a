"""Writes the check-ins of one transaction by array statements, so that a batch of any size costs the same number of them."""

from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg

from plumbline.checkin import counter_rows as counters
from plumbline.checkin import statements as sql
from plumbline.checkin.changed import digests_of, failed_of
from plumbline.checkin.locked import Accepted
from plumbline.checkin.pending import NewBody, NewConfiguration
from plumbline.configurations.bodies import Store
from plumbline.evaluation.findings import Writes, compare, figures_of, set_verdict, statements
from plumbline.evaluation.findings import figures as read_figures
from plumbline.evaluation.peers import ADD_CHANGES, PUT_TOLD
from plumbline.evaluation.statements import READ_FIGURES
from plumbline.evaluation.waivers_in_force import TRIP_WAIVERS
from plumbline.infra.columns import columns


@dataclass
class Writing:
    """The writing of one transaction, whose host rows are locked."""

    connection: "psycopg.AsyncConnection[Any]"
    store: Store
    accepted: list[Accepted]
    statements: int = 0

    async def write(self, alarms: list[tuple[str, str]]) -> None:
        """Writes everything, alarms of other hosts too, and commits."""
        changed = [found for found in self.accepted if not found.decision.is_heartbeat]
        if changed:
            async with self.connection.pipeline():
                bodies = await self._store_bodies(changed)
                configurations = await self._store_configurations(changed)
            await self._take_ids(bodies, configurations)
        await self._number_series()
        findings = await self._compare_findings(changed) if changed else []
        async with self.connection.pipeline():
            await self._touch()
            if alarms:
                await self._run(sql.ALARM, alarms)
            await self._write_check_ins()
            await self._write_counters()
            if changed:
                await self._write_changed(changed)
                await self._write_told(changed)
            for statement, columns in findings:
                await self.connection.execute(statement, columns)
                self.statements += 1
            await self.connection.execute(sql.COMMIT)
            self.statements += 1

    async def _touch(self) -> None:
        """The hosts' rows, each written once."""
        touched: list[tuple[Any, ...]] = []
        configured: list[tuple[Any, ...]] = []
        for found in self.accepted:
            configuration = found.decision.configuration
            if configuration is None:
                touched.append(_touch_row(found))
            else:
                configured.append((*_touch_row(found), failed_of(found.after.sections), *_configuration_row(found, configuration)[1:]))
        if touched:
            await self._run(sql.TOUCH, touched)
        if configured:
            await self._run(sql.TOUCH_CONFIGURED, configured)

    async def _run(self, statement: str, rows: list[tuple[Any, ...]]) -> "psycopg.AsyncCursor[Any]":
        self.statements += 1
        return await self.connection.execute(statement, columns(rows))

    async def _store_bodies(self, changed: list[Accepted]) -> "_Asked[NewBody]":
        """Inserts new bodies and asks for their ids."""
        new = [(found, body) for found in changed for body in found.decision.bodies]
        if not new:
            return [], None
        packer = self.store.sections
        # In one order in every process, so that two batches with the same shared bodies cannot wait for each other.
        by_name = {(body.owner, body.section, body.sha256): body.content for _, body in new}
        rows = [(*name, *packer.pack(by_name[name]), len(by_name[name])) for name in sorted(by_name)]
        return new, await self._run(sql.INSERT_BODIES, rows)

    async def _store_configurations(self, changed: list[Accepted]) -> "_Asked[NewConfiguration]":
        """Inserts new configurations and writes what lists show of them; their ids are needed for the host rows."""
        new = [(found, found.decision.configuration) for found in changed if found.decision.configuration is not None]
        if not new:
            return [], None
        packer = self.store.configurations
        rows = []
        for found, configuration in new:
            packed = packer.pack(configuration.document)
            rows.append((found.after.id, found.after.epoch, found.after.last_seq, found.row.now, *packed, digests_of(found.after.sections)))
        return new, await self._run(sql.INSERT_CONFIGURATIONS, rows)

    async def _take_ids(self, bodies: "_Asked[NewBody]", configurations: "_Asked[NewConfiguration]") -> None:
        """The ids that the database gave, which the rows of hosts and sections name."""
        new_bodies, cursor = bodies
        if cursor is not None:
            ids = {(owner, section, bytes(sha256)): body_id for owner, section, sha256, body_id in await cursor.fetchall()}
            for found, body in new_bodies:
                found.decision.sections[body.section].body_id = ids[(body.owner, body.section, body.sha256)]
        new_configurations, cursor = configurations
        if cursor is not None:
            numbers = dict(await cursor.fetchall())
            for found, _ in new_configurations:
                found.after.configuration_id = numbers[found.after.id]
                found.after.warm = found.decision.warm
                if found.after.warm is not None:
                    found.after.warm.configuration_id = numbers[found.after.id]

    async def _compare_findings(self, changed: list[Accepted]) -> list[tuple[str, tuple[Any, ...]]]:
        """The statements that turn the stored findings of changed hosts into the new ones, rollups included."""
        judged = [(found, found.decision.judgement) for found in changed if found.decision.judgement is not None]
        if not judged:
            return []
        figures = {found.before.id: found.before.warm.figures for found, _ in judged if found.before.warm and found.before.warm.figures}
        missing = [found.before.id for found, _ in judged if found.before.id not in figures]
        if missing:
            cursor = await self.connection.execute(READ_FIGURES, (missing,))
            self.statements += 1
            figures |= read_figures(await cursor.fetchall())
        writes = Writes()
        for found, judgement in judged:
            decision = found.decision
            stands = compare(
                writes,
                host_id=found.after.id,
                group_id=found.after.group_id,
                now=found.row.now,
                old=decision.old_findings,
                new=judgement.findings,
                is_unread=judgement.is_unread,
                known_rules=judgement.known_rules,
                kept=judgement.kept,
                is_partial=judgement.is_partial,
            )
            verdict = judgement.verdict
            after = figures_of(found.after.group_id, verdict)
            # A verdict that broke says nothing: the epoch stays behind, so that the background judges the host again.
            epoch = max(1, found.row.judging_epoch if judgement.is_broken else decision.judging_epoch)
            warm = found.before.warm
            is_stored = warm is not None and warm.judged is not None and warm.judged.verdict is verdict and found.row.judging_epoch == epoch
            if not is_stored:
                set_verdict(writes, host_id=found.after.id, old=figures[found.before.id], new=after, verdict=verdict, judging_epoch=epoch)
            found.after.judging_epoch = epoch
            if found.after.warm is not None:
                found.after.warm.findings = {**decision.old_findings, **stands} if judgement.is_partial else stands
                found.after.warm.figures = after
                found.after.warm.waivers = [waiver for waiver in decision.waivers if waiver.id not in decision.tripped]
        tripped = [(waiver, found.after.id, words) for found, _ in judged for waiver, words in found.decision.tripped.items()]
        ended = [(TRIP_WAIVERS, tuple(columns(tripped)))] if tripped else []
        return [*statements(writes), *ended]

    async def _write_check_ins(self) -> None:
        """A row for each check-in that says more than `last_seen`: something changed, the runner acted, something was lost."""
        rows = []
        for found in self.accepted:
            envelope = found.arrival.body.envelope
            before, after = found.arrival.runner_mark(envelope.runner_before), found.arrival.runner_mark(envelope.runner_after)
            rejected = envelope.rejected if isinstance(envelope.rejected, int) else 0
            thinned = envelope.thinned if isinstance(envelope.thinned, int) else 0
            if not found.decision.is_heartbeat or before or after or rejected or thinned:
                claim = found.arrival.claim
                rows.append(
                    (claim.host_id, claim.epoch, claim.seq, found.row.now, found.arrival.body.digest, envelope.made_at,
                     not found.decision.is_heartbeat, found.arrival.body.size_bytes, rejected, thinned, before, after)
                )  # fmt: skip
        if rows:
            await self._run(sql.INSERT_CHECK_INS, rows)

    async def _number_series(self) -> None:
        """Gives numbers to counters whose names this process does not know in this order."""
        asking = {
            found.after.id: found
            for found in self.accepted
            if (mark := found.arrival.body.counters.mark) and mark != found.after.series_mark
        }
        if not asking:
            return
        known: dict[str, dict[counters.Name, int]] = {host_id: {} for host_id in asking}
        cursor = await self.connection.execute(counters.READ_SERIES, (list(asking),))
        self.statements += 1
        for host_id, subject, name, number in await cursor.fetchall():
            known[host_id][(subject, name)] = number
        rows = []
        for host_id, found in asking.items():
            sent = found.arrival.body.counters
            series = sent.series()
            kinds = {(each.subject, each.name): each.kind for each in series}
            numbers, fresh = counters.number_series([(each.subject, each.name) for each in series], known[host_id])
            rows += [(host_id, number, subject, name, kinds[(subject, name)]) for (subject, name), number in fresh]
            found.after.series_mark, found.after.series_numbers = sent.mark, tuple(numbers)
        if rows:
            await self._run(counters.INSERT_SERIES, rows)

    async def _write_counters(self) -> None:
        rows = []
        for found in self.accepted:
            sent = found.arrival.body.counters
            if sent.mark:
                values = counters.array_text(found.after.series_numbers, sent.values)
                rows.append((found.after.id, found.row.now, sent.uptime_seconds, values))
        if rows:
            await self._run(counters.INSERT_SAMPLES, rows)

    async def _write_changed(self, changed: list[Accepted]) -> None:
        names = [(found.after.id, *name) for found in changed for name in found.decision.names]
        if names:
            await self._run(sql.INSERT_NAMES, names)
        sections = []
        for found in changed:
            for name, state in found.decision.sections.items():
                facts = found.arrival.body.envelope.sections.get(name)
                took = facts.took_ms if facts is not None and isinstance(facts.took_ms, int) else None
                sections.append((found.after.id, name, state.status, state.error, state.sha256, state.body_id, took, found.row.now))
        if sections:
            await self._run(sql.UPSERT_SECTIONS, sections)
        failed = [found for found in changed if found.decision.sections and found.decision.configuration is None]
        if failed:
            await self._run(sql.FAILED_SECTIONS, [(found.after.id, failed_of(found.after.sections), found.row.now) for found in failed])
        new = [(found, found.decision.configuration) for found in changed if found.decision.configuration is not None]
        changes = [
            (found.row.now, found.after.id, found.after.last_seq, row.subject_kind, row.subject_id, row.key, row.old, row.new, row.cause,
             row.cause_detail, row.alike)
            for found, configuration in new
            for row in configuration.changes
        ]  # fmt: skip
        if changes:
            await self._run(sql.INSERT_CHANGES, changes)

    async def _write_told(self, changed: list[Accepted]) -> None:
        """What hosts tell their neighbours, where that is new, and that something changed in their domains."""
        new = [found for found in changed if found.decision.judgement is not None and found.decision.gathered.is_new]
        if not new:
            return
        told = [(found.after.id, found.decision.gathered.told) for found in new]
        await self._run(PUT_TOLD, sorted(each.row(host_id) for host_id, each in told if each is not None))
        domains = sorted({domain for found in new for domain in found.decision.gathered.changed_domains})
        if domains:
            await self._run(ADD_CHANGES, [(domain,) for domain in domains])


# What was sent for several check-ins, and the cursor whose rows hold the ids; None where nothing was.
S = TypeVar("S")
_Asked = tuple[list[tuple[Accepted, S]], "psycopg.AsyncCursor[Any] | None"]


def _touch_row(found: Accepted) -> tuple[Any, ...]:
    after, envelope = found.after, found.arrival.body.envelope
    runner = envelope.agent.runner if isinstance(envelope.agent.runner, str) else ""
    return (
        after.id, after.epoch, after.last_seq, after.accepted[-24:], found.gap, ",".join(after.boots), found.alarm,
        after.generation, after.next_generation, after.key_id, after.next_key_id, found.row.now,
        found.arrival.skew_seconds(found.row.now), envelope.agent.version, runner,
    )  # fmt: skip


def _configuration_row(found: Accepted, configuration: NewConfiguration) -> tuple[Any, ...]:
    shown = configuration.shown
    return (
        found.after.id, found.after.configuration_id, shown.os_name, shown.os_release, shown.cluster,
        ",".join(shown.families), ",".join(shown.initiator_modes), shown.paths_healthy, shown.paths_total, shown.is_restart_pending,
    )  # fmt: skip
