"""A sender of check-ins for tests: signs as agents do and keeps what it sent, so that tests can compare it with what the server stored."""

import gzip
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import zstandard

PATH = "/agent/v1/check-in"
CONTENT_TYPE = "application/vnd.plumbline.check-in+ndjson"

COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda body: gzip.compress(body),
    "zstd": lambda body: zstandard.compress(body),
    "identity": lambda body: body,
}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def signature(secret: str, headers: dict[str, str], wire: bytes, encoding: str) -> str:
    signed = "\n".join(
        ["plumbline-1", "POST", PATH]
        + [headers[f"Plumbline-{name}"] for name in ("Host", "Epoch", "Seq", "Id", "Generation", "Sent-At")]
        + [encoding, digest(wire), ""]
    )
    return hmac.new(bytes.fromhex(secret), signed.encode(), hashlib.sha256).hexdigest()


@dataclass
class Sender:
    """One enrolled host. `sections` are the bodies it would send; `known` the digests that the server has receipted, by section."""

    host_id: str
    secret: str
    epoch: int = 1
    generation: int = 1
    platform: str = "windows"
    seq: int = 0
    boot: str = "boot-1"
    sections: dict[str, bytes] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    def envelope(self, **more: Any) -> bytes:
        sections: dict[str, Any] = {
            name: {"sha256": sha256, "status": "ok", "took_ms": 12} for name, sha256 in sorted(self.digests().items())
        }
        for name, error in self.failed.items():
            sections[name] = {"status": "failed", "error": error}
        said = {
            "v": 1,
            "boot": self.boot,
            "made_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "agent": {"platform": self.platform, "version": "1.0.0", "runner": None, "took_ms": 1200},
            "sections": sections,
            "rejected": 0,
            "thinned": 0,
        }
        return compact(said | self.extra | more)

    def body(self, *, with_bodies: set[str] | None = None, **more: Any) -> bytes:
        """Line 1 and the bodies that the server has not receipted (or exactly the named ones)."""
        wanted = (
            with_bodies if with_bodies is not None else {name for name, sha256 in self.digests().items() if self.known.get(name) != sha256}
        )
        lines = [self.envelope(**more), *(self.sections[name] for name in sorted(wanted))]
        return b"\n".join(lines) + b"\n"

    def digests(self) -> dict[str, str]:
        """Digests of its section bodies, by section: the server stores a body under its section, as agents know."""
        return {name: digest(body) for name, body in self.sections.items()}

    def request(self, body: bytes, *, seq: int | None = None, encoding: str = "gzip", **headers: str) -> tuple[dict[str, str], bytes]:
        wire = COMPRESSED[encoding](body)
        said = {
            "Plumbline-Host": self.host_id,
            "Plumbline-Epoch": str(self.epoch),
            "Plumbline-Seq": str(self.seq if seq is None else seq),
            "Plumbline-Id": secrets.token_hex(16),
            "Plumbline-Generation": str(self.generation),
            "Plumbline-Sent-At": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "Content-Type": CONTENT_TYPE,
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        if encoding != "identity":
            said["Content-Encoding"] = encoding
        said.setdefault("Plumbline-Signature", signature(self.secret, said, wire, encoding))
        return said, wire

    def send(self, client: httpx.Client, body: bytes | None = None, **how: Any) -> httpx.Response:
        """A new check-in with the next number."""
        self.seq += 1
        return self.again(client, self.body() if body is None else body, **how)

    def again(self, client: httpx.Client, body: bytes, **how: Any) -> httpx.Response:
        headers, wire = self.request(body, **how)
        answer = client.post(PATH, content=wire, headers=headers)
        if answer.status_code == 200:
            self.known = self.digests()
        return answer


def enrol(client: httpx.Client, token: str, name: str, platform: str = "windows", nonce: str | None = None) -> httpx.Response:
    asked = {"token": token, "nonce": nonce or secrets.token_hex(16), "name": name, "platform": platform, "agent_version": "1.0.0"}
    return client.post("/agent/v1/enrol", json=asked)


def sender_of(answer: httpx.Response, platform: str = "windows", **more: Any) -> Sender:
    said = answer.json()
    return Sender(said["host_id"], said["secret"], said["epoch"], said["generation"], platform, **more)
