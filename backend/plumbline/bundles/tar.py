"""Reads a tar stream once, forwards, member by member. It takes POSIX, GNU and old headers; long names are bounded.

The standard library's reader keeps every member and reads extended headers of any size into memory: here both are bounded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.bundles.limits import BadBundle, Budget, Incomplete
from plumbline.bundles.streams import Part, Stream

BLOCK = 512
_LONGEST_HEADER = 64 * 1024
_ENCODINGS = "utf-8", "replace"


@dataclass(frozen=True, slots=True)
class TarMember:
    """One member. `odd` says what it is where it is neither file nor folder: such a member is never read."""

    name: str
    size: int
    is_file: bool
    odd: str
    content: Part


def is_tar(head: bytes) -> bool:
    """Whether a stream begins with the header of a tar member."""
    return len(head) >= BLOCK and (head[257:262] == b"ustar" or bool(head[:1].strip(b"\0"))) and _checksum_fits(head[:BLOCK])


def members(stream: Stream, budget: Budget) -> Iterator[TarMember]:
    """The members in their order. Raises Incomplete where the stream ends within one, BadBundle where a header is none."""
    long_name = ""
    extended: dict[str, str] = {}
    count = 0
    while True:
        header = stream.exactly(BLOCK) if stream.peek(1) else b""
        if not header.strip(b"\0"):
            # Two blocks of zeros end it; tools that cut the second one, or the padding, do no harm.
            return
        if not _checksum_fits(header):
            raise BadBundle(f"the header of member {count + 1} is damaged: copy the bundle again, and compare the sizes")
        count += 1
        budget.take_member()
        size = _number(header[124:136])
        kind = header[156:157]
        if kind in (b"L", b"K", b"x", b"g"):
            text = _long(stream, size)
            if kind == b"L":
                long_name = text.decode(*_ENCODINGS).rstrip("\0")
            elif kind == b"x":
                extended = _extended(text)
            continue
        if "size" in extended and extended["size"].isdigit() and len(extended["size"]) < 20:
            size = int(extended["size"])
        name = extended.get("path") or long_name or _name(header)
        long_name, extended = "", {}
        is_file = kind in (b"0", b"\0", b"7")
        odd = "" if is_file or kind == b"5" else _ODD.get(kind, "neither a file nor a folder")
        if kind in (b"1", b"2", b"3", b"4", b"5", b"6"):
            size = 0
        if kind == b"S":
            _pass_sparse_map(stream, header)
        content = Part(stream, size)
        yield TarMember(name, size, is_file and not name.endswith("/"), odd, content)
        content.finish()
        stream.skip(-size % BLOCK)


_ODD = {
    b"1": "a link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a pipe",
    b"S": "a file with holes",
}


def _long(stream: Stream, size: int) -> bytes:
    if size > _LONGEST_HEADER:
        raise BadBundle(f"a member's name takes {size:,} bytes, as in a damaged or hostile archive: collect the bundle again")
    text = stream.exactly(size)
    stream.skip(-size % BLOCK)
    return text


def _pass_sparse_map(stream: Stream, header: bytes) -> None:
    more = header[482:483] == b"\x01"
    while more:
        more = stream.exactly(BLOCK)[504:505] == b"\x01"


def _name(header: bytes) -> str:
    name = header[:100].split(b"\0", 1)[0]
    prefix = header[345:500].split(b"\0", 1)[0] if header[257:263] == b"ustar\0" else b""
    return (prefix + b"/" + name if prefix else name).decode(*_ENCODINGS)


def _number(text: bytes) -> int:
    if text[0] & 0x80:
        # GNU's form for what eleven octal digits cannot hold.
        value = int.from_bytes(bytes([text[0] & 0x7F]) + text[1:], "big")
        if value >= 2**63 or text[0] == 0xFF:
            raise BadBundle("the size of a member is damaged: copy the bundle again, and compare the sizes")
        return value
    digits = text.split(b"\0", 1)[0].strip()
    if not digits:
        return 0
    if not re.fullmatch(rb"[0-7]+", digits):
        raise BadBundle("the size of a member is damaged: copy the bundle again, and compare the sizes")
    return int(digits, 8)


def _checksum_fits(header: bytes) -> bool:
    digits = header[148:156].split(b"\0", 1)[0].strip()
    if not re.fullmatch(rb"[0-7]{1,8}", digits):
        return False
    blanked = header[:148] + b" " * 8 + header[156:BLOCK]
    total = sum(blanked)
    # Old tools summed signed bytes.
    return int(digits, 8) in (total, total - 256 * sum(1 for byte in blanked if byte > 127))


def _extended(text: bytes) -> dict[str, str]:
    """`27 path=a/long/name\\n`, one record after another; a record that is none ends it."""
    found: dict[str, str] = {}
    at = 0
    while match := re.compile(rb"(\d{1,6}) ([^=\n]{1,80})=").match(text, at):
        end = at + int(match.group(1))
        if end <= match.end() or end > len(text):
            break
        found[match.group(2).decode(*_ENCODINGS)] = text[match.end() : end - 1].decode(*_ENCODINGS)
        at = end
    return found


__all__ = ["BLOCK", "Incomplete", "TarMember", "is_tar", "members"]
