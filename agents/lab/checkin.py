"""The check-in client of Windows lab hosts: the lab's own, not the PowerShell agent. It sends the same requests.

One check-in is in flight at a time; one without a receipt is kept on disk and sent again with the same number and first line, as a
real agent's spool does. ESXi lab hosts do not use this: they run the real agent file.
"""

import gzip
import hashlib
import hmac
import json
import os
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from lab import uptime
from lab.host import LabHost
from lab.windows import common, render, storage

PATH = "/agent/v1/check-in"
ENROL = "/agent/v1/enrol"
AGENT_VERSION = "1.2.0"
_TYPE = "application/vnd.plumbline.check-in+ndjson"


class EnrolmentRefused(Exception):
    """The server did not take the token; the message is its own."""


@dataclass
class Answer:
    """What came of one check-in: HTTP status (0 for none), and seconds until the next try."""

    status: int
    wait_seconds: float
    detail: str = ""


def enrol(client: httpx.Client, host: LabHost, token: str) -> dict[str, Any]:
    """Enrols a host once; the nonce is stored before the request, so that a lost answer burns no token."""
    file = host.folder / "identity.json"
    if file.exists():
        return dict(json.loads(file.read_text("utf-8")))
    body = {
        "token": token,
        "nonce": nonce_of(host.folder),
        "name": host.spec.name,
        "platform": host.spec.platform,
        "agent_version": AGENT_VERSION,
    }
    answer = client.post(ENROL, json=body)
    if answer.status_code != 200:
        raise EnrolmentRefused(f"{host.spec.name}: {answer.status_code} {answer.text[:300]}")
    enrolled = dict(answer.json())
    _write(file, json.dumps(enrolled))
    host.journal(cause="enrolled", host_id=enrolled["host_id"], state=enrolled.get("state"))
    return enrolled


def nonce_of(folder: Path) -> str:
    """The nonce that a host enrols with; made and kept with the first question."""
    file = folder / "nonce"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(file, secrets.token_hex(16))
    return file.read_text().strip()


