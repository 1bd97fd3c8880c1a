"""`plumbline doctor`: checks the promises of a running installation, and prints every one that is broken.

It only reads. Each check yields sentences about what is wrong; no sentence means that the promise is kept.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import zstandard
from sqlalchemy import text
from sqlmodel import Session

from plumbline.audit import chain
from plumbline.configurations.compression import Unpacker
from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.core.texts import counted
from plumbline.evaluation import rollups
from plumbline.hosts.kept_counts import wrong_counts
from plumbline.hosts.verify_summaries import wrong_summaries
from plumbline.infra.clock import iso, utc_now
from plumbline.infra.database import now_of
from plumbline.infra.parts import full_disk, parts_down
from plumbline.infra.settings import get_settings
from plumbline.infra.task_queue import broker_answers
from plumbline.models.hosts import REPORTS
from plumbline.ops.agent_key import hosts_by_key
from plumbline.ops.supervisor import Restart, restarts
from plumbline.remediation.jobs import invariants

# A clock that is wrong by more than this is not only a slow answer.
_CLOCK_SECONDS = 5.0


@dataclass(frozen=True)
class Check:
    """One promise and the function that checks it."""

    name: str
    promise: str
    find: Callable[[Session], Iterator[str]]


def examine(session: Session) -> list[tuple[Check, list[str]]]:
    """Runs every check on one read-only snapshot of the database; the sentences say what is wrong and where."""
    session.connection(execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})
    return [(check, list(check.find(session))) for check in CHECKS]


def _receipts(session: Session) -> Iterator[str]:
    rows = session.execute(
        text(
            "SELECT s.host_id, s.section FROM host_section s LEFT JOIN section_body b ON b.id = s.body_id"
            " LEFT JOIN section_body_alias n ON (n.host_id, n.section, n.sha256, n.body_id) = (s.host_id, s.section, s.sha256, s.body_id)"
            " WHERE s.status = 'ok' AND (b.id IS NULL OR (b.sha256 <> s.sha256 AND n.body_id IS NULL))"
        )
    )
    for host_id, section in rows:
        yield f"host {host_id}: section {section} was receipted but its body is not stored"
    packer = Unpacker()
    for dictionary_id, content in session.execute(text("SELECT id, content FROM compression_dictionary WHERE purpose = 'section'")):
        packer.add(dictionary_id, content)
    bodies = session.execute(
        text(
            "SELECT s.host_id, s.section, b.sha256, b.content, b.dictionary_id FROM host_section s JOIN section_body b ON b.id = s.body_id"
            " ORDER BY s.host_id, s.section"
        ).execution_options(yield_per=200)
    )
    for host_id, section, sha256, content, dictionary_id in bodies:
        if not _is_body(packer, content, dictionary_id, sha256):
            yield f"host {host_id}: the stored body of section {section} does not match its digest"


def _is_body(packer: Unpacker, content: bytes, dictionary_id: int | None, sha256: bytes) -> bool:
    try:
        return hashlib.sha256(packer.unpack(content, dictionary_id)).digest() == sha256
    except (zstandard.ZstdError, KeyError):
        return False


def _order(session: Session) -> Iterator[str]:
    # The log may end before the number on the host's row: an unchanged check-in adds no row to the log.
    rows = session.execute(
        text(
            "SELECT h.id, h.last_seq, max(c.seq) FROM host h JOIN check_in c ON c.host_id = h.id AND c.epoch = h.epoch"
            " GROUP BY h.id, h.last_seq HAVING max(c.seq) > h.last_seq"
        )
    )
    for host_id, last, highest in rows:
        yield f"host {host_id}: its row has check-in {last} last, the log has {highest}"


def _rollups(session: Session) -> Iterator[str]:
    for groups, differing in rollups.compare_rollups(session).items():
        for (rule_no, bucket), (folded, raw) in list(differing.items())[:5]:
            yield f"{groups}, rule {rule_no}, {bucket}: the rollup has {folded}, the rows have {raw}"
    for host_id in wrong_summaries(session, most=5):
        yield f"host {host_id}: its summary differs from its row"
    for count in wrong_counts(session, most=5):
        yield f"{count}: the count of hosts differs from the hosts"


def _audit(session: Session) -> Iterator[str]:
    settings = get_settings()
    # Signatures can only be checked where the background worker's key file is; `signing_key` would create a key where there is none.
    key = chain.signing_key().public_key() if chain.has_signing_key() else None
    yield from chain.verify_chain(session, key, exported=settings.home / "audit-heads.jsonl").problems


def _evaluated(session: Session) -> Iterator[str]:
    rows = session.execute(
        text(
            "SELECT count(*) FROM host h, installation i WHERE h.state = 'active' AND h.configuration_id IS NOT NULL"
            " AND h.rules_epoch < i.rules_epoch"
        )
    )
    lagging = rows.scalar_one()
    if lagging:
        yield f"{counted(lagging, 'host')} evaluated with older packs than the active ones (re-evaluation runs in the background)"


def _notices(session: Session) -> Iterator[str]:
    rows = session.execute(
        text(
            "SELECT name, last_words FROM notice_channel"
            " WHERE is_enabled AND removed_at IS NULL AND failing_since < now() - interval '15 minutes' ORDER BY name, id"
        )
    )
    for name, words in rows:
        yield f"notifications to {name} have failed for more than 15 minutes: {words}"


def _alarms(session: Session) -> Iterator[str]:
    for name, alarm in session.execute(text("SELECT name, alarm FROM host WHERE alarm <> '' ORDER BY name")):
        yield f"{name}: {alarm}"


_SILENT = f"""
SELECT name, count(*) OVER () FROM host WHERE state = 'active' AND {REPORTS}
  AND (last_seen_at IS NULL OR last_seen_at < clock_timestamp() - make_interval(secs => :intervals * interval_seconds))
