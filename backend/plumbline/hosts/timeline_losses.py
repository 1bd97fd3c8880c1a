"""Two alarms of one host that no rule stands for: volumes that lost paths, and times without check-ins."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import text
from sqlmodel import Session

from plumbline.configurations.read import Labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.hosts.timeline_alarms import Span, is_within, joined
from plumbline.hosts.timeline_schemas import TimelineAlarm

# A volume whose paths flap more often than this in the whole history loses its oldest changes here.
_MOST_CHANGES = 2000
# Without a bound in time: what was lost before the range may not have come back yet. A loss that a person marked as expected is none.
_PATHS = """
SELECT c.received_at AS at, c.subject_id, c.old ->> 'value' AS old, c.new ->> 'value' AS new, c.new IS NULL AS is_gone,
  EXISTS (SELECT FROM marked_change m JOIN change_mark k ON k.id = m.mark_id WHERE m.change_id = c.id AND k.ended_at IS NULL) AS is_expected
FROM setting_change c
WHERE c.host_id = :host AND c.received_at <= :until AND c.subject_kind = 'volume' AND c.key = 'paths_healthy' AND c.cause <> 'first_seen'
ORDER BY c.received_at DESC, c.id DESC LIMIT :most
"""
# A host that is only late is no alarm, nor is a short pause of one that checks in every few seconds: Plumbline's own restart takes as long.
_GAPS = """
SELECT began_at, noticed_at, ended_at, interval_seconds FROM check_in_gap
WHERE host_id = :host AND began_at <= :until AND coalesce(ended_at, :until) >= :since
  AND least(coalesce(ended_at, :until), :until) - began_at >
    greatest(make_interval(secs => :silent * interval_seconds), interval '5 minutes')
ORDER BY began_at
"""
# The recorder runs every few seconds, so it notices a gap later than this only where Plumbline was not running.
_NOTICED_WITHIN = timedelta(minutes=5)


class PathChange(NamedTuple):
    """How many healthy paths a volume had and has from then on; None: unknown."""

    at: datetime
    old: int | None
    new: int | None
    is_gone: bool = False
    is_expected: bool = False


class Loss(NamedTuple):
    """A time in which a volume had fewer healthy paths than before it: the fewest of it, and how many it had before."""

    span: Span
    fewest: int
    before: int


def read_lost_paths(session: Session, host_id: str, *, labels: Labels, since: datetime, until: datetime) -> list[TimelineAlarm]:
    """When volumes had fewer healthy paths than before, until they were back or the volume was gone; volumes at once are one alarm."""
    changes: dict[str, list[PathChange]] = defaultdict(list)
    rows = session.execute(text(_PATHS), {"host": host_id, "until": until, "most": _MOST_CHANGES}).all()
    for row in reversed(rows):
        changes[row.subject_id].append(PathChange(row.at, _number(row.old), _number(row.new), row.is_gone, row.is_expected))
    losses = [(volume, loss) for volume, listed in changes.items() for loss in losses_of(listed)]
    found = []
    for span in joined(loss.span for _, loss in losses):
        if is_within(span, since, until):
            inside = [(volume, loss) for volume, loss in losses if joined([span, loss.span]) == [span]]
            found.append(_alarm("paths", "Paths down", _in_words(inside, labels), *span))
    return found


def losses_of(changes: Sequence[PathChange]) -> list[Loss]:
    """The losses of one volume, of its changes in order. Where the number is unknown, what held before goes on."""
    found: list[Loss] = []
    began: datetime | None = None
    before = fewest = 0
    for at, old, new, is_gone, is_expected in changes:
        if began is not None and (is_gone or is_expected or (new is not None and new >= before)):
            found.append(Loss(Span(began, at), fewest, before))
            began = None
        elif began is not None and new is not None:
            fewest = min(fewest, new)
        elif began is None and old is not None and new is not None and new < old and not is_expected:
            began, before, fewest = at, old, new
    return [*found, Loss(Span(began, None), fewest, before)] if began is not None else found


def read_gaps(session: Session, host_id: str, *, since: datetime, until: datetime) -> list[TimelineAlarm]:
    """The times in which the host was not reporting, from its last check-in on."""
    rows = session.execute(text(_GAPS), {"host": host_id, "since": since, "until": until, "silent": SILENT_AFTER_INTERVALS})
    return [_alarm("check_ins", "Not reporting", _why(row), row.began_at, row.ended_at) for row in rows]


def _alarm(kind: Literal["paths", "check_ins"], title: str, words: str, began: datetime | None, ended: datetime | None) -> TimelineAlarm:
    return TimelineAlarm(kind=kind, pack="", rule="", title=title, words=words, began=began, ended=ended)


def _why(row: Any) -> str:
    late = timedelta(seconds=SILENT_AFTER_INTERVALS * row.interval_seconds)
    is_ours = row.noticed_at - row.began_at > late + _NOTICED_WITHIN
    return "No check-ins; Plumbline itself was not running for a part of it" if is_ours else "No check-ins"


def _in_words(losses: Sequence[tuple[str, Loss]], labels: Labels) -> str:
    volume, loss = min(losses, key=lambda each: (each[1].fewest, each[1].fewest - each[1].before, each[0]))
    more = len({each for each, _ in losses}) - 1
    label = labels.of_subject(Subject("volume", volume))
    return f"{label}: {loss.fewest} of {loss.before} paths up{f', and {more} more' if more else ''}"


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdigit() else None
