"""A Windows section body, read name -> {status, error?, rows}, taken apart without trusting any of it.

Whatever a body holds, nothing here raises: what is not as documented becomes a sentence in `Facts.problems`, an `Unknown` with its reason,
or is left out.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from plumbline.core.facts.configuration import Facts, NotOffered, Reading, SettingValue, Source, Subject, Unknown, Value
from plumbline.core.facts.listings import MISSING, OBSERVATION

Row = dict[str, Any]
Convert = Callable[[Any], SettingValue | None]

_GUID = re.compile(r"\{?([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})\}?")
# Raw text is evidence on a page, not a second copy of the body.
_RAW_LENGTH = 200
_LARGEST = 2**63 - 1
_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}
_SWITCHES = {"true": "enabled", "enabled": "enabled", "1": "enabled", "false": "disabled", "disabled": "disabled", "0": "disabled"}


class Read(msgspec.Struct, frozen=True):
    """One read of a section: the command's name, whether it answered, why not, and its rows.

    A read that failed may hold the rows that came before its error. They give values; what is not among them may still be there, so
    whatever is concluded from absence, from a count or from the whole of a list asks `reason` first.
    """

    command: str
    reason: str  # empty where it answered whole, else the words for the user
    is_unavailable: bool
    rows: tuple[Row, ...]
    # Only of copied text (an agent's read never sets them): a view left properties out, a filter left objects out. What is left out may
    # still be there.
    lacks_fields: bool = False
    lacks_rows: bool = False
    is_copied: bool = False


class Body:
    """One section body: its reads by name, and the facts being gathered from it."""

    __slots__ = ("_reads", "facts", "section")

    def __init__(self, section: str, body: bytes) -> None:
        self.section = section
        self.facts = Facts()
        self._reads: dict[str, Read] = {}
        try:
            decoded = msgspec.json.decode(body)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            self.facts.problems.append(f"section {section}: its body is not JSON ({str(error)[:120]})")
            decoded = {}
        if not isinstance(decoded, dict):
            self.facts.problems.append(f"section {section}: its body is not an object")
            decoded = {}
        for command, read in decoded.items():
            self._reads[command] = _read_of(command, read, self.facts.problems)
        # The join gives these as the reasons of what is missing.
        reads = self._reads.items()
        observations = self.facts.observations
        observations["reads"] = {command: read.reason for command, read in reads}
        unavailable = frozenset([command for command, read in reads if read.is_unavailable])
        observations["failed_reads"] = frozenset([command for command, read in reads if read.reason and not read.is_unavailable])
        observations["unavailable_reads"] = observations[MISSING] = unavailable
        observations[OBSERVATION] = {command: why_not_whole(read) for command, read in reads}
        if partial := frozenset([command for command, read in reads if read.lacks_rows]):
            observations["partial_reads"] = partial
        if copied := frozenset([command for command, read in reads if read.is_copied]):
            observations["copied_reads"] = copied

    def read(self, command: str) -> Read:
        """One read; where the section has none of that name, an empty one with that reason."""
        found = self._reads.get(command)
        return found if found is not None else Read(command, f"{command} was not read", False, ())

    def has(self, command: str) -> bool:
        """The section holds this read, however it ended."""
        return command in self._reads

    def rows(self, command: str) -> tuple[Row, ...]:
        """The rows of one read, those before an error included; none where it did not answer."""
        return self.read(command).rows

    def first(self, command: str) -> Row | None:
        """The first row of one read."""
        rows = self.rows(command)
        return rows[0] if rows else None

    def source(self, command: str, field: str, raw: Any = "") -> Source:
        """Where a value of this section was read."""
        return Source(self.section, command, field, raw_text(raw))

    def missing(self, command: str, what: str) -> Reading:
        """The reading of something that a read should have shown: unknown, with the read's own error where it has one."""
        read = self.read(command)
        return Unknown(read.reason or f"{command} answered without {what}", Source(self.section, command, what))

    def reading(self, command: str, row: Row, field: str, convert: Convert) -> Reading:
        """One property of one row as a setting's reading."""
        if field not in row and self.read(command).lacks_fields:
            return Unknown(f"the copied output of {command} does not show {field}", Source(self.section, command, field))
        if field not in row:
            return NotOffered(f"{command} of this release has no {field}", Source(self.section, command, field))
        raw = row[field]
        if raw is None or raw == "":
            return Unknown(f"{command} left {field} empty", Source(self.section, command, field))
        if is_cut(raw):
            return Unknown(f"{field} is cut off in the copied output: {raw_text(raw['cut'])}", Source(self.section, command, field))
        value = convert(raw)
        source = Source(self.section, command, field, raw_text(raw))
        if value is None:
            return Unknown(f"{field} has an unrecognised value: {source.raw!r}", source)
        return Value(value, source)

    def set_from_row(self, subject: Subject, settings: dict[str, tuple[str, Convert]], command: str, row: Row | None = None) -> None:
        """Sets several settings of one subject from one row (else the read's first): setting -> (property, how to read it)."""
        found = row if row is not None else self.first(command)
        for key, (field, convert) in settings.items():
            self.facts.set(subject, key, self.missing(command, field) if found is None else self.reading(command, found, field, convert))

    def note_name(self, key: str, row: Row) -> None:
        """Keeps the first name that a row gives to the interface of this key."""
        name = as_text(row.get("Name"))
        if name:
            names = self.facts.observations.setdefault("names", {})
            assert isinstance(names, dict)
            names.setdefault(key, name)

    def by_interface(self) -> dict[str, dict[str, Reading]]:
        """Readings that belong to an interface known here by GUID or name only; the join finds its adapter."""
        found = self.facts.observations.setdefault("by_interface", {})
        assert isinstance(found, dict)
        return found


