"""The agent key K: files of the API from which every host's secret is derived, so that the database holds no secret at all.

`secret = HMAC-SHA256(K, "plumbline-agent-1\\0" + host id + "\\0" + generation)`. Each key has an id, the number in its file's name
`agent-<id>.key`; the highest is in force and serves from each host's next generation on. An older file may be removed once no host row
names it. The receipt key is in the same folder.
"""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plumbline.infra.durable_files import replace
from plumbline.infra.key_files import write_once
from plumbline.infra.settings import get_settings

_AGENT_KEY = re.compile(r"agent-(\d{1,9})\.key")
_RECEIPT_KEY = "receipt.key"
_CHECK_AGAIN_SECONDS = 5.0


def _read(path: Path) -> bytes:
    key = bytes.fromhex(path.read_text().strip())
    if len(key) != 32:
        raise ValueError(f"{path} does not hold a key of 32 bytes as hex")
    return key


@dataclass
class KeyRing:
    """The keys of one folder, read again when the folder changed (checked at most every 5 s)."""

    folder: Path
    _agent: dict[str, bytes] = field(default_factory=dict)
    _newest: str = ""
    _receipt: bytes = b""
    _checked_at: float = float("-inf")
    _folder_mark: int = -1

    def _reload(self) -> None:
        now = time.monotonic()
        if now - self._checked_at < _CHECK_AGAIN_SECONDS and self._agent:
            return
        if not self._agent:
            if not any(_AGENT_KEY.fullmatch(file.name) for file in self.folder.glob("agent-*.key")):
                write_once(self.folder / "agent-1.key")
            if not (self.folder / _RECEIPT_KEY).exists():
                write_once(self.folder / _RECEIPT_KEY)
        mark = self.folder.stat().st_mtime_ns
        if mark != self._folder_mark:
            keys = {match[1]: _read(file) for file in self.folder.iterdir() if (match := _AGENT_KEY.fullmatch(file.name))}
            self._agent, self._newest = keys, max(keys, key=int)
            self._receipt = _read(self.folder / _RECEIPT_KEY)
            self._folder_mark = mark
        self._checked_at = now

    @property
    def newest(self) -> str:
        """Id of the key in force."""
        self._reload()
        return self._newest

    @property
    def agent_keys(self) -> Mapping[str, bytes]:
        """All agent keys by id."""
        self._reload()
        return self._agent

    @property
    def receipt_key(self) -> bytes:
        """The key of receipts."""
        self._reload()
        return self._receipt

    def secret(self, host_id: str, generation: int, key_id: str) -> bytes:
        """A host's secret (32 bytes). Raises `KeyError` where the key's file is gone."""
        self._reload()
        return derive_secret(self._agent[key_id], host_id, generation)

    def renew_receipt_key(self) -> None:
        """Replaces the key of receipts, which are never checked again: an agent compares number and digest, not the receipt."""
        replace(self.folder / _RECEIPT_KEY, secrets.token_hex(32).encode())
        self._checked_at, self._folder_mark = float("-inf"), -1

    def make_next_agent_key(self) -> str:
        """Makes a new key and returns its id. Hosts move to it with their next generation."""
        self._checked_at = float("-inf")
        self._reload()
        next_id = str(int(self._newest) + 1)
        write_once(self.folder / f"agent-{next_id}.key")
        self._checked_at = float("-inf")
        return next_id


def derive_secret(key: bytes, host_id: str, generation: int) -> bytes:
    """The 32 bytes that sign a host's check-ins under one key and generation."""
    return hmac.digest(key, b"plumbline-agent-1\0" + host_id.encode() + b"\0" + str(generation).encode(), hashlib.sha256)


_RINGS: dict[Path, KeyRing] = {}


def key_ring() -> KeyRing:
    """The key ring of this process' settings."""
    folder = get_settings().keys
    ring = _RINGS.get(folder)
    if ring is None:
        ring = _RINGS[folder] = KeyRing(folder)
    return ring
