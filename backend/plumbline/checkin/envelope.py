"""Line 1 of a check-in and its section bodies: read fast where they are as agents write them, strictly where anything is unusual.

The fast way is msgspec with types, plus a few checks: no bracket nests past 32; there are as many quotes in the text as around the keys and
texts that were read (so no key occurs twice, since every key is quoted); no escape could hide NUL or half a surrogate pair; no number could
be an integer past 64 bits. A line that fails one of these is read by `strict_json`, which either names the place or finds nothing wrong.

A check-in without bodies is read without its counters, which are most of line 1: where their mark is that of the host's row, the same text
with other values was accepted before. Where it is not, `CheckInBody.read_in_full` reads them.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from plumbline.checkin import strict_json
from plumbline.checkin.counters import Counters, CounterValues, UnreadCounters, counter_values, marked_by_names
from plumbline.checkin.errors import unreadable

MAX_ENVELOPE_BYTES = 1 << 20
MAX_SECTIONS = 64
MAX_ERROR_CHARACTERS = 2000

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
_Short = Annotated[str, msgspec.Meta(max_length=128)]
NO_COUNTERS = CounterValues()


class AgentFacts(msgspec.Struct, frozen=True, gc=False):
    """Which agent made the check-in."""

    platform: Literal["windows", "esxi"]
    version: _Short
    runner: Annotated[str, msgspec.Meta(max_length=80)] | UnsetType | None = UNSET
    took_ms: _Count | UnsetType = UNSET


class SectionFacts(msgspec.Struct, frozen=True, gc=False):
    """What the envelope says of one section."""

    status: Literal["ok", "unavailable", "failed"]
    sha256: Annotated[str, msgspec.Meta(min_length=64, max_length=64)] | UnsetType | None = UNSET
    took_ms: _Count | UnsetType | None = UNSET
    error: str | UnsetType | None = UNSET


class RunnerMark(msgspec.Struct, frozen=True, gc=False):
    """The runner's last operation on the host, read before and after collecting."""

    op_id: _Short
    gen: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """Line 1 of a check-in."""

    v: Literal[1]
    boot: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z._-]{1,64}$")]
    made_at: Annotated[str, msgspec.Meta(max_length=40)]
    agent: AgentFacts
    sections: Annotated[dict[str, SectionFacts], msgspec.Meta(max_length=MAX_SECTIONS)]
    live: dict[str, msgspec.Raw] | UnsetType | None = UNSET
    counters: Counters | UnsetType | None = UNSET
    runner_before: RunnerMark | UnsetType | None = UNSET
    runner_after: RunnerMark | UnsetType | None = UNSET
    rejected: _Count | UnsetType = UNSET
    thinned: _Count | UnsetType = UNSET


class _UnreadEnvelope(Envelope, frozen=True, gc=False):
    """As `Envelope`, with the series of its counters not read yet."""

    counters: UnreadCounters | UnsetType | None = UNSET  # type: ignore[assignment]


@dataclass(slots=True)
class CheckInBody:
    """A check-in as read: the envelope, its digest, its bodies by section, and its counters. `unread` is line 1, where its counters were
    not read."""

    envelope: Envelope
    digest: bytes
    bodies: dict[str, bytes]
    size_bytes: int
    counters: CounterValues = NO_COUNTERS
    unread: bytes = b""

    def read_in_full(self) -> None:
        """Reads the counters, where they were not. Raises `Refused` (422) naming the place."""
        if self.unread:
            self.envelope, self.counters = read_envelope(self.unread)
            self.unread = b""


_decode_envelope = msgspec.json.Decoder(Envelope).decode
_decode_unread = msgspec.json.Decoder(_UnreadEnvelope).decode
_encode = msgspec.json.encode
_decode_section = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_NOT_BRACKETS = bytes(code for code in range(256) if code not in b"{}[]")
_HEX = re.compile("[0-9a-f]*")
_SECTION = re.compile("[a-z][a-z0-9_]{0,31}")
# Digits become 0, everything else a space: a run of twenty is then one search.
_DIGITS = bytes(0x30 if 0x30 <= code <= 0x39 else 0x20 for code in range(256))
_LONG_RUN = b"0" * 20
# From here on a number may have been an integer past 64 bits: 2^64 - 1 itself is read as 2^64.
_LARGE = 2.0**64
_SERIES = b'"series":'
_VALUE_KEY = b'"value"'
_ODD_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


def digest_both(wire: bytes) -> tuple[str, bytes]:
    """SHA-256 of a plain body as hex, and of its line 1, in one pass."""
    end = wire.find(b"\n")
    if end < 0:
        both = hashlib.sha256(wire)
        return both.hexdigest(), both.digest()
    view = memoryview(wire)
    running = hashlib.sha256(view[:end])
    line = running.digest()
    running.update(view[end:])
    return running.hexdigest(), line