def why_not_whole(read: Read) -> str:
    """Why a read did not list everything; empty where it did."""
    return read.reason or (f"the copied output of {read.command} shows only some of its rows" if read.lacks_rows else "")


def _read_of(command: str, read: object, problems: list[str]) -> Read:
    if not isinstance(read, dict):
        problems.append(f"{command}: the read is not an object")
        return Read(command, f"{command} was not understood", False, ())
    status = read.get("status")
    reason = ""
    if status != "ok":
        error = read.get("error")
        words = "is not available here" if status == "unavailable" else "failed"
        reason = f"{command} {words}" + (f": {raw_text(error)}" if error else "")
    rows = read.get("rows", [] if reason else None)
    if isinstance(rows, dict):
        rows = [rows]
    if not isinstance(rows, list):
        problems.append(f"{command}: the rows are not a list")
        return Read(command, reason or f"{command} was not understood", False, ())
    good = tuple([row for row in rows if isinstance(row, dict)])
    if len(good) != len(rows):
        problems.append(f"{command}: {len(rows) - len(good)} rows are not objects")
        # A row that was lost may have been the one that a caller looks for.
        reason = reason or f"{command} was not understood"
    if status == "unavailable":
        # What is not there has nothing to list, whatever rows came with it.
        return Read(command, reason, True, ())
    return Read(command, reason, False, good, read.get("lacks_fields") is True, read.get("lacks_rows") is True, "lacks_rows" in read)


def is_cut(raw: object) -> bool:
    """A value of copied text of which only a part was printed."""
    return isinstance(raw, dict) and "cut" in raw


def raw_text(raw: object) -> str:
    """A raw value as text for the page, cut at 200 characters."""
    if isinstance(raw, str):
        text = raw
    elif isinstance(raw, bool):
        text = "True" if raw else "False"
    elif isinstance(raw, list):
        text = "{" + ", ".join(raw_text(part) for part in raw) + "}"
    elif isinstance(raw, dict):
        text = ", ".join(f"{key}={raw_text(part)}" for key, part in raw.items())
    else:
        text = "" if raw is None else str(raw)
    return text if len(text) <= _RAW_LENGTH else text[: _RAW_LENGTH - 1] + "…"


def single(raw: Any) -> Any:
    """The one element of a list of one (a registry value travels as a list of text), else the thing itself."""
    return raw[0] if isinstance(raw, list) and len(raw) == 1 else raw


def as_text(raw: Any) -> str | None:
    """Text, stripped. A number becomes its digits."""
    if not isinstance(raw, str):
        if raw is None:
            return None
        raw = single(raw)
    if isinstance(raw, str):
        return raw.strip()
    if isinstance(raw, bool):
        return "True" if raw else "False"
    return str(raw) if isinstance(raw, int) else None


def as_int(raw: Any) -> int | None:
    """A whole number within 64 bits, also from its decimal text."""
    # What JSON gives for most: by its exact type, which leaves out true and false.
    if type(raw) is int:
        return raw if -_LARGEST - 1 <= raw <= _LARGEST else None
    if raw is None:
        return None
    raw = single(raw)
    if isinstance(raw, str):
        text = raw.strip()
        digits = text[1:] if text[:1] in ("-", "+") else text
        raw = int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 19 else None
    elif isinstance(raw, float):
        raw = int(raw) if raw.is_integer() and abs(raw) <= _LARGEST else None
    elif isinstance(raw, bool):
        return None
    return raw if isinstance(raw, int) and -_LARGEST - 1 <= raw <= _LARGEST else None


def as_bool(raw: Any) -> bool | None:
    """True or false, also as text or as 1 and 0."""
    raw = single(raw)
    if isinstance(raw, bool):
        return raw
    return _BOOLEANS.get(str(raw).strip().lower())


def on_off(raw: Any) -> str | None:
    """`enabled` or `disabled` from a boolean, a switch's text or its number."""
    raw = single(raw)
    return _SWITCHES.get(str(raw).strip().lower())


def choice(names: dict[str, str]) -> Convert:
    """A converter for an enumeration: the system's own names (lower case) and numbers -> our word."""

    def convert(raw: Any) -> SettingValue | None:
        return names.get(str(single(raw)).strip().lower())

    return convert


def guid_in(raw: object) -> str:
    """The first GUID in a text, lower case without braces; empty where there is none."""
    raw = single(raw)
    found = _GUID.search(raw) if isinstance(raw, str) else None
    return found.group(1).lower() if found else ""


def interface_key(row: Row, *guid_fields: str) -> str:
    """How a row names its interface: its GUID, else its name; empty where it has neither."""
    for field in guid_fields:
        found = guid_in(row.get(field))
        if found:
            return found
    name = as_text(row.get("Name")) or ""
    return f"name:{name.lower()}" if name else ""


def registry_value(raw: Any) -> Any:
    """A registry value as the agent sends it: `{state, kind, value}`, or the bare value. Absent and null are both None."""
    if isinstance(raw, dict):
        return raw.get("value") if raw.get("state") == "present" else None
    return raw


def texts(raw: Any) -> Iterator[str]:
    """The texts of a list that may also be a single text or null."""
    for part in raw if isinstance(raw, list) else [raw]:
        text = as_text(part)
        if text:
            yield text
