"""Settings that no host reports: those of an offload engine, which only the vendor's own tool shows, entered by a person; and the cluster
of an ESXi host, entered by a person or imported from its vCenter.

They fill in what is unknown and never override a value that was read.
"""

from collections.abc import Iterable, Mapping

from plumbline.core.facts.catalogue import BY_KEY, ENTERED
from plumbline.core.facts.configuration import HOST, Facts, Reading, SettingValue, Source, Subject, Unknown, Value, decode_id

CLUSTER = HOST.address("cluster")
# Stored with it: the name of the vCenter from which the cluster was imported. Without it, a person entered the cluster.
CLUSTER_FROM = HOST.address("cluster_from")
_CLUSTERS = frozenset({"host.cluster"})
_LARGEST_MTU = 65_535
_LONGEST_TEXT = 120


def set_entered(added: Facts, read: Iterable[Facts], overrides: Mapping[str, str]) -> None:
    """Adds the entered values, by address, to `added`: of subjects that are there, for settings that `read` has as unknown and never as a
    value."""
    parts = tuple(read)
    for address, text in overrides.items():
        subject, key = split_address(address)
        value = entered_value(f"{subject.kind}.{key}", text)
        if value is None:
            continue
        found = [reading for part in parts if (reading := part.readings.get(subject, {}).get(key)) is not None]
        if any(isinstance(reading, Value) for reading in found) or not any(isinstance(reading, Unknown) for reading in found):
            continue
        importer = overrides.get(CLUSTER_FROM, "") if address == CLUSTER else ""
        source = Source("vcenter", importer, key, text) if importer else Source("person", "", key, text)
        added.set_value(subject, key, value, source)
        if address == CLUSTER:
            added.set_value(subject, "is_clustered", True, source)


def split_address(address: str) -> tuple[Subject, str]:
    """The subject and the key of `kind/id/key`."""
    kind, _, rest = address.partition("/")
    identity, _, key = rest.rpartition("/")
    try:
        return Subject(kind, decode_id(identity)), key
    except ValueError:  # a percent sign with no two digits after it
        return Subject(kind, identity), key


def may_be_entered(subject: Subject, key: str, reading: Reading) -> bool:
    """The host does not report it: it is unknown, or its value was entered."""
    if f"{subject.kind}.{key}" not in ENTERED | _CLUSTERS:
        return False
    return isinstance(reading, Unknown) or (isinstance(reading, Value) and reading.source.section == "person")


def entered_value(key: str, text: str) -> SettingValue | None:
    """The value of a setting that may be entered; None for any other setting, and for what is no value of it."""
    if key in _CLUSTERS:
        return text.strip() if 0 < len(text.strip()) <= _LONGEST_TEXT and text.isprintable() else None
    if key not in ENTERED:
        return None
    entry = BY_KEY[key]
    if entry.type == "int":
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 5 and 0 < int(text) <= _LARGEST_MTU else None
    return text if text in entry.values else None
