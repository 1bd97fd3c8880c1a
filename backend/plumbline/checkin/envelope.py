"""Line 1 of a check-in and its section lines: read fast where they are as agents write them, strictly where anything is odd.

The fast way is msgspec with types, plus three counts that a line as our agents write it passes: no bracket nests past 32, there are as
many keys in the text as in what was read (so none stood twice), and no escape or digit run that could hide NUL, half a surrogate pair or an
integer past 64 bits. A line that fails a count is walked by `strict`, which either names the place or finds nothing wrong.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from plumbline.checkin import strict
from plumbline.checkin.refusals import unreadable

MAX_ENVELOPE_BYTES = 1 << 20
MAX_SECTIONS = 64
MAX_SERIES = 4000
MAX_ERROR_CHARACTERS = 2000

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
_Short = Annotated[str, msgspec.Meta(max_length=128)]


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


class CounterReading(msgspec.Struct, frozen=True, gc=False):
    """One series' value now. A total past 2^63 travels as decimal text."""

    subject: Annotated[str, msgspec.Meta(max_length=256)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    kind: Literal["total", "gauge"]
    value: float | Annotated[str, msgspec.Meta(pattern=r"^-?\d{1,20}$")] | None


class Counters(msgspec.Struct, frozen=True, gc=False):
    """All counters of the host at one moment of its own clock."""

    series: Annotated[list[CounterReading], msgspec.Meta(max_length=MAX_SERIES)]
    uptime_s: Annotated[float, msgspec.Meta(ge=0, le=2**53)] | UnsetType | None = UNSET
    at: _Short | UnsetType = UNSET


class RunnerMark(msgspec.Struct, frozen=True, gc=False):
    """The last act of the runner on the host, read before and after collecting."""

    op_id: _Short
    gen: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """Line 1, as the contract has it."""

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


@dataclass(slots=True)
class CheckInBody:
    """A check-in as read: the envelope, its digest, and the bodies that came with it by section."""

    envelope: Envelope
    digest: bytes
    bodies: dict[str, bytes]
    size_bytes: int


_decode_envelope = msgspec.json.Decoder(Envelope).decode
_decode_section = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_NOT_BRACKETS = bytes(code for code in range(256) if code not in b"{}[]")
_HEX = re.compile("[0-9a-f]*")
_SECTION = re.compile("[a-z][a-z0-9_]{0,31}")
# Digits become 0, everything else a space: a run of twenty is then one search.
_DIGITS = bytes(0x30 if 0x30 <= code <= 0x39 else 0x20 for code in range(256))
_LONG_RUN = b"0" * 20
_ODD_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


def read_body(body: bytes) -> CheckInBody:
    """Reads an inflated body. Raises `Refused` (422, 413) naming the place."""
    lines = body.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise unreadable("the body is empty", "line 1")
    first = lines[0]
    envelope = read_envelope(first)
    bodies = _match_bodies(envelope, lines[1:]) if len(lines) > 1 else {}
    return CheckInBody(envelope, hashlib.sha256(first).digest(), bodies, len(body))


def read_envelope(line: bytes) -> Envelope:
    """Reads line 1. Raises `Refused` (422) naming the place."""
    if len(line) > MAX_ENVELOPE_BYTES:
        raise unreadable("line 1 is longer than 1 MiB", "line 1")
    try:
        envelope = _decode_envelope(line)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # The strict walk names the place better where it is the JSON that is wrong.
        strict.check(line, "line 1")
        raise unreadable(_one_line(error), "line 1") from None
    if _is_odd(line, envelope):
        strict.check(line, "line 1")
    digests = []
    for name, section in envelope.sections.items():
        if not _is_section(name):
            raise unreadable("not a section's name", f"line 1, $.sections.{name[:60]}")
        if section.sha256.__class__ is str:
            digests.append(section.sha256)
        elif section.status == "ok":
            raise unreadable("a section that is ok needs its sha256", f"line 1, $.sections.{name}")
    if not _HEX.fullmatch("".join(digests)):
        for name, section in envelope.sections.items():
            if isinstance(section.sha256, str) and not _HEX.fullmatch(section.sha256):
                raise unreadable("not 64 lower-case hex digits", f"line 1, $.sections.{name}.sha256")
    return envelope


@lru_cache(maxsize=256)
def _is_section(name: str) -> bool:
    return _SECTION.fullmatch(name) is not None


def _is_odd(line: bytes, envelope: Envelope) -> bool:
    if b"\\" in line and (b"\\u" in line or b'\\"' in line):
        return True
    # Space between a key and its colon would hide the key from the count; most lines hold none at all.
    if (b" " in line and b'" ' in line) or b"\t" in line or b"\r" in line:
        return True
    if _LONG_RUN in line.translate(_DIGITS) or (not line.isascii() and not _is_utf8(line)):
        return True
    # Only what is free in its form can nest too deep; an unknown key shows by the count.
    if isinstance(envelope.live, dict) and any(_nests_deep(raw) for raw in envelope.live.values()):
        return True
    return line.count(b'":') != _count_keys(envelope)


def _nests_deep(raw: msgspec.Raw) -> bool:
    """The value may nest past the limit, seen from line 1 in whose second level it stands."""
    brackets = bytes(raw).translate(None, _NOT_BRACKETS)
    for _ in range(strict.MAX_DEPTH - 2):
        if not brackets:
            return False
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return bool(brackets)


def _count_keys(envelope: Envelope) -> int:
    """How many keys were read. It can be fewer than the line holds (keys we do not know), never more, so a duplicate never fits in."""
    keys = 7
    for part in (envelope.live, envelope.counters, envelope.runner_before, envelope.runner_after, envelope.rejected, envelope.thinned):
        keys += part is not UNSET
    keys += (envelope.agent.runner is not UNSET) + (envelope.agent.took_ms is not UNSET)
    for section in envelope.sections.values():
        keys += 2 + (section.sha256 is not UNSET) + (section.took_ms is not UNSET) + (section.error is not UNSET)
    keys += 2 * isinstance(envelope.runner_before, RunnerMark) + 2 * isinstance(envelope.runner_after, RunnerMark)
    counters = envelope.counters
    if isinstance(counters, Counters):
        keys += 1 + 4 * len(counters.series) + (counters.uptime_s is not UNSET) + (counters.at is not UNSET)
    if isinstance(envelope.live, dict):
        keys += len(envelope.live) + sum(map(_keys_in, envelope.live.values()))
    return keys


def _keys_in(raw: msgspec.Raw) -> int:
    """The keys of a free value. Where writing it again gives the same bytes no key stood twice, and they can be counted in the text."""
    content = bytes(raw)
    value = msgspec.json.decode(content)
    return content.count(b'":') if msgspec.json.encode(value) == content else _count_free(value)


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
    sections: dict[str, list[str]] = {}
    for name, section in envelope.sections.items():
        if isinstance(section.sha256, str) and section.status == "ok":
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
        # Only the neighbourhood matters for a pair; an even run of backslashes before it makes it plain text.
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
