"""The alarm of paths that are down: when volumes of a host had fewer healthy paths than before. No rule stands for it."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import text
from sqlmodel import Session

from plumbline.configurations.read import Labels
from plumbline.core.facts.configuration import Subject
from plumbline.hosts.timeline_alarms import Span, is_within, joined
from plumbline.hosts.timeline_schemas import TimelineAlarm

# A volume whose paths flap more often than this in the whole history loses its oldest changes here.
_MOST_CHANGES = 2000
# Without a bound in time: paths that went down before the range may still be. What a person marked as expected is no alarm.
_PATHS = """
SELECT c.received_at AS at, c.subject_id, c.old ->> 'value' AS old, c.new ->> 'value' AS new, c.new IS NULL AS is_gone,
  EXISTS (SELECT FROM marked_change m JOIN change_mark k ON k.id = m.mark_id WHERE m.change_id = c.id AND k.ended_at IS NULL) AS is_expected
FROM setting_change c
WHERE c.host_id = :host AND c.received_at <= :until AND c.subject_kind = 'volume' AND c.key = 'paths_healthy' AND c.cause <> 'first_seen'
ORDER BY c.received_at DESC, c.id DESC LIMIT :most
"""


class PathChange(NamedTuple):
    """How many healthy paths a volume had and has from then on; None: unknown."""

    at: datetime
    old: int | None
    new: int | None
    is_gone: bool = False
    is_expected: bool = False


class PathsDown(NamedTuple):
    """A time in which a volume had fewer healthy paths than before it: the fewest of it, and how many it had before."""

    span: Span
    fewest: int
    before: int


def read_paths_down(session: Session, host_id: str, *, labels: Labels, since: datetime, until: datetime) -> list[TimelineAlarm]:
    """When volumes had fewer healthy paths than before, until they were back or the volume was gone; volumes at once are one alarm."""
    changes: dict[str, list[PathChange]] = defaultdict(list)
    rows = session.execute(text(_PATHS), {"host": host_id, "until": until, "most": _MOST_CHANGES}).all()
    for row in reversed(rows):
        changes[row.subject_id].append(PathChange(row.at, _number(row.old), _number(row.new), row.is_gone, row.is_expected))
    downs = [(volume, down) for volume, listed in changes.items() for down in times_down(listed)]
    found = []
    for span in joined(down.span for _, down in downs):
        if is_within(span, since, until):
            inside = [(volume, down) for volume, down in downs if joined([span, down.span]) == [span]]
            found.append(TimelineAlarm.of("paths", "Paths down", _in_words(inside, labels), *span))
    return found


def times_down(changes: Sequence[PathChange]) -> list[PathsDown]:
    """When paths of one volume were down, of its changes in order. Where the number is unknown, what held before goes on."""
    found: list[PathsDown] = []
    began: datetime | None = None
    before = fewest = 0
    for at, old, new, is_gone, is_expected in changes:
        if began is not None and (is_gone or is_expected or (new is not None and new >= before)):
            found.append(PathsDown(Span(began, at), fewest, before))
            began = None
        elif began is not None and new is not None:
            fewest = min(fewest, new)
        elif began is None and old is not None and new is not None and new < old and not is_expected:
            began, before, fewest = at, old, new
    return [*found, PathsDown(Span(began, None), fewest, before)] if began is not None else found


def _in_words(downs: Sequence[tuple[str, PathsDown]], labels: Labels) -> str:
    volume, down = min(downs, key=lambda each: (each[1].fewest, each[1].fewest - each[1].before, each[0]))
    more = len({each for each, _ in downs}) - 1
    label = labels.of_subject(Subject("volume", volume))
    return f"{label}: {down.fewest} of {down.before} paths up{f', and {more} more' if more else ''}"


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdigit() else None
