"""What a host is configured like: typed settings addressed by subject kind, subject id and key.

A reading is one of three things, and the difference is the product's honesty:

- `Value`: the host said it, and here is where.
- `NotOffered`: the driver or release does not have it (a rule on it is not applicable).
- `Unknown`: it could not be read, with the reason in words (a rule on it is unknown, never a pass and never a failure).

A key that no section mentioned at all reads as `Unknown("not collected")`.
"""

from collections.abc import Collection, Iterable, Iterator, KeysView, Mapping
from dataclasses import dataclass, field
from itertools import compress
from operator import is_not
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
    """Where a value was read: section, the command that was run there, the field, and the raw text as the host said it."""

    section: str
    command: str
    field: str
    raw: str = ""


class Value(msgspec.Struct, frozen=True, array_like=True, tag="v", gc=False):
    """The host said it."""

    value: SettingValue
    source: Source


class NotOffered(msgspec.Struct, frozen=True, array_like=True, tag="n", gc=False):
    """The driver, release or feature does not have this setting; `reason` says which, in words."""

    reason: str
    source: Source | None = None


class Unknown(msgspec.Struct, frozen=True, array_like=True, tag="u", gc=False):
    """It could not be read; `reason` says why, in words shown to users."""

    reason: str
    source: Source | None = None


Reading = Value | NotOffered | Unknown
NOT_COLLECTED = Unknown("not collected")


@dataclass(frozen=True, slots=True)
class SectionReading:
    """One section of a check-in as the server holds it: its status, and its body's bytes when it is `ok`."""

    status: SectionStatus
    body: bytes = b""
    error: str = ""


@dataclass(slots=True)
class Facts:
    """What one section yields: readings by subject and key, and observations (paths, sessions, raw inventory) for later steps.

    Parsers fill one of these and return it; nobody changes it afterwards.
    """

    readings: dict[Subject, dict[str, Reading]] = field(default_factory=dict)
    # Named raw observations that `roles.py` and `paths.py` join across sections; never shown to rules.
    observations: dict[str, object] = field(default_factory=dict)
    # Sentences about what could not be understood ("Get-NetQosPolicy: 3 rows without a name"), shown on the host page.
    problems: list[str] = field(default_factory=list)

    def put(self, subject: Subject, key: str, reading: Reading) -> None:
        """Adds one reading. A value never gives way to an unknown of another source."""
        keys = self.readings.setdefault(subject, {})
        if isinstance(keys.get(key), Value) and not isinstance(reading, Value):
            return
        keys[key] = reading

    def say(self, subject: Subject, key: str, value: SettingValue, source: Source) -> None:
        """Adds one value."""
        self.put(subject, key, Value(value, source))


class Difference(NamedTuple):
    """One setting that reads otherwise in two configurations, source and words included; None where it is not mentioned."""

    subject: Subject
    key: str
    was: Reading | None
    now: Reading | None


def differing_keys(was: Mapping[str, Reading], now: Mapping[str, Reading]) -> list[str]:
    """Keys that read otherwise, source and words included, or that only one of both has; in no order."""
    if list(was) == list(now):
        # Nearly always; and nearly every reading is the very object, which is seen without a step of our own for each.
        return [key for key in compress(now, map(is_not, was.values(), now.values())) if was[key] != now[key]]
    return [key for key in was.keys() | now.keys() if was.get(key) != now.get(key)]


