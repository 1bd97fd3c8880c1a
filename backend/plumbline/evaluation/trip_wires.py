"""Trip-wires: the settings of a host that a waiver depends on, so that another driver or another topology ends it early.

Pure: a configuration in, values or texts out. A value that cannot be read trips nothing, since it is unknown whether it changed.
"""

from collections.abc import Iterable, Mapping

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, Configuration, Subject, Value, decode_id, encode_id
from plumbline.core.facts.storage_adapters import storage_adapters

# What is watched on each adapter that carries storage, on each initiator, and on the host.
ADAPTER_KEYS = ("driver", "driver_version", "firmware_version", "role")
INITIATOR_KEYS = ("adapter", "mode")
HOST_KEYS = ("cluster", "os_release")
# Not a setting: the ids of the adapters that carry storage, so that one more or one less is seen.
SAN_ADAPTERS = "host//san_adapters"


def wires_of(configuration: Configuration, subject: Subject = HOST) -> dict[str, object]:
    """Address -> value of everything a waiver on this subject rests on; for an adapter only that adapter's driver, else all that carry
    storage. What cannot be read now is not watched.
    """
    wires: dict[str, object] = {}
    san = storage_adapters(configuration)
    for adapter in [subject] if subject.kind == "adapter" else san:
        _watch(wires, configuration, adapter, ADAPTER_KEYS)
    for initiator in configuration.subjects("initiator"):
        if subject.kind != "initiator" or initiator == subject:
            _watch(wires, configuration, initiator, INITIATOR_KEYS)
    _watch(wires, configuration, HOST, HOST_KEYS)
    if san:
        wires[SAN_ADAPTERS] = [adapter.id for adapter in san]
    return wires


def touched(configuration: Configuration, wires: Mapping[str, object]) -> str:
    """Which watched values are others now, in words; empty where none is."""
    return "; ".join(words for words in _differences(configuration, wires) if words)


def _watch(wires: dict[str, object], configuration: Configuration, subject: Subject, keys: Iterable[str]) -> None:
    for key in keys:
        reading = configuration.read(subject, key)
        if isinstance(reading, Value):
            wires[f"{subject.kind}/{encode_id(subject.id)}/{key}"] = _plain(reading.value)


def _differences(configuration: Configuration, wires: Mapping[str, object]) -> Iterable[str]:
    for address, was in sorted(wires.items()):
        if address == SAN_ADAPTERS:
            yield _other_adapters(configuration, was)
            continue
        kind, _, rest = address.partition("/")
        encoded, _, key = rest.partition("/")
        subject = Subject(kind, decode_id(encoded))
        reading = configuration.read(subject, key)
        if isinstance(reading, Value) and _plain(reading.value) != was:
            yield f"{_label(configuration, subject, key)} changed from {_shown(was)} to {_shown(_plain(reading.value))}"


def _other_adapters(configuration: Configuration, was: object) -> str:
    now = [adapter.id for adapter in storage_adapters(configuration)]
    # No adapter at all is a section that failed, not a host without any.
    if not now or not isinstance(was, list) or now == was:
        return ""
    gone = [each for each in was if each not in now]
    new = [each for each in now if each not in was]
    parts = [f"{_name(configuration, each)} is no longer a storage adapter" for each in gone]
    parts += [f"{_name(configuration, each)} was added as a storage adapter" for each in new]
    return "; ".join(parts)


def _label(configuration: Configuration, subject: Subject, key: str) -> str:
    entry = BY_KEY.get(f"{subject.kind}.{key}")
    label = entry.label if entry else key.replace("_", " ")
    return label if subject.kind == "host" else f"{label} of {_name(configuration, subject.id, subject.kind)}"


def _name(configuration: Configuration, identity: str, kind: str = "adapter") -> str:
    name = configuration.value(Subject(kind, identity), "name")
    return str(name) if name else identity


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(each) for each in value) or "nothing"
    return str(value) if value != "" else "nothing"


def _plain(value: object) -> object:
    """A value as JSON holds it."""
    return list(value) if isinstance(value, tuple) else value
