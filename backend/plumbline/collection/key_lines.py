"""PURE: host keys and certificates out of a known_hosts file or a CSV, line by line, with the reason where a line cannot be used.

known_hosts as OpenSSH's sshd(8) describes it; hashed names too, which can be compared with a name and not read. CSV: `host,key` or
`host,port,key`, where key is a public key, `SHA256:…` of one, or the SHA-256 of a certificate in hex.
"""

import csv
import hashlib
import hmac
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Format = Literal["known_hosts", "csv"]
# Kinds of key that the SSH channel accepts (channels/ssh.py); a line with another kind is skipped and does not count as broken.
_KINDS = frozenset({"ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"})
_SHA256 = re.compile(r"SHA256:[A-Za-z0-9+/]{43}=?")
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_BRACKETED = re.compile(r"\[([^\[\]]+)\]:(\d{1,5})")
_MOST_COLUMNS = 3


class NotAKey(ValueError):
    """The line holds no key; the message says why."""


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One line: names of the host as written, its port where the line names one, and the pin. `why_not`: why it cannot be used.

    `is_fault`: the line is broken, not only without use here. `channel`: the channel that checks such a pin.
    """

    number: int
    names: tuple[str, ...] = ()
    port: int | None = None
    pin: str = ""
    channel: Literal["ssh", "winrm", ""] = ""
    why_not: str = ""
    is_fault: bool = False

    def is_for(self, name: str, port: int) -> bool:
        """The line names this host, and this port if it names one."""
        return (self.port is None or self.port == port) and any(_is_name(written, name, port) for written in self.names)


def read_lines(text: str, form: Format) -> list[KeyLine]:
    """Every line that is neither empty nor a comment, in the file's order."""
    return list(_known_hosts(text) if form == "known_hosts" else _csv(text))


def _known_hosts(text: str) -> Iterator[KeyLine]:
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if parts[0].startswith("@"):
            yield KeyLine(number, why_not=f"{parts[0][:20]}: marked lines are not imported; only plain host keys are")
            continue
        if len(parts) < 3:
            yield KeyLine(number, why_not="a line is names, kind of key and key; something is missing here", is_fault=True)
            continue
        if "*" in parts[0] or "?" in parts[0] or "!" in parts[0]:
            yield KeyLine(number, why_not="patterns match many hosts: name each host")
            continue
        names, port = _names(parts[0])
        yield _line(number, names, port, f"{parts[1]} {parts[2]}")


def _names(written: str) -> tuple[tuple[str, ...], int | None]:
    """Names and the port of a known_hosts line. Without brackets the port is 22; a hashed name includes its port."""
    if written.startswith("|1|"):
        return (written,), None
    names: list[str] = []
    ports: set[int] = set()
    for name in written.split(","):
        match = _BRACKETED.fullmatch(name)
        names.append(match[1] if match else name)
        ports.add(int(match[2]) if match else 22)
    return tuple(names), ports.pop() if len(ports) == 1 else None


def _csv(text: str) -> Iterator[KeyLine]:
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    for row in rows:
        cells, number = [cell.strip() for cell in row], rows.line_num
        if not any(cells) or cells[0].startswith("#") or (cells[0].casefold() == "host" and cells[-1].casefold() in ("key", "fingerprint")):
            continue
        if not 2 <= len(cells) <= _MOST_COLUMNS or not cells[0]:
            yield KeyLine(number, why_not="a line is host,key or host,port,key", is_fault=True)
            continue
        port = cells[1] if len(cells) == _MOST_COLUMNS else ""
        if port and not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
            yield KeyLine(number, why_not=f"{port[:12]!r} is no port", is_fault=True)
            continue
        yield _line(number, (cells[0],), int(port) if port else None, cells[-1])


def _line(number: int, names: tuple[str, ...], port: int | None, key: str) -> KeyLine:
    try:
        channel, pin = _pin(key)
    except NotAKey as error:
        return KeyLine(number, names, port, why_not=str(error), is_fault=True)
    if channel == "ssh" and not pin.startswith("SHA256:") and pin.split()[0] not in _KINDS:
        return KeyLine(number, names, port, why_not=f"keys of the kind {pin.split()[0][:40]} are not taken: Ed25519, ECDSA and RSA are")
    return KeyLine(number, names, port, pin, channel)


def _pin(key: str) -> tuple[Literal["ssh", "winrm"], str]:
    if _SHA256.fullmatch(key):
        return "ssh", key.rstrip("=")
    bare = key.replace(":", "").replace(" ", "")
    if _HEX.fullmatch(bare):
        return "winrm", bare.lower()
    parts = key.split()
    if len(parts) < 2:
        raise NotAKey("the key is neither a public key, nor SHA256:…, nor 64 hex digits of a certificate")
    try:
        blob = b64decode(parts[1], validate=True)
    except ValueError:
        raise NotAKey("the key is cut off or not base64") from None
    # A key's bytes begin with the length and the name of its kind, which has to be the kind that the line names.
    length = int.from_bytes(blob[:4], "big")
    if len(blob) < length + 4 or blob[4 : 4 + length] != parts[0].encode():
        raise NotAKey(f"the bytes are no key of the kind {parts[0][:40]!r}")
    return "ssh", f"{parts[0]} {parts[1]}"


def _is_name(written: str, name: str, port: int) -> bool:
    if not written.startswith("|1|"):
        return written.casefold() == name.casefold()
    _, _, salt, digest = ([*written.split("|"), "", ""])[:4]
    # OpenSSH hashes the name with brackets and the port only where the port is not 22.
    plain = name.lower() if port == 22 else f"[{name.lower()}]:{port}"
    try:
        expected = hmac.new(b64decode(salt, validate=True), plain.encode(), hashlib.sha1).digest()
    except ValueError:
        return False
    return hmac.compare_digest(b64encode(expected).decode(), digest)
