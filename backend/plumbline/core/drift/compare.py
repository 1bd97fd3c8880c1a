"""Drift from the baseline: a host's configuration compared with the one that was accepted for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, NotOffered, Reading, Source, Subject, Unknown, Value

# What a host does at the moment is no part of what was accepted: links, paths and sessions have drift and findings of their own.
_OBSERVED = frozenset({"operational", "running"})
# Plumbline's own sentences and versions; they are no settings of the host.
_OURS = frozenset({"host.agent_version", "adapter.role_reason"})


class Difference(msgspec.Struct, frozen=True):
    """One setting that differs from the accepted one, or (with an empty key) a whole subject that came or went.

    `accepted` and `now` are None where there was nothing. A setting that the accepted configuration did not have yet (an older Plumbline
    read less) is no difference.
    """

    subject: Subject
    key: str
    accepted: Reading | None
    now: Reading | None


class Comparison(msgspec.Struct, frozen=True):
    """What differs, and what is not known: settings that were accepted and are not read now, each with the reason."""

    differences: tuple[Difference, ...]
    unread: tuple[tuple[Subject, str, str], ...]


def compare(accepted: Configuration, now: Configuration) -> Comparison:
    """Both sorted by subject and key."""
    differences: list[Difference] = []
    unread: list[tuple[Subject, str, str]] = []
    for subject in accepted.differing(now):
        before, after = _compared(subject, accepted.keys(subject)), _compared(subject, now.keys(subject))
        if not any(isinstance(reading, Value) for reading in before.values()):
            # Nothing of it was accepted: it came, or it could not be read then.
            if subject not in accepted.subject_set() and any(isinstance(reading, Value) for reading in after.values()):
                differences.append(Difference(subject, "", None, _name_of(after)))
        elif subject not in now.subject_set():
            differences.append(Difference(subject, "", _name_of(before), None))
        else:
            for key in sorted(before):
                _compare_setting(subject, key, before[key], after.get(key), differences, unread)
    return Comparison(tuple(differences), tuple(unread))


def _compared(subject: Subject, keys: Mapping[str, Reading]) -> dict[str, Reading]:
    return {key: reading for key, reading in keys.items() if _is_compared(f"{subject.kind}.{key}")}


def _is_compared(address: str) -> bool:
    entry = BY_KEY.get(address)
    return entry is not None and entry.layer not in _OBSERVED and address not in _OURS


def _name_of(keys: Mapping[str, Reading]) -> Reading | None:
    """What a subject that came or went is called, else one of its values."""
    values = {key: reading for key, reading in keys.items() if isinstance(reading, Value)}
    return values.get("name") or next(iter(values.values()), None)


def _compare_setting(
    subject: Subject,
    key: str,
    accepted: Reading,
    now: Reading | None,
    differences: list[Difference],
    unread: list[tuple[Subject, str, str]],
) -> None:
    if isinstance(accepted, Unknown):
        return
    if now is None or isinstance(now, Unknown):
        if isinstance(accepted, Value):
            unread.append((subject, key, now.reason if isinstance(now, Unknown) else "no longer reported"))
    elif isinstance(accepted, Value) and isinstance(now, Value):
        if accepted.value != now.value:
            differences.append(Difference(subject, key, accepted, now))
    elif type(accepted) is not type(now):
        differences.append(Difference(subject, key, accepted, now))


_NO_SOURCE = Source("", "", "")


def with_settings(accepted: Configuration, settings: Sequence[Mapping[str, Any]]) -> Configuration:
    """The accepted configuration with the settings that were accepted one by one."""
    if not settings:
        return accepted
    readings = {subject: dict(accepted.keys(subject)) for subject in accepted.all_subjects()}
    for each in settings:
        keys = readings.setdefault(Subject(each["kind"], each["id"]), {})
        if "value" in each:
            value = each["value"]
            keys[each["key"]] = Value(tuple(value) if isinstance(value, list) else value, _NO_SOURCE)
        elif "not_offered" in each:
            keys[each["key"]] = NotOffered("not offered when it was accepted")
        else:
            # Whatever it is now was not there when it was accepted: no difference.
            keys[each["key"]] = Unknown("not there when it was accepted")
    return Configuration.taking(accepted.platform, readings, accepted.unlisted)


__all__ = ["Comparison", "Difference", "compare", "with_settings"]
