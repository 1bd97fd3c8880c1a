"""The store transaction: check-ins that may change something, up to 64 hosts at a time, in three round trips whatever the batch.

1. Lock the hosts' rows in the order of their ids, and read what is decided under the lock: sections, rules epoch, peers.
2. Classify each check-in, compare its sections with the stored ones, and read what is missing: bodies, configurations, findings.
3. Interpret and evaluate, by the code that re-evaluation uses; write one array statement for each table, and commit.

Everything is decided under the lock, so a waiver, an activation or another process can change nothing in between. A fourth round trip
reads the members of a cluster that a host of the batch has just joined.
"""

from collections.abc import Sequence
from typing import Any

import psycopg

from plumbline.audit import person_name
from plumbline.checkin import statements as sql
from plumbline.checkin.interpret import InterpretedHost, Interpreter, SectionContents
from plumbline.checkin.pending import PendingCheckIn, Response
from plumbline.checkin.receipts import Receipted, receipt
from plumbline.checkin.sections import SectionState, compare_sections, owner_of, unread_kinds_of
from plumbline.checkin.sequence import classify
from plumbline.checkin.statements import AlarmRow, HostRow, WantedRow
from plumbline.checkin.write import Accepted, Batch
from plumbline.configurations.compression import Packers
from plumbline.core.drift.causes import JobWork, job_work
from plumbline.evaluation.evaluate import HostToEvaluate, evaluate_hosts
from plumbline.evaluation.inputs import READ_DOCUMENTS, read_input_results, send_input_queries
from plumbline.evaluation.peers import MEMORY, READ_MEMBERS, DomainMemory, Peering, StoredPeers, read_peer_results, send_peer_queries
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.database import session_scope
from plumbline.packs.in_force import ActiveRules, read_active

Connection = psycopg.Connection[Any]
# Hosts in these states are evaluated; a waiting one is read and shown apart.
EVALUATED_STATES = frozenset({"active"})


class Store:
    """Stores check-ins. Keeps what many hosts share: facts of bodies parsed lately, dictionaries, the rules in force, peer domains. None
    of it changes a result. For one thread at a time.
    """

    def __init__(self, interpreter: Interpreter | None = None, domains: DomainMemory = MEMORY) -> None:
        self.packers = Packers()
        self.interpreter = interpreter or Interpreter()
        self.domains = domains
        self._rules: ActiveRules | None = None
        # Counts that tests and the bench read.
        self.accepted = 0
        self.commits = 0
        self.evaluation_errors = 0

    def store(
        self, connection: Connection, check_ins: Sequence[PendingCheckIn], *, owns_transaction: bool = True
    ) -> list[tuple[PendingCheckIn, Response]]:
        """Stores check-ins of different hosts and commits; returns the response to each.

        `owns_transaction` false: within the caller's transaction, which has begun and which the caller ends.
        """
        transaction = _Transaction(self, connection, check_ins, owns_transaction=owns_transaction)
        transaction.lock()
        transaction.classify()
        transaction.read()
        transaction.interpret()
        transaction.evaluate()
        return transaction.write()

    def rules_in_force(self, rules_epoch: int, groups: set[int]) -> ActiveRules:
        """The rules in force under this epoch, including those of all these groups; a group may have been made a moment ago."""
        rules = self._rules
        if rules is None or rules.rules_epoch != rules_epoch or not groups <= rules.by_group.keys():
            with session_scope() as session:
                rules = self._rules = read_active(session)
        return rules


