"""Which changes of settings are one happening: a driver update with all that it changed, a link that went down with its paths, the same
change by hand on seven hosts. Every change belongs to exactly one event. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from plumbline.core.facts.catalogue import BY_KEY

# What happened alike on several hosts is one event as long as no more than this lies between two of them.
WINDOW = timedelta(hours=24)
# An item that is gone takes many settings with it: it is one change.
GONE_FROM = 3
# Causes that name one happening, whatever they changed on each host. For the others the change itself says whether it is the same.
_NAMED = frozenset({"our_job", "driver_update", "firmware_update", "toolkit", "os_update", "group_policy", "agent_upgrade"})
_RANK_OF_LAYER = {"configured": 2, "identity": 3, "running": 4, "operational": 5}
_LINK_DOWN = ("adapter", "link_up", '{"value": false}')


class LoggedChange(NamedTuple):
    """A row of the log of changes; `old` and `new` are the readings as JSON text, None where the setting was not there."""

    id: int
    host_id: str
    at: datetime
    subject_kind: str
    subject_id: str
    key: str
    old: str | None
    new: str | None
    cause: str
    cause_detail: str
    job_id: int | None = None

    @property
    def alike(self) -> tuple[str, str, str | None, str | None]:
        """The same for the same change of the same setting, whatever host and item it happened on."""
        return self.subject_kind, self.key, self.old, self.new

    @property
    def is_link_down(self) -> bool:
        """An adapter lost its link."""
        return (self.subject_kind, self.key, self.new) == _LINK_DOWN

    @property
    def rank(self) -> int:
        """How much it says of what happened; the lowest is the headline."""
        if self.is_link_down:
            return 0
        entry = BY_KEY.get(f"{self.subject_kind}.{self.key}")
        return _RANK_OF_LAYER[entry.layer] if entry is not None else 6


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """One happening. `changes` has the oldest first, `effects` those that are alike together, the headline first.

    `is_gone`: whole items are gone; then `effects` has what was the most telling of them first.
    """

    cause: str
    cause_detail: str
    changes: tuple[LoggedChange, ...]
    effects: tuple[tuple[LoggedChange, ...], ...]
    is_gone: bool = False

    @property
    def id(self) -> int:
        """The number of its oldest change."""
        return self.changes[0].id

    @property
    def headline(self) -> LoggedChange:
        """The change that says most of what happened."""
        return self.effects[0][0]


def events_of(changes: Iterable[LoggedChange], *, weights: Mapping[int, int] | None = None) -> list[ChangeEvent]:
    """The events, the newest first. `weights` (by number of a change, the lowest first) go before the rank in choosing the headline."""
    given = weights or {}
    ordered = sorted(changes, key=lambda change: (change.at, change.id))
    gone = Counter((change.host_id, change.at, change.subject_kind, change.subject_id) for change in ordered if change.new is None)
    happened: dict[tuple[object, ...], list[LoggedChange]] = {}
    for change in ordered:
        subject = (change.host_id, change.at, change.subject_kind, change.subject_id)
        is_gone = change.new is None and gone[subject] >= GONE_FROM and change.cause not in _NAMED
        happened.setdefault(_on_host(change, is_gone=is_gone), []).append(change)
    alike: dict[tuple[object, ...], list[list[LoggedChange]]] = {}
    for key, members in _without_lost_links(happened):
        alike.setdefault(_signature(key, members, given), []).append(members)
    found = []
    for signature, runs in alike.items():
        for run in _split(runs, is_endless=signature[0] == "our_job"):
            found.append(_event(run, given, is_gone=signature[0] == "gone"))
    return sorted(found, key=lambda event: (event.changes[-1].at, event.id), reverse=True)


def _on_host(change: LoggedChange, *, is_gone: bool) -> tuple[object, ...]:
    """What makes changes of one host one happening."""
    if is_gone:
        return ("gone", change.host_id, change.at, change.subject_kind)
    if change.cause in _NAMED:
        return (change.cause, change.cause_detail, change.host_id, change.at)
    return ("other", change.cause, change.cause_detail, change.host_id, change.at)


def _without_lost_links(
    happened: Mapping[tuple[object, ...], list[LoggedChange]],
) -> Iterable[tuple[tuple[object, ...], list[LoggedChange]]]:
    """A lost link and all that it took (paths, sessions, portals) are one happening; settings changed at the same time are another."""
    for key, members in happened.items():
        if key[0] == "other" and any(change.is_link_down for change in members):
            configured = _RANK_OF_LAYER["configured"]
            state = [change for change in members if change.rank != configured]
            settings = [change for change in members if change.rank == configured]
            yield key, state
            if settings:
                yield key, settings
        else:
            yield key, members


def _signature(key: tuple[object, ...], members: Sequence[LoggedChange], weights: Mapping[int, int]) -> tuple[object, ...]:
    """What makes happenings of several hosts the same one."""
    if key[0] == "gone":
        return key
    if key[0] != "other":
        return key[:2]
    return ("other", *key[1:3], *_effects(members, weights)[0][0].alike)


def _split(runs: list[list[LoggedChange]], *, is_endless: bool) -> Iterable[list[LoggedChange]]:
    """Runs that lie close together in time, joined; they come oldest first."""
    joined: list[LoggedChange] = []
    for run in sorted(runs, key=lambda run: (run[0].at, run[0].id)):
        if joined and not is_endless and run[0].at - joined[-1].at > WINDOW:
            yield joined
            joined = []
        joined.extend(run)
    if joined:
        yield joined


def _event(changes: list[LoggedChange], weights: Mapping[int, int], *, is_gone: bool) -> ChangeEvent:
    first = changes[0]
    ordered = tuple(sorted(changes, key=lambda change: (change.at, change.id)))
    return ChangeEvent(first.cause, first.cause_detail, ordered, _effects(ordered, weights), is_gone)


def _effects(changes: Sequence[LoggedChange], weights: Mapping[int, int]) -> tuple[tuple[LoggedChange, ...], ...]:
    """Alike changes together: the most telling first, then those on most hosts."""
    if len(changes) == 1:  # as of most hosts
        return ((changes[0],),)
    alike: dict[tuple[str, str, str | None, str | None], list[LoggedChange]] = {}
    for change in changes:
        alike.setdefault(change.alike, []).append(change)

    def order(members: list[LoggedChange]) -> tuple[int, int, int, str]:
        weight = min(weights.get(change.id, 1_000_000) for change in members) if weights else 0
        return weight, members[0].rank, -len({change.host_id for change in members}), members[0].key

    return tuple(tuple(members) for members in sorted(alike.values(), key=order))