class WindowsClient:
    """Makes and sends the check-ins of one Windows lab host."""

    def __init__(self, host: LabHost, client: httpx.Client) -> None:
        self.host, self.client = host, client
        self.folder = host.folder
        self._known: set[str] = set()
        self._drop = random.Random(host.spec.name)

    @property
    def identity(self) -> dict[str, Any]:
        """Host id, secret, epoch and generation as the server gave them."""
        return dict(json.loads((self.folder / "identity.json").read_text("utf-8")))

    def check_in(self) -> Answer:
        """One check-in: the waiting one if there is one, else a new one."""
        waiting = self.folder / "spool.json"
        if not waiting.exists():
            seq, envelope, made = self.make()
            _write(waiting, json.dumps({"seq": seq, "envelope": envelope, "bodies": made}))
        spooled = json.loads(waiting.read_text("utf-8"))
        bodies = dict(spooled["bodies"])
        wanted = {name for name, body in bodies.items() if f"{name}:{_digest(body)}" not in self._known}
        for _ in range(2):
            try:
                answer = self.post(spooled["seq"], spooled["envelope"], [bodies[name] for name in bodies if name in wanted])
            except httpx.HTTPError as error:
                return Answer(0, self._drop.uniform(0, 20), str(error))
            if answer.status_code == 200:
                return self._taken(answer.json(), bodies, waiting)
            if answer.status_code == 409 and "want" in answer.json():
                wanted |= {name for name in answer.json()["want"] if name in bodies}
                continue
            break
        if answer.status_code in (413, 422):
            rejected = self.folder / "rejected"
            rejected.mkdir(exist_ok=True)
            waiting.replace(rejected / f"{spooled['seq']}.json")
            self.host.journal(cause="rejected", status=answer.status_code, detail=answer.text[:300])
            return Answer(answer.status_code, 60, answer.text[:300])
        if answer.status_code in (401, 403, 409):
            return Answer(answer.status_code, 600, answer.text[:300])
        return Answer(answer.status_code, _retry_after(answer) + self._drop.uniform(0, 5), answer.text[:200])

    def _taken(self, answer: Mapping[str, Any], bodies: Mapping[str, str], waiting: Path) -> Answer:
        self._known = {f"{name}:{_digest(body)}" for name, body in bodies.items()}
        waiting.unlink()
        rotated = answer.get("secret")
        if rotated:
            identity = self.identity
            identity["secret"] = rotated["secret"] if isinstance(rotated, dict) else rotated
            identity["generation"] = rotated["generation"] if isinstance(rotated, dict) else identity["generation"] + 1
            _write(self.folder / "identity.json", json.dumps(identity))
        for name in answer.get("want_later") or []:
            self._known = {known for known in self._known if not known.startswith(f"{name}:")}
        return Answer(200, float(answer.get("next_seconds", 0)))

    def make(self) -> tuple[int, str, dict[str, str]]:
        """A new check-in: its number, its first line, its bodies by section."""
        _, envelope, bodies = self.show(self.host)
        return self._next_seq(), envelope, bodies

    @staticmethod
    def show(host: LabHost) -> tuple[int, str, dict[str, str]]:
        """What the host would send now, without a number of its own: what a collector reads."""
        before = _mark(host)
        host.tick()
        failing = host.spec.behaviour.failing
        bodies = {name: body.decode("ascii") for name, body in render.sections(host).items() if name not in failing}
        sections: dict[str, Any] = {}
        for name in [*bodies, *failing]:
            if name in failing:
                sections[name] = {"status": "failed", "error": failing[name], "took_ms": 10000}
            else:
                sections[name] = {"sha256": _digest(bodies[name]), "status": "ok", "took_ms": 40 + len(bodies[name]) // 50}
        envelope = {
            "v": 1,
            "boot": _boot(host),
            "made_at": _now(),
            "agent": {
                "platform": "windows",
                "version": AGENT_VERSION,
                "runner": None if (host.folder / "no-runner").exists() else runner_digest(),
                "took_ms": sum(row["took_ms"] for row in sections.values()),
            },
            "sections": sections,
            "live": {"rendered_by": "the lab", "sessions": sum(1 for path in host.sessions() if path["alive"])},
            "counters": counters(host),
            "runner_before": before,
            "runner_after": _mark(host),
            "rejected": 0,
            "thinned": 0,
        }
        return 0, json.dumps(envelope, separators=(",", ":")), bodies

    def post(self, seq: int, envelope: str, bodies: list[str]) -> httpx.Response:
        """One signed request."""
        identity = self.identity
        body = gzip.compress(("\n".join([envelope, *bodies]) + "\n").encode("ascii"), compresslevel=6, mtime=0)
        return send(self.client, identity, seq=seq, body=body, encoding="gzip")

    def _next_seq(self) -> int:
        file = self.folder / "seq"
        seq = int(file.read_text()) + 1 if file.exists() else 1
        _write(file, str(seq))
        return seq


def send(client: httpx.Client, identity: Mapping[str, Any], *, seq: int, body: bytes, encoding: str) -> httpx.Response:
    """Signs a body as it goes on the wire, and posts it."""
    return client.post(PATH, content=body, headers=signed_headers(identity, seq=seq, body=body, encoding=encoding))


def signed_headers(identity: Mapping[str, Any], *, seq: int, body: bytes, encoding: str) -> dict[str, str]:
    """The headers of a check-in with this body, as it goes on the wire, its signature among them."""
    number, sent_at = secrets.token_hex(16), _now()
    host, epoch, generation = identity["host_id"], identity["epoch"], identity["generation"]
    order = (host, epoch, seq, number, generation, sent_at, encoding, hashlib.sha256(body).hexdigest())
    signed = "plumbline-1\nPOST\n" + PATH + "\n" + "".join(f"{part}\n" for part in order)
    headers = {
        "Plumbline-Host": str(host),
        "Plumbline-Epoch": str(epoch),
        "Plumbline-Seq": str(seq),
        "Plumbline-Id": number,
        "Plumbline-Generation": str(generation),
        "Plumbline-Sent-At": sent_at,
        "Plumbline-Signature": hmac.new(bytes.fromhex(identity["secret"]), signed.encode(), hashlib.sha256).hexdigest(),
        "Content-Type": _TYPE,
    }
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return headers


def counters(host: LabHost) -> dict[str, Any]:
    """The counters of a check-in, by subject."""
    state = host.state["counters"]
    series: list[dict[str, Any]] = []
    for role, values in state["ports"].items():
        subject = f"adapter/{common.mac_of(host, role)}"
        # Windows itself counts no pause frames.
        counted = {name: value for name, value in values.items() if not name.startswith("pause_")}
        series += [{"subject": subject, "name": name, "value": value, "kind": "total"} for name, value in counted.items()]
    for name in ("tcp_segments_sent", "tcp_segments_retransmitted"):
        series.append({"subject": "host/", "name": name, "value": state[name], "kind": "total"})
    series.append({"subject": "host/", "name": "cpu_percent", "value": state["cpu_percent"], "kind": "gauge"})
    for volume, values in state["volumes"].items():
        subject = f"volume/{storage.volume_id(host, volume)}"
        series += [
            {"subject": subject, "name": name, "value": value, "kind": "gauge" if name.endswith("_us") else "total"}
            for name, value in values.items()
            # Windows gives the mean time of an operation, not the time of all.
            if not name.endswith("_time_us")
        ]
    return {"at": _now(), "uptime_s": int(uptime.seconds()), "series": series}


def _boot(host: LabHost) -> str:
    with host.lock:
        file = host.folder / "boot"
        if not file.exists():
            _write(file, secrets.token_hex(16))
        return file.read_text().strip()


def _mark(host: LabHost) -> dict[str, Any] | None:
    """The last act of the host's runner, as the runner left it."""
    try:
        return dict(json.loads((host.folder / "runner" / "last.json").read_text("utf-8")))
    except FileNotFoundError:
        return None


@cache
def runner_digest() -> str | None:
    """SHA-256 of the runner that the installer brings."""
    file = Path(__file__).resolve().parents[1] / "windows" / "Plumbline-Runner.ps1"
    if not file.exists():
        return None
    plain = file.read_bytes().replace(b"\r\n", b"\n").partition(b"# SIG # Begin signature block")[0]
    return hashlib.sha256(plain.rstrip(b"\n")).hexdigest()


def _retry_after(answer: httpx.Response) -> float:
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 15.0


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("ascii")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _write(file: Path, text: str) -> None:
    waiting = file.with_name(file.name + ".tmp")
    with waiting.open("w", encoding="utf-8") as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
    waiting.replace(file)