class _Transaction:
    """The store transaction of one batch."""

    def __init__(self, store: Store, connection: Connection, check_ins: Sequence[PendingCheckIn], *, owns_transaction: bool) -> None:
        self._store = store
        self._owns_transaction = owns_transaction
        self._connection = connection
        self._check_ins = check_ins
        self._ring = key_ring()
        self._hosts: dict[str, HostRow] = {}
        self._sections: dict[str, dict[str, SectionState]] = {}
        self._aliases: dict[str, dict[str, set[bytes]]] = {}
        self._rules_epoch = 0
        self._peers = StoredPeers({}, {}, {})
        self._peering: Peering | None = None
        self._rules: ActiveRules | None = None
        self._batch = Batch()
        self._responses: list[tuple[PendingCheckIn, Response]] = []
        # What sections are read from, and the configurations before, by host.
        self._contents: dict[str, SectionContents] = {}
        self._documents: dict[str, bytes] = {}

    def lock(self) -> None:
        """Round trip 1."""
        ids = sorted(each.headers.host_id for each in self._check_ins)
        connection = self._connection
        with connection.pipeline():
            if self._owns_transaction:
                connection.execute("BEGIN")
            hosts = connection.cursor(binary=True).execute(sql.LOCK_HOSTS, (ids,))
            sections = connection.cursor(binary=True).execute(sql.READ_SECTIONS, (ids,))
            aliases = connection.cursor(binary=True).execute(sql.READ_ALIASES, (ids,))
            epoch = connection.execute(sql.READ_RULES_EPOCH)
            peers = send_peer_queries(connection, ids)
        self._hosts = {row[0]: HostRow.of(row) for row in hosts}
        for host_id, section, *state in sections:
            self._sections.setdefault(host_id, {})[section] = SectionState(*state)
        for host_id, section, sha256 in aliases:
            self._aliases.setdefault(host_id, {}).setdefault(section, set()).add(sha256)
        row = epoch.fetchone()
        self._rules_epoch = int(row[0]) if row else 0
        self._peers = read_peer_results(peers)

    def classify(self) -> None:
        """Classifies each check-in: new ones are accepted, the others get their response."""
        newest = self._ring.newest
        for check_in in self._check_ins:
            host = self._hosts.get(check_in.headers.host_id)
            if host is None:
                self._answer(check_in, Response(401, {"error": "bad signature"}))
                continue
            classification = classify(check_in, host, newest)
            if classification.kind == "new":
                body = check_in.body
                stored = self._sections.get(host.id, {})
                changes = compare_sections(host.id, body.envelope.sections, stored, self._aliases.get(host.id, {}), body.bodies)
                self._batch.accepted.append(Accepted(check_in, host, classification, stored, changes))
                self._contents[host.id] = SectionContents(bodies={each.section: each.content for each in changes.bodies})
            elif classification.kind == "repeated":
                # Sent once the transaction is over, like every other response.
                seen = Receipted(int(host.now.timestamp()), host.seen_before, host.interval_seconds, host.next_generation, host.next_key_id)
                self._answer(check_in, receipt(check_in, seen, self._ring))
            else:
                if classification.alarm and host.alarm == "":
                    self._batch.alarms.append(AlarmRow(host.id, classification.alarm))
                refusal: dict[str, Any] = {"error": classification.error}
                if classification.place:
                    refusal["place"] = classification.place
                if classification.status == 409:
                    refusal["seq_used"] = check_in.headers.seq
                self._answer(check_in, Response(classification.status, refusal, 3600 if classification.status == 403 else None))

    def _answer(self, check_in: PendingCheckIn, response: Response) -> None:
        self._responses.append((check_in, response))

    def read(self) -> None:
        """Round trip 2, where anything has to be read; refuses check-ins that name bodies which are not stored."""
        changed = [each for each in self._batch.accepted if each.changes.sections]
        counting = [each.host.id for each in self._batch.accepted if each.has_new_series]
        if not changed and not counting:
            return
        active = [each for each in changed if each.host.state in EVALUATED_STATES]
        if active:
            self._rules = self._store.rules_in_force(self._rules_epoch, {each.host.group_id for each in active})
            self._peering = Peering(self._rules, self._peers, is_joint=False, memory=self._store.domains)
        foreseen = self._peering.foresee({each.host.id: each.host.group_id for each in active}) if self._peering is not None else []
        wanted = [
            WantedRow(each.host.id, owner_of(name, each.host.id), name, digest)
            for each in changed
            for name, digest in each.changes.wanted.items()
        ]
        missing: dict[int, list[tuple[str, str]]] = {}
        for each in changed:
            for name, body_id in self._missing(each).items():
                missing.setdefault(body_id, []).append((each.host.id, name))
        connection = self._connection
        arrays = sql.WANTED.arrays(wanted)
        with connection.pipeline():
            dictionaries = self._store.packers.send_query(connection)
            named = connection.cursor(binary=True).execute(sql.FIND_BODIES, (*arrays, *arrays)) if wanted else None
            bodies = connection.cursor(binary=True).execute(sql.READ_BODIES, (list(missing),)) if missing else None
            configured = [each.host.configuration_id for each in changed if each.host.configuration_id is not None]
            documents = connection.cursor(binary=True).execute(READ_DOCUMENTS, (configured,)) if configured else None
            inputs = send_input_queries(connection, [each.host.id for each in active]) if active else None
            members = connection.execute(READ_MEMBERS, (foreseen,)) if foreseen else None
            series = connection.execute(sql.READ_SERIES, (counting,)) if counting else None
            jobs = connection.execute(sql.READ_JOBS, ([each.host.id for each in changed],)) if changed else None
        self._store.packers.load_results(dictionaries)
        if named is not None:
            self._take_named(named.fetchall())
        unpack = self._store.packers.sections.unpack
        for body_id, content, dictionary_id in bodies or ():
            for host_id, name in missing[body_id]:
                self._contents[host_id].bodies[name] = unpack(content, dictionary_id)
        for host_id, document, dictionary_id in documents or ():
            self._documents[host_id] = self._store.packers.configurations.unpack(document, dictionary_id)
        if inputs is not None:
            self._batch.inputs = read_input_results(inputs)
        if members is not None and self._peering is not None:
            self._peering.take(foreseen, members)
        for host_id, subject, name, number in series or ():
            self._batch.series.setdefault(host_id, {})[subject, name] = number
        for row in jobs or ():
            self._batch.jobs.setdefault(row[0], []).append(_job_work(sql.JobRow._make(row)))
        self._refuse_wanting()

    def _missing(self, accepted: Accepted) -> dict[str, int]:
        """Sections that have to be read from a stored body, with its id."""
        contents, sections = self._contents[accepted.host.id], accepted.sections
        contents.facts = self._store.interpreter.known(accepted.host.platform, sections)
        return {
            name: state.body_id
            for name, state in sections.items()
            if state.body_id is not None and name not in contents.facts and name not in contents.bodies
        }

    def _take_named(self, rows: Sequence[Sequence[Any]]) -> None:
        by_host = {each.host.id: each for each in self._batch.accepted}
        for host_id, section, body_id, content, dictionary_id in rows:
            states = by_host[host_id].changes.sections
            states[section] = states[section]._replace(body_id=body_id)
            self._contents[host_id].bodies[section] = self._store.packers.sections.unpack(content, dictionary_id)

    def _refuse_wanting(self) -> None:
        accepted = []
        for each in self._batch.accepted:
            if want := sorted(each.changes.wanted):
                self._answer(each.check_in, Response(409, {"error": "some bodies are not known", "want": want}))
            else:
                accepted.append(each)
        self._batch.accepted = accepted

    def interpret(self) -> None:
        """Interprets the sections of hosts where one changed; where no setting differs, the bodies become aliases of the stored ones."""
        for each in self._batch.accepted:
            if not each.changes.sections:
                continue
            host = each.host
            described = InterpretedHost(host.id, host.platform, host.overrides, each.check_in.body.envelope.agent.version)
            found = self._store.interpreter.interpret(described, each.sections, self._contents[host.id], self._documents.get(host.id))
            each.found = found
            if not found.is_changed:
                each.changes.keep_bodies(each.stored)

    def evaluate(self) -> None:
        """Evaluates active hosts whose configuration changed, or of which other kinds of subject could be listed than before."""
        if self._rules is None or self._peering is None or self._batch.inputs is None:
            return
        hosts = []
        for each in self._batch.accepted:
            host, found = each.host, each.found
            if found is None or host.state not in EVALUATED_STATES:
                continue
            unread = unread_kinds_of(host.platform, each.sections)
            are_kinds_as_before = unread == unread_kinds_of(host.platform, each.stored)
            if not found.is_changed and are_kinds_as_before:
                continue
            # The texts of all findings are made again where the rules in force changed since, or what could be listed.
            is_known = are_kinds_as_before and host.rules_epoch == self._rules.rules_epoch
            hosts.append(
                HostToEvaluate(
                    host.id,
                    host.name,
                    host.group_id,
                    host.is_member,
                    host.rules_epoch,
                    host.figures,
                    host.now,
                    found.configuration,
                    unread,
                    found.changed_keys if is_known else None,
                )
            )
        done = evaluate_hosts(self._connection, hosts, self._rules, self._batch.inputs, self._peering, is_guarded=True)
        self._store.evaluation_errors += done.errors
        self._batch.writes, self._batch.peering = done.writes, self._peering

    def write(self) -> list[tuple[PendingCheckIn, Response]]:
        """Round trip 3, and the responses of the accepted check-ins."""
        batch = self._batch
        if not batch.accepted and not batch.alarms:
            if self._owns_transaction:
                self._connection.execute("ROLLBACK")
            return self._responses
        identities = batch.write(self._connection, self._store.packers, self._ring.newest, owns_transaction=self._owns_transaction)
        self._store.commits += 1
        self._store.accepted += len(batch.accepted)
        for each, identity in zip(batch.accepted, identities, strict=True):
            seen = Receipted(
                int(each.host.now.timestamp()), each.host.seen_before, each.host.interval_seconds, identity.next_generation,
                identity.next_key_id,
            )  # fmt: skip
            self._answer(each.check_in, receipt(each.check_in, seen, self._ring))
        return self._responses


def _job_work(row: sql.JobRow) -> JobWork:
    """The numbers of an undo's steps are its own, so it counts as all that the job before it could set."""
    begun = [step for step in row.steps if row.is_undo or step["number"] in row.begun]
    detail = f"{'undo of ' if row.is_undo else ''}plan {row.plan_id}, requested by {person_name(row.requested_by)}"
    return job_work(row.job_id, detail, begun, is_undo=row.is_undo, is_recent=row.is_recent)