def read_body(body: bytes, digest: bytes | None = None) -> CheckInBody:
    """Reads an inflated body; `digest` is that of line 1 where it is known. Raises `Refused` (422, 413) naming the place."""
    if not body:
        raise unreadable("the body is empty", "line 1")
    end = body.find(b"\n")
    first = body if end < 0 else body[:end]
    digest = digest or hashlib.sha256(first).digest()
    if not 0 <= end < len(body) - 1:
        if (light := read_without_counters(first)) is not None:
            return CheckInBody(light[0], digest, {}, len(body), light[1], unread=first)
        envelope, counters = read_envelope(first)
        return CheckInBody(envelope, digest, {}, len(body), counters)
    envelope, counters = read_envelope(first)
    lines = body[end + 1 :].split(b"\n")
    if not lines[-1]:
        lines.pop()
    return CheckInBody(envelope, digest, _match_bodies(envelope, lines), len(body), counters)


def read_without_counters(line: bytes) -> tuple[Envelope, CounterValues] | None:
    """Line 1 without the series of its counters; None where it has none, where the rest is unusual, or where a value needs a check. Raises
    `Refused` (422) for what is wrong with its sections."""
    if len(line) > MAX_ENVELOPE_BYTES:
        return None
    try:
        envelope = _decode_unread(line)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    counters = envelope.counters
    if not isinstance(counters, UnreadCounters):
        return None
    found = counter_values(counters)
    if not found.size or found.text.count(_VALUE_KEY) != found.size:
        return None
    rest = _without(line, found.text)
    if _is_odd(line, envelope, found.text.count(b'"')) if rest is None else _is_odd(rest, envelope, 0):
        return None
    _check_sections(envelope)
    return envelope, found


def _without(line: bytes, series: bytes) -> bytes | None:
    """The line without its series, which are most of it and were checked when they were accepted; None where they are not where agents
    write them."""
    at = line.find(_SERIES) + len(_SERIES)
    return line[:at] + line[at + len(series) :] if line.startswith(series, at) else None


def read_envelope(line: bytes) -> tuple[Envelope, CounterValues]:
    """Line 1 and its counters. Raises `Refused` (422) naming the place."""
    if len(line) > MAX_ENVELOPE_BYTES:
        raise unreadable("line 1 is longer than 1 MiB", "line 1")
    try:
        envelope = _decode_envelope(line)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # Where the JSON itself is wrong, the strict reader names the place better.
        strict_json.check(line, "line 1")
        raise unreadable(_one_line(error), "line 1") from None
    counters = envelope.counters
    series = counters.series if isinstance(counters, Counters) else []
    values = [each.value for each in series]
    written = _encode(values)
    # Every other number is bounded by its type. A large one is written with its exponent.
    is_large = b"e" in written and any(value.__class__ is float and abs(value) >= _LARGE for value in values)
    # A series has four keys and three texts besides its value.
    if _is_odd(line, envelope, 14 * len(series) + written.count(b'"')) or is_large:
        strict_json.check(line, "line 1")
    _check_sections(envelope)
    unread = _decode_unread(line).counters if series else None
    if not isinstance(unread, UnreadCounters):
        return envelope, NO_COUNTERS
    found = counter_values(unread)
    return envelope, found if found.size == len(series) else marked_by_names(found, series, written)


def _check_sections(envelope: Envelope) -> None:
    sections = envelope.sections
    try:
        digests = "".join([section.sha256 for section in sections.values()])  # type: ignore[misc]
    except TypeError:
        # Some have none.
        digests = ""
    if digests and _HEX.fullmatch(digests) and _are_sections(tuple(sections)):
        return
    for name, section in sections.items():
        if not _is_section(name):
            raise unreadable("not a section's name", f"line 1, $.sections.{name[:60]}")
        if section.sha256.__class__ is not str and section.status == "ok":
            raise unreadable("a section that is ok needs its sha256", f"line 1, $.sections.{name}")
    for name, section in sections.items():
        if isinstance(section.sha256, str) and not _HEX.fullmatch(section.sha256):
            raise unreadable("not 64 lower-case hex digits", f"line 1, $.sections.{name}.sha256")


@lru_cache(maxsize=256)
def _are_sections(names: tuple[str, ...]) -> bool:
    return all(map(_is_section, names))


@lru_cache(maxsize=256)
def _is_section(name: str) -> bool:
    return _SECTION.fullmatch(name) is not None


def _is_odd(line: bytes, envelope: Envelope, quotes: int) -> bool:
    """The line may break a rule that decoding by types does not check. `quotes`: how many the series of its counters have."""
    if b"\\" in line and (b"\\u" in line or b'\\"' in line):
        return True
    if not line.isascii() and not _is_utf8(line):
        return True
    quotes += 2 * _count_quoted(envelope) + _encode(envelope.sections).count(b'"')
    if isinstance(envelope.live, dict):
        # Only values of free form can nest too deep or hide what types do not check; an unknown key shows in the count.
        for raw in envelope.live.values():
            content = bytes(raw)
            if _is_odd_inside(content):
                return True
            quotes += content.count(b'"')
    return line.count(b'"') != quotes