ORDER BY name LIMIT 10
"""  # noqa: S608 (a constant)


def _silent(session: Session) -> Iterator[str]:
    rows = session.execute(text(_SILENT), {"intervals": SILENT_AFTER_INTERVALS})
    silent = [(name, count) for name, count in rows]
    if silent:
        count = silent[0][1]
        more = f" and {count - len(silent)} more" if count > len(silent) else ""
        yield f"{counted(count, 'host')} not reporting: {', '.join(name for name, _ in silent)}{more}"


def _agent_keys(session: Session) -> Iterator[str]:
    for key, count in hosts_by_key(session)[:-1]:
        yield f"agent-{key}.key is still used by {counted(count, 'host')}: keep the file until none uses it"


def _partitions(session: Session) -> Iterator[str]:
    for table in ("check_in", "setting_change", "finding_log", "counter_sample"):
        if session.execute(text(f"SELECT EXISTS (SELECT 1 FROM {table}_default)")).scalar_one():  # noqa: S608 (our own four names)
            yield f"rows of {table} lie in its default partition: the task that creates partitions has not run in time"


def _restarts(_: Session) -> Iterator[str]:
    since = iso(utc_now() - timedelta(hours=24))
    ended: dict[str, list[Restart]] = {}
    for restart in restarts(get_settings().home / "run"):
        if restart.at >= since:
            ended.setdefault(restart.part, []).append(restart)
    for part, ends in sorted(ended.items()):
        last = ends[-1]
        times = "once" if len(ends) == 1 else f"{len(ends)} times"
        yield f"{part} restarted {times}, last at {last.at} ({last.how} after {last.lived_seconds} s)"


def _machine(_: Session) -> Iterator[str]:
    home = get_settings().home
    if down := parts_down(home / "run"):
        yield f"parts of `plumbline up` do not run: {', '.join(down)}"
    if full := full_disk(home):
        yield full


def _clock(session: Session) -> Iterator[str]:
    ahead = (utc_now() - now_of(session)).total_seconds()
    if abs(ahead) > _CLOCK_SECONDS:
        side = "ahead of" if ahead > 0 else "behind"
        words = "certificates and sign-ins may be refused; set both by NTP"
        yield f"the clock of this server is {abs(ahead):.0f} s {side} the database's: {words}"


def _broker(_: Session) -> Iterator[str]:
    if get_settings().redis_url and not broker_answers():
        yield "Redis isn't responding: check-ins and screens keep working, reports and collection wait"


# Those named in PROMISES are promises of Plumbline; the others are states of the fleet that a person should know.
CHECKS: tuple[Check, ...] = (
    Check("receipts", "every acknowledged section is stored", _receipts),
    Check("order", "host records match the check-in log", _order),
    Check("rollups", "displayed figures match the database", _rollups),
    Check("audit", "audit log chain is intact and up to date", _audit),
    Check("partitions", "all rows are in their partitions", _partitions),
    Check("broker", "the broker answers", _broker),
    Check("one job per host", "at most one job per host, concurrency limits respected", invariants.one_job_a_host),
    Check("intents", "every command was logged before sending", invariants.intents),
    Check("signatures", "every job matches its signed approval", invariants.signatures),
    Check("fences", "claim numbers only increase", invariants.fences),
    Check("verified", "completed jobs were verified by a later check-in", invariants.verified),
    Check("no lost jobs", "no stuck jobs", invariants.nothing_lost),
    Check("boundaries", "no finished job has an unfinished step", invariants.boundaries),
    Check("transitions", "every state change is in the audit log", invariants.audited),
    Check("restored", "after a restore, nothing ran until an admin resumed", invariants.restored),
    Check("workers", "all workers respond", invariants.queues_without_worker),
    Check("parts", "no component restarted in the last 24 h", _restarts),
    Check("machine", "every part of `plumbline up` runs, and the disk has room", _machine),
    Check("clock", "the clock of this server agrees with the database's", _clock),
    Check("people", "no job needs attention", invariants.people_needed),
    Check("notices", "notifications are delivered", _notices),
    Check("judged", "all hosts are evaluated with the active packs", _evaluated),
    Check("alarms", "no host alarms", _alarms),
    Check("silent", "all hosts are reporting", _silent),
    Check("agent keys", "every host signs under one agent key", _agent_keys),
)
PROMISES = frozenset(
    {
        "receipts", "order", "rollups", "audit", "partitions", "broker",
        "one job per host", "intents", "signatures", "fences", "verified", "no lost jobs", "boundaries", "transitions",
        "restored",
    }
)  # fmt: skip
