"""Items that a host's lists did not name this time, found again by what other reads show of them.

Adapters are known by their MAC address and initiators by their IQN, which only the lists print. Where a list failed, the other reads name
an adapter by its PCI location and an initiator by its vmhba: without this they would be new items beside the known ones, with findings and
changes of their own until the list is back.
"""

from collections.abc import Mapping

import msgspec

from plumbline.core.facts.configuration import Configuration, Reading, Subject, Value
from plumbline.core.facts.paths import Path, PathMap

# Kind -> the settings that recognise an item, the surest first.
_BY = {"adapter": ("pci", "name"), "initiator": ("name",)}


def same_items(before: Configuration, now: Configuration) -> dict[Subject, Subject]:
    """New items of `now`, of kinds that were not listed whole, that are known ones of `before`: new subject -> known subject."""
    found: dict[Subject, Subject] = {}
    for kind, keys in _BY.items():
        if kind not in now.unlisted:
            continue
        known = before.subject_set()
        new = [subject for subject in now.subjects(kind) if subject not in known]
        # Only what `now` has no values of may be the same.
        lost = [subject for subject in before.subjects(kind) if not _has_values(now, subject)]
        for subject in new:
            same = next((one for key in keys if (one := _only(before, lost, key, now.value(subject, key))) is not None), None)
            if same is not None and same not in found.values():
                found[subject] = same
    return found


def renamed(configuration: Configuration, names: Mapping[Subject, Subject]) -> Configuration:
    """The configuration with these items under their known ids, and everything that names them."""
    ids = {(old.kind, old.id): new.id for old, new in names.items()}
    readings: dict[Subject, dict[str, Reading]] = {}
    for subject in configuration.all_subjects():
        keys = dict(configuration.keys(subject))
        adapter = keys.get("adapter")
        if isinstance(adapter, Value) and ("adapter", str(adapter.value)) in ids:
            keys["adapter"] = Value(ids["adapter", str(adapter.value)], adapter.source)
        mine = readings.setdefault(_renamed_subject(subject, ids), {})
        for key, reading in keys.items():
            if isinstance(reading, Value) or not isinstance(mine.get(key), Value):
                mine[key] = reading
    return Configuration.taking(configuration.platform, readings, configuration.unlisted)


def renamed_paths(path_map: PathMap, names: Mapping[Subject, Subject]) -> PathMap:
    """The path map with these items under their known ids."""
    ids = {(old.kind, old.id): new.id for old, new in names.items()}
    return msgspec.structs.replace(path_map, paths=tuple(sorted(_renamed_path(path, ids) for path in path_map.paths)))


def _renamed_path(path: Path, ids: Mapping[tuple[str, str], str]) -> Path:
    return msgspec.structs.replace(
        path,
        adapter=ids.get(("adapter", path.adapter), path.adapter),
        initiator=ids.get(("initiator", path.initiator), path.initiator),
        target=_renamed_subject(Subject("target", path.target), ids).id,
    )


def _renamed_subject(subject: Subject, ids: Mapping[tuple[str, str], str]) -> Subject:
    if subject.kind == "target":
        initiator, arrow, rest = subject.id.partition(">")
        return Subject("target", ids.get(("initiator", initiator), initiator) + arrow + rest)
    return Subject(subject.kind, ids.get((subject.kind, subject.id), subject.id))


def _has_values(configuration: Configuration, subject: Subject) -> bool:
    return any(isinstance(reading, Value) for reading in configuration.keys(subject).values())


def _only(before: Configuration, lost: list[Subject], key: str, value: object) -> Subject | None:
    """The one lost item that had this value."""
    same = [subject for subject in lost if value not in (None, "") and before.value(subject, key) == value]
    return same[0] if len(same) == 1 else None