def _is_odd_inside(content: bytes) -> bool:
    """The same question for a value of free form, without escaped quotes in it."""
    if _nests_deep(content) or _LONG_RUN in content.translate(_DIGITS):
        return True
    try:
        value = msgspec.json.decode(content)
    except (msgspec.ValidationError, msgspec.DecodeError):
        # A number that no type has checked yet.
        return True
    # Where encoding it again gives the same bytes, no key occurs twice; else its keys are counted. A space before a colon would hide one.
    return _encode(value) != content and (
        content.count(b'":') != _count_free(value) or b'" ' in content or b"\t" in content or b"\r" in content
    )


def _nests_deep(content: bytes) -> bool:
    """The value may nest past the limit of line 1, where it is on the second level."""
    brackets = content.translate(None, _NOT_BRACKETS)
    for _ in range(strict_json.MAX_DEPTH - 2):
        if not brackets:
            return False
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return bool(brackets)


def _count_quoted(envelope: Envelope) -> int:
    """How many keys and texts were read, not counting sections, the counters' series and the values inside `live`.

    It can be fewer than the line has (unknown keys) but never more, so a key that occurs twice is always noticed.
    """
    agent = envelope.agent
    # Seven keys that every line 1 has, and four texts: boot, made_at, platform and version.
    quoted = 11 + (agent.took_ms is not UNSET) + _quoted(agent.runner)
    for part in (envelope.live, envelope.counters, envelope.runner_before, envelope.runner_after, envelope.rejected, envelope.thinned):
        quoted += part is not UNSET
    quoted += 3 * isinstance(envelope.runner_before, RunnerMark) + 3 * isinstance(envelope.runner_after, RunnerMark)
    counters = envelope.counters
    if isinstance(counters, Counters | UnreadCounters):
        quoted += 1 + (counters.uptime_s is not UNSET) + _quoted(counters.at)
    if isinstance(envelope.live, dict):
        quoted += len(envelope.live)
    return quoted


def _quoted(text: object) -> int:
    """A key whose value may be a text, null or absent."""
    return 2 if text.__class__ is str else text is not UNSET


def _count_free(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(_count_free(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(_count_free(inner) for inner in value)
    return 0


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _match_bodies(envelope: Envelope, lines: list[bytes]) -> dict[str, bytes]:
    sections: dict[object, list[str]] = {}
    for name, section in envelope.sections.items():
        if section.status == "ok":
            sections.setdefault(section.sha256, []).append(name)
    bodies: dict[str, bytes] = {}
    for number, line in enumerate(lines, start=2):
        names = sections.get(hashlib.sha256(line).hexdigest())
        if names is None:
            raise unreadable("a body that line 1 does not name", f"line {number}")
        _check_section(line, f"line {number} ({names[0]})")
        for name in names:
            bodies[name] = line
    return bodies


def _check_section(line: bytes, where: str) -> None:
    try:
        _decode_section(line)
        line.decode("utf-8")
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise unreadable(_one_line(error), where) from None
    for found in _ODD_ESCAPE.finditer(line):
        # For a pair only the characters around it matter; an even number of backslashes before it makes it plain text.
        _check_escape(line, found.start(), where)


def _check_escape(line: bytes, at: int, where: str) -> None:
    if not _is_escape(line, at):
        return
    code = int(line[at + 2 : at + 6], 16)
    place = f"{where}, byte {at}"
    if code == 0:
        raise unreadable("a NUL character", place)
    if code < 0xDC00:
        following = line[at + 6 : at + 12]
        if not (following[:2] == b"\\u" and _is_low(following[2:6])):
            raise unreadable("a lone surrogate", place)
    elif not (line[at - 6 : at - 4] == b"\\u" and _is_high(line[at - 4 : at]) and _is_escape(line, at - 6)):
        raise unreadable("a lone surrogate", place)


def _is_escape(line: bytes, at: int) -> bool:
    """The backslash at this place is not itself escaped."""
    backslashes = 0
    while at - backslashes - 1 >= 0 and line[at - backslashes - 1] == 0x5C:
        backslashes += 1
    return backslashes % 2 == 0


def _is_low(digits: bytes) -> bool:
    return bool(re.fullmatch(rb"[dD][c-fC-F][0-9a-fA-F]{2}", digits))


def _is_high(digits: bytes) -> bool:
    return bool(re.fullmatch(rb"[dD][89abAB][0-9a-fA-F]{2}", digits))


def _one_line(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "nested too deep"
    return str(error).replace("\n", " ")[:300]
