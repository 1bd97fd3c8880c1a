"""Why a setting changed, as far as one check-in shows, and which changes on many hosts are the same change."""

import hashlib
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from plumbline.core.drift.changes import Change
from plumbline.core.facts.configuration import NotOffered, Reading, Subject, Value

_DRIVER_KEYS = frozenset({"driver", "driver_version", "driver_date"})
_TOOLKIT_KEYS = frozenset({"hit_kit", "mem"})


class Cause(NamedTuple):
    """The likely cause and what it rests on, as text."""

    cause: str
    detail: str = ""


def causes_of(changes: Sequence[Change], known_subjects: Collection[Subject], *, is_rebooted: bool) -> list[Cause]:
    """The likely cause of each change. The nearest explanation wins: a new subject, its driver, its firmware, a toolkit, a restart."""
    drivers: dict[str, str] = {}
    firmware: dict[str, str] = {}
    toolkit = ""
    for change in changes:
        if not isinstance(change.new, Value) or not isinstance(change.old, Value):
            continue
        text = f"{change.old.value} to {change.new.value}"
        if change.subject.kind == "adapter" and change.key in _DRIVER_KEYS:
            if change.key == "driver_version" or change.subject.id not in drivers:
                drivers[change.subject.id] = f"{change.key.replace('_', ' ')} {text}"
        elif change.subject.kind == "adapter" and change.key == "firmware_version":
            firmware[change.subject.id] = f"firmware {text}"
        elif change.subject.kind == "host" and change.key in _TOOLKIT_KEYS:
            toolkit = f"{'Host Integration Toolkit' if change.key == 'hit_kit' else 'MEM'} {text}"
    return [_cause(change, known_subjects, drivers, firmware, toolkit, is_rebooted=is_rebooted) for change in changes]


def _cause(
    change: Change, known: Collection[Subject], drivers: dict[str, str], firmware: dict[str, str], toolkit: str, *, is_rebooted: bool
) -> Cause:
    subject = change.subject
    if change.old is None and subject not in known:
        return Cause("first_seen")
    if subject.kind == "adapter" and subject.id in drivers:
        return Cause("driver_update", drivers[subject.id])
    if subject.kind == "adapter" and subject.id in firmware:
        return Cause("firmware_update", firmware[subject.id])
    if toolkit:
        return Cause("toolkit", toolkit)
    if is_rebooted:
        return Cause("reboot", "host restarted since the previous check-in")
    return Cause("unknown")


def reading_json(reading: Reading | None) -> str | None:
    """A reading as the log of changes keeps it; None where the setting was not there."""
    if reading is None:
        return None
    if isinstance(reading, Value):
        return msgspec.json.encode({"value": reading.value}).decode()
    kind = "not_offered" if isinstance(reading, NotOffered) else "unknown"
    return msgspec.json.encode({kind: reading.reason}).decode()


def alike_key(change: Change, cause: Cause, old: str | None, new: str | None) -> str:
    """The same for the same change of the same setting for the same cause, whatever host and subject it happened on."""
    joined = "\x00".join((change.subject.kind, change.key, old or "", new or "", cause.cause, cause.detail))
    return hashlib.blake2b(joined.encode(), digest_size=8).hexdigest()
