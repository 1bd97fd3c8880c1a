"""A registry export, read once and forwards: of up to a gigabyte only the keys of storage and network settings are kept.

Values that may name accounts or hold passwords are in other keys, which are never decoded.
"""

import codecs
import re

# Keys below HKEY_LOCAL_MACHINE\\SYSTEM\\<control set>\\: what no cmdlet tells.
_KEYS = re.compile(
    r"^\[HKEY_LOCAL_MACHINE\\Cluster\]\s*$|^\[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\"
    r"(?:Tcpip\\Parameters\\Interfaces\\\{[0-9a-f-]{36}\}|NetBT\\Parameters\\Interfaces\\Tcpip_\{[0-9a-f-]{36}\}|mpio\\Parameters|msdsm\\Parameters|Disk)\]\s*$",
    re.IGNORECASE,
)
_NAMES = (
    "TcpAckFrequency|TcpNoDelay|TcpDelAckTicks|NetbiosOptions|TimeOutValue|PathVerify\\w+|PDORemovePeriod|RetryCount|RetryInterval"
    "|S2DEnabled|UseCustomPathRecoveryInterval|PathRecoveryInterval"
)
_VALUES = re.compile(rf'^"(?:{_NAMES})"=dword:[0-9a-f]{{8}}\s*$|^"ClusterName"="[^"]{{1,64}}"\s*$', re.IGNORECASE)
_LONGEST_LINE = 64 * 1024
_LARGEST = 8 * 1024 * 1024
# The heading of every export names the version of its form.
HEADING = "Windows Registry Editor Version 5.00"


class RegistryReader:
    """Feeds on the bytes of `reg export`, UTF-16 or ANSI, and keeps the wanted keys with the wanted values and a mark for each key."""

    def __init__(self) -> None:
        self._decoder: codecs.IncrementalDecoder | None = None
        self._rest = ""
        self._kept: list[str] = []
        self._size = 0
        self._is_wanted = False
        self._is_overlong = False

    def feed(self, data: bytes) -> None:
        """The next bytes."""
        if self._decoder is None:
            is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[1:2] == b"\0"
            self._decoder = codecs.getincrementaldecoder(
                "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-16-le" if is_wide else "latin-1"
            )("replace")
        text = self._rest + self._decoder.decode(data)
        # Almost all of it is other keys: a chunk without a wanted name is passed over as a whole.
        lines = text.split("\n")
        self._rest = lines.pop()
        if len(self._rest) > _LONGEST_LINE:
            self._rest = self._rest[:1]
        for line in lines:
            self._line(line)

    def _line(self, line: str) -> None:
        if line.startswith("["):
            self._is_wanted = _KEYS.match(line) is not None
            if self._is_wanted:
                self._add(line.rstrip())
        elif self._is_wanted and line.startswith('"') and _VALUES.match(line):
            self._add(line.rstrip())

    def _add(self, line: str) -> None:
        self._size += len(line) + 1
        if self._size <= _LARGEST:
            self._kept.append(line)

    def result(self) -> bytes:
        """What was kept, as a small export."""
        if self._rest:
            self._line(self._rest)
            self._rest = ""
        return "\n".join([HEADING, *self._kept, ""]).encode()
