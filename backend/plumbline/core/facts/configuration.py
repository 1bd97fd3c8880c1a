"""The configuration of a host: typed settings addressed by subject kind, subject id and key.

A reading is one of three things, and they are never mixed up:

- `Value`: it was read, with its source.
- `NotOffered`: the driver or release does not have it (a rule on it is not applicable).
- `Unknown`: it could not be read, with the reason in words (a rule on it is unknown, never a pass and never a failure).

A key that no section mentioned at all reads as `Unknown("not collected")`.
"""

import re
from collections.abc import Iterable, Iterator, KeysView, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import msgspec

Scalar = bool | int | str
SettingValue = Scalar | tuple[Scalar, ...]
Platform = Literal["windows", "esxi"]
SectionStatus = Literal["ok", "unavailable", "failed"]


# The four small records below are made several hundred at a time for each check-in: as msgspec structs they cost a tenth of a frozen
# dataclass, and go to the stored document without a conversion.
class Subject(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """What a setting belongs to. `kind` is one of the kinds of the catalogue, `id` is stable across restarts, logins and renames."""

    kind: str
    id: str

    def address(self, key: str) -> str:
        """`kind/id/key`, with `/`, `%` and control characters of the id percent-encoded."""
        return f"{self.kind}/{encode_id(self.id)}/{key}"


HOST = Subject("host", "")


class Source(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """Where a value was read: section, the command that was run there, the field, and the raw text as the host gave it."""

    section: str
    command: str
    field: str
    raw: str = ""


class Value(msgspec.Struct, frozen=True, array_like=True, tag="v", gc=False):
    """It was read."""

    value: SettingValue
    source: Source


class NotOffered(msgspec.Struct, frozen=True, array_like=True, tag="n", gc=False):
    """The driver, release or feature does not have this setting; `reason` names it."""

    reason: str
    source: Source | None = None


class Unknown(msgspec.Struct, frozen=True, array_like=True, tag="u", gc=False):
    """It could not be read; `reason` says why and is shown to users."""

    reason: str
    source: Source | None = None


Reading = Value | NotOffered | Unknown
NOT_COLLECTED = Unknown("not collected")


def setting_text(value: SettingValue) -> str:
    """A value of a configuration as text: `true`, `9000`, `rx_tx`, members of a list joined by commas."""
    if isinstance(value, tuple):
        return ",".join(setting_text(member) for member in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@dataclass(frozen=True, slots=True)
class SectionReading:
    """One section of a check-in as the server holds it: its status, and its body's bytes when it is `ok`."""

    status: SectionStatus
    body: bytes = b""
    error: str = ""


@dataclass(slots=True)
class Facts:
    """What one section yields: readings by subject and key, and observations (paths, sessions, raw inventory) for later steps.

    Parsers fill one of these and return it; it is not changed afterwards.
    """

    readings: dict[Subject, dict[str, Reading]] = field(default_factory=dict)
    # Named raw observations that the join reads across sections; rules never read them.
    observations: dict[str, object] = field(default_factory=dict)
    # Sentences about what could not be understood ("Get-NetQosPolicy: 3 rows without a name"), shown on the host page.
    problems: list[str] = field(default_factory=list)

    def set(self, subject: Subject, key: str, reading: Reading) -> None:
        """Sets one reading. A value is replaced only by another value."""
        keys = self.readings.setdefault(subject, {})
        if isinstance(keys.get(key), Value) and not isinstance(reading, Value):
            return
        keys[key] = reading

    def set_value(self, subject: Subject, key: str, value: SettingValue, source: Source) -> None:
        """Sets one value."""
        self.set(subject, key, Value(value, source))


class Difference(NamedTuple):
    """One setting that differs between two configurations, source and reason included; None where it is not mentioned."""

    subject: Subject
    key: str
    old: Reading | None
    new: Reading | None


class Configuration:
    """The settings of one host. Immutable once built; equality is that of its readings and of `unlisted`.

    `unlisted`: kinds of subject that were not listed whole when it was read, each with the reason: of these it may lack some
    (`listings.py`).
    """

    __slots__ = ("_by_kind", "_readings", "platform", "unlisted")

    def __init__(
        self, platform: Platform, readings: Mapping[Subject, Mapping[str, Reading]], unlisted: Mapping[str, str] | None = None
    ) -> None:
        self.platform: Platform = platform
        self.unlisted: Mapping[str, str] = unlisted or {}
        self._readings = {subject: dict(keys) for subject, keys in readings.items()}
        # Subjects of the kinds asked for so far: every rule asks for those of its kind.
        self._by_kind: dict[str, tuple[Subject, ...]] = {}

    @classmethod
    def taking(
        cls, platform: Platform, readings: dict[Subject, dict[str, Reading]], unlisted: Mapping[str, str] | None = None
    ) -> "Configuration":
        """A configuration that takes the readings over instead of copying them; the caller lets go of them."""
        made = cls.__new__(cls)
        made.platform = platform
        made.unlisted = unlisted or {}
        made._readings = readings
        made._by_kind = {}
        return made

    def read(self, subject: Subject, key: str) -> Reading:
        """The reading of one setting; `NOT_COLLECTED` where no section mentioned it."""
        return self._readings.get(subject, {}).get(key, NOT_COLLECTED)

    def with_unlisted(self, unlisted: Mapping[str, str]) -> "Configuration":
        """The same readings, with other kinds that were not listed whole."""
        return Configuration.taking(self.platform, self._readings, unlisted)

    def value(self, subject: Subject, key: str) -> SettingValue | None:
        """The value, or None where it is not known or not offered."""
        reading = self.read(subject, key)
        return reading.value if isinstance(reading, Value) else None

    def subjects(self, kind: str) -> tuple[Subject, ...]:
        """All subjects of a kind, sorted by id."""
        found = self._by_kind.get(kind)
        if found is None:
            found = self._by_kind[kind] = tuple(sorted(subject for subject in self._readings if subject.kind == kind))
        return found

    def all_subjects(self) -> list[Subject]:
        """All subjects, sorted by kind and id."""
        return sorted(self._readings)

    def subject_set(self) -> KeysView[Subject]:
        """All subjects, in no order."""
        return self._readings.keys()

    def keys(self, subject: Subject) -> Mapping[str, Reading]:
        """All readings of one subject."""
        return self._readings.get(subject, {})

    def differing(self, other: "Configuration") -> list[Subject]:
        """Subjects whose settings differ in `other`, sources and reasons included, or that only one of both has; sorted."""
        own, others = self._readings, other._readings
        if own is others:
            return []
        found = [
            subject for subject, keys in own.items() if (there := others.get(subject)) is not keys and (there is None or there != keys)
        ]
        found += [subject for subject in others if subject not in own]
        return sorted(found)

    def differences(self, other: "Configuration") -> list[Difference]:
        """Every setting that differs in `other`, sources and reasons included, by subject and key."""
        found: list[Difference] = []
        for subject in self.differing(other):
            mine, theirs = self.keys(subject), other.keys(subject)
            for key in sorted(mine.keys() | theirs.keys()):
                old, new = mine.get(key), theirs.get(key)
                if old is not new and old != new:
                    found.append(Difference(subject, key, old, new))
        return found

    def __iter__(self) -> Iterator[tuple[Subject, str, Reading]]:
        for subject in sorted(self._readings):
            keys = self._readings[subject]
            for key in sorted(keys):
                yield subject, key, keys[key]

    def __len__(self) -> int:
        return sum(len(keys) for keys in self._readings.values())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Configuration)
            and self.platform == other.platform
            and self._readings == other._readings
            and self.unlisted == other.unlisted
        )

    __hash__ = None  # type: ignore[assignment]


def label_of(configuration: Configuration | None, subject: Subject) -> str:
    """The label of an item: the name that the host reports, else its id; the host itself is "host"."""
    if subject.kind == "host":
        return "host"
    name = configuration.value(subject, "name") if configuration is not None else None
    return str(name) if name else subject.id


def subjects_key(kind: str) -> str:
    """Among the keys of changed settings: a subject of this kind came or went, whichever settings it has."""
    return f"{kind}.*"


_ENCODED = re.compile(r"[/%\x00-\x1f\x7f]")


def encode_id(text: str) -> str:
    """Percent-encodes `/`, `%` and control characters, so that an address splits at its slashes again."""
    return _ENCODED.sub(lambda found: f"%{ord(found[0]):02X}", text)


def decode_id(text: str) -> str:
    """The inverse of `encode_id`."""
    parts = text.split("%")
    return parts[0] + "".join(chr(int(part[:2], 16)) + part[2:] for part in parts[1:])


def merge(platform: Platform, parts: Iterable[Facts]) -> Configuration:
    """One configuration from the facts of all sections; on the same key a value wins over not offered, that over unknown."""
    readings: dict[Subject, dict[str, Reading]] = {}
    for part in parts:
        for subject, keys in part.readings.items():
            mine = readings.get(subject)
            if mine is None:
                readings[subject] = dict(keys)
                continue
            for key, reading in keys.items():
                held = mine.get(key)
                if held is None or (not isinstance(held, Value) and _RANK[type(reading)] > _RANK[type(held)]):
                    mine[key] = reading
    return Configuration.taking(platform, readings)


_RANK: dict[type, int] = {Value: 2, NotOffered: 1, Unknown: 0}