class Configuration:
    """The settings of one host. Immutable once built; equality is that of its readings."""

    __slots__ = ("_readings", "platform")

    def __init__(self, platform: Platform, readings: Mapping[Subject, Mapping[str, Reading]]) -> None:
        self.platform: Platform = platform
        self._readings = {subject: dict(keys) for subject, keys in readings.items()}

    @classmethod
    def taking(cls, platform: Platform, readings: dict[Subject, dict[str, Reading]]) -> "Configuration":
        """A configuration that takes the readings over instead of copying them; the caller lets go of them."""
        made = cls.__new__(cls)
        made.platform = platform
        made._readings = readings
        return made

    def read(self, subject: Subject, key: str) -> Reading:
        """The reading of one setting; `NOT_COLLECTED` where no section mentioned it."""
        return self._readings.get(subject, {}).get(key, NOT_COLLECTED)

    def value(self, subject: Subject, key: str) -> SettingValue | None:
        """The value, or None where it is not known or not offered."""
        reading = self.read(subject, key)
        return reading.value if isinstance(reading, Value) else None

    def subjects(self, kind: str) -> list[Subject]:
        """All subjects of a kind, sorted by id."""
        return sorted(subject for subject in self._readings if subject.kind == kind)

    def all_subjects(self) -> list[Subject]:
        """All subjects, sorted by kind and id."""
        return sorted(self._readings)

    def subject_set(self) -> KeysView[Subject]:
        """All subjects, in no order."""
        return self._readings.keys()

    def keys(self, subject: Subject) -> Mapping[str, Reading]:
        """All readings of one subject."""
        return self._readings.get(subject, {})

    def changed(self, subjects: Iterable[Subject], now: "Configuration") -> "Configuration":
        """This configuration with these subjects as they are in `now`, or gone where it does not have them; itself where all read alike.

        Settings of a subject that reads alike stay the very object, so that who compares the two sees at once what differs.
        """
        readings = dict(self._readings)
        is_changed = False
        for subject in subjects:
            found = now._readings.get(subject)
            if found is None:
                is_changed = readings.pop(subject, None) is not None or is_changed
            elif readings.get(subject) != found:
                readings[subject] = found
                is_changed = True
        return Configuration.taking(self.platform, readings) if is_changed else self

    def differing(self, other: "Configuration") -> list[Subject]:
        """Subjects whose settings read otherwise in `other`, sources and words included, or that only one of both has; sorted."""
        mine, theirs = self._readings, other._readings
        if mine is theirs:
            return []
        found = [
            subject for subject, keys in mine.items() if (there := theirs.get(subject)) is not keys and (there is None or there != keys)
        ]
        found += [subject for subject in theirs if subject not in mine]
        return sorted(found)

    def differences(self, other: "Configuration", among: Mapping[Subject, Collection[str]] | None = None) -> list[Difference]:
        """Every setting that reads otherwise in `other`, by subject and key. `among`: the only ones that may, where they are known."""
        if among is None:
            among = {subject: differing_keys(self.keys(subject), other.keys(subject)) for subject in self.differing(other)}
        found: list[Difference] = []
        for subject in sorted(among):
            mine, theirs = self.keys(subject), other.keys(subject)
            for key in sorted(among[subject]):
                was, now = mine.get(key), theirs.get(key)
                if was is not now and was != now:
                    found.append(Difference(subject, key, was, now))
        return found

    def __iter__(self) -> Iterator[tuple[Subject, str, Reading]]:
        for subject in sorted(self._readings):
            keys = self._readings[subject]
            for key in sorted(keys):
                yield subject, key, keys[key]

    def __len__(self) -> int:
        return sum(len(keys) for keys in self._readings.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self.platform == other.platform and self._readings == other._readings

    __hash__ = None  # type: ignore[assignment]


def encode_id(text: str) -> str:
    """Percent-encodes `/`, `%` and control characters, so that an address splits at its slashes again."""
    return "".join(f"%{ord(char):02X}" if char in "/%" or ord(char) < 32 or ord(char) == 127 else char for char in text)


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


def merged(readings: Iterable[Reading | None]) -> Reading | None:
    """What `merge` makes of the readings that several sections have of one setting."""
    held: Reading | None = None
    for reading in readings:
        if reading is not None and (held is None or (not isinstance(held, Value) and _RANK[type(reading)] > _RANK[type(held)])):
            held = reading
    return held


_RANK: dict[type, int] = {Value: 2, NotOffered: 1, Unknown: 0}
