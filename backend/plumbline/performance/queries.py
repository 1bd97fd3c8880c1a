"""Reading one host's counters: the tier is picked by range, and no series has more than a thousand points."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import host_in_scope
from plumbline.configurations.read import Labels, read_document, setting_label
from plumbline.core.facts.configuration import Configuration, Subject
from plumbline.core.facts.storage_adapters import storage_adapters
from plumbline.core.rules.reading_words import stored_text
from plumbline.performance.fold import line_of, unpack
from plumbline.performance.metrics import WORDS
from plumbline.performance.rates import Line, join, percent, points
from plumbline.performance.schemas import CounterLine, CounterMark, HostCounters, SeriesChoice

MOST_SERIES = 8
RETRANSMIT_PERCENT = "host/:tcp_retransmit_percent"
_SENT, _AGAIN = "host/:tcp_segments_sent", "host/:tcp_segments_retransmitted"

_EVENTS = {"pack_activated": "rules of {} active", "pack_published": "{} published"}


@dataclass(frozen=True, slots=True)
class _Series:
    no: int
    subject: str
    name: str
    kind: str

    @property
    def id(self) -> str:
        return f"{self.subject}:{self.name}"


def read_counters(session: Session, *, actor: Actor, host_id: str, hours: int, wanted: list[str]) -> HostCounters:
    """The requested series, or retransmits and the throughput of each SAN adapter. Six queries for any range."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    stored = read_document(session, host)
    configuration = stored.document.configuration if stored else None
    labels = Labels.of(stored.document if stored else None)
    now: datetime = session.execute(text("SELECT now()")).scalar_one().astimezone(UTC)
    since = now - timedelta(hours=hours)
    known = {
        each.id: each
        for each in (
            _Series(row.no, row.subject, row.name, row.kind)
            for row in session.execute(
                text("SELECT no, subject, name, kind FROM counter_series WHERE host_id = :host ORDER BY no"), {"host": host.id}
            )
        )
    }
    choices = list(known) + ([RETRANSMIT_PERCENT] if _SENT in known and _AGAIN in known else [])
    picked = [each for each in dict.fromkeys(wanted) if each in choices][:MOST_SERIES] or _pick(choices, configuration)
    needed = {part for each in picked for part in ((_SENT, _AGAIN) if each == RETRANSMIT_PERCENT else (each,))}
    lines = _read_lines(session, host.id, [known[each] for each in sorted(needed)], since, now)
    series, is_downsampled = [], False
    for each in picked:
        line = percent(lines[_AGAIN], lines[_SENT]) if each == RETRANSMIT_PERCENT else lines[each]
        drawn, was_cut = points(line)
        is_downsampled = is_downsampled or was_cut
        choice = _choice(each, labels)
        series.append(CounterLine(subject=each.rpartition(":")[0], points=drawn, **choice.model_dump()))
    return HostCounters(
        from_=since,
        to=now,
        is_downsampled=is_downsampled,
        series=series,
        available=sorted((_choice(each, labels) for each in choices), key=lambda each: (each.label, each.name)),
        markers=_marks(session, host.id, since),
    )


def _pick(choices: list[str], configuration: Configuration | None) -> list[str]:
    san = [adapter.id for adapter in storage_adapters(configuration)] if configuration else []
    usual = [RETRANSMIT_PERCENT, *(f"adapter/{adapter}:{name}" for adapter in san for name in ("bytes_received", "bytes_sent"))]
    return [each for each in usual if each in choices][:MOST_SERIES] or choices[:2]


def _choice(series_id: str, labels: Labels) -> SeriesChoice:
    subject_text, _, name = series_id.rpartition(":")
    kind, _, subject_id = subject_text.partition("/")
    words, unit = WORDS.get(name, (name.replace("_", " "), ""))
    where = "" if kind == "host" else labels.of_subject(Subject(kind, subject_id))
    return SeriesChoice(id=series_id, label=f"{where} {words}".strip(), name=name, unit=unit)


def _read_lines(session: Session, host_id: str, series: list[_Series], since: datetime, until: datetime) -> dict[str, Line]:
    """Day chunks for the days that have them, wide rows for the rest."""
    folded = session.execute(
        text("SELECT no, day, chunk FROM counter_day WHERE host_id = :host AND no = ANY(:numbers) AND day >= :first ORDER BY day"),
        {"host": host_id, "numbers": [each.no for each in series], "first": since.date()},
    ).all()
    # Within 48 h the wide rows are all there and finer; beyond, chunks cover every day that has one.
    is_recent = until - since <= timedelta(hours=48)
    chunk_days = set() if is_recent else {row.day for row in folded}
    samples = session.execute(
        text("SELECT at, uptime_seconds, values FROM counter_sample WHERE host_id = :host AND at >= :since ORDER BY at LIMIT 20000"),
        {"host": host_id, "since": since - timedelta(hours=1)},
    ).all()
    at_ms = [int(row.at.timestamp() * 1000) for row in samples]
    uptimes = [row.uptime_seconds for row in samples]
    start_ms = int(since.timestamp() * 1000)
    lines = {}
    for each in series:
        values = [row.values[each.no] if each.no < len(row.values) else None for row in samples]
        fresh = line_of(each.kind, at_ms, uptimes, values)
        keep = [
            index
            for index, at in enumerate(fresh.at)
            if at >= start_ms and datetime.fromtimestamp(int(at) / 1000, UTC).date() not in chunk_days
        ]
        old = [unpack(row.chunk).means(row.day) for row in folded if row.no == each.no and row.day in chunk_days]
        joined = join([*old, Line(fresh.at[keep], fresh.values[keep])])
        order = joined.at.argsort(kind="stable")
        inside = order[joined.at[order] >= start_ms]
        lines[each.id] = Line(joined.at[inside], joined.values[inside])
    return lines


def _marks(session: Session, host_id: str, since: datetime) -> list[CounterMark]:
    """Setting changes, one mark for each check-in with changes; and packs published or activated."""
    changes: dict[datetime, list[Any]] = {}
    for row in session.execute(
        text(
            "SELECT received_at, subject_kind, key, old, new, cause FROM setting_change"
            " WHERE host_id = :host AND received_at >= :since AND cause <> 'first_seen' ORDER BY received_at, id LIMIT 2000"
        ),
        {"host": host_id, "since": since},
    ):
        changes.setdefault(row.received_at.astimezone(UTC), []).append(row)
    marks = []
    for at, rows in changes.items():
        first = rows[0]
        label = (
            f"{setting_label(first.subject_kind, first.key)} {stored_text(first.subject_kind, first.key, first.old)}"
            f" → {stored_text(first.subject_kind, first.key, first.new)}"
        )
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        marks.append(CounterMark(at=at, kind="restart" if first.cause == "reboot" else "change", label=label + more))
    # What was activated or decided on the host's group or one above it; events of other groups do not concern this host.
    events = session.execute(
        text(
            "SELECT e.at, e.kind, e.label FROM fleet_event e LEFT JOIN host_group g ON g.id = e.group_id"
            " WHERE e.at >= :since AND (g.id IS NULL OR starts_with("
            "(SELECT mine.path FROM host h JOIN host_group mine ON mine.id = h.group_id WHERE h.id = :host), g.path))"
            " ORDER BY e.at LIMIT 100"
        ),
        {"since": since, "host": host_id},
    )
    for row in events:
        marks.append(CounterMark(at=row.at.astimezone(UTC), kind=row.kind, label=_EVENTS.get(row.kind, "{}").format(row.label)))
    return sorted(marks, key=lambda mark: mark.at)
