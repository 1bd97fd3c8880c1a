"""The hosts of the bench of check-ins: the bodies of real samples, each host with values of its own, checked in for real."""

import asyncio
import json
import random
import re
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

from faults.samples import samples, sections_of
from faults.sending import Sender, compact, digest
from plumbline.checkin.batches import CheckInConnection
from plumbline.checkin.envelope import read_body
from plumbline.checkin.headers import read_headers
from plumbline.checkin.pending import PendingCheckIn, Response
from plumbline.checkin.store import Store
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import Host

_BATCH = 64
# What tells one host from another of the same make: the addresses of its adapters, its GUIDs, its name.
_OWN = re.compile(rb"(?:[0-9A-Fa-f]{2}[-:]){5}[0-9A-Fa-f]{2}|\{?[0-9A-Fa-f]{8}(?=-[0-9A-Fa-f]{4}-)")
_NAMES = (
    "bytes_received", "bytes_sent", "packets_received", "packets_sent", "drops_received", "drops_sent", "errors_received", "errors_sent",
)  # fmt: skip


def counters(number: int) -> dict[str, object]:
    """Counters of a host with four adapters and eight volumes: 74 series."""
    names = [(f"adapter/0010{number:06x}{adapter:02x}", name) for adapter in range(4) for name in _NAMES]
    names += [
        (f"volume/naa.6090a0{number:06x}{volume:04x}", name)
        for volume in range(8)
        for name in ("read_bytes", "write_bytes", "reads", "writes", "read_latency_us")
    ]
    names += [("host", "tcp_segments_sent"), ("host", "tcp_segments_retransmitted")]
    series = [{"subject": subject, "name": name, "value": random.randrange(2**40), "kind": "total"} for subject, name in names]
    return {"at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "uptime_s": 86400, "series": series}


def http(path: str, headers: dict[str, str], body: bytes) -> bytes:
    """One request as bytes."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: bench",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Fleet:
    """Hosts that check in in random order; none comes twice before all have come once. Of each only its number of changes is kept."""

    def __init__(self) -> None:
        self._samples = [sections_of(path) for path in samples("windows")]
        self._seqs: list[int] = []
        self._turns: list[int] = []
        self._secrets: list[str] = []
        self._order: Iterator[int] = iter(())

    @property
    def size(self) -> int:
        return len(self._seqs)

    def grow(self, size: int) -> None:
        """Enrols and checks in until there are so many, by the store transaction itself."""
        url = get_settings().database_url.get_secret_value().replace("+psycopg", "")
        store = Store()
        first = self.size
        with session_scope() as session:
            for number in range(first, size):
                session.add(
                    Host(id=_id(number), name=f"bench-{number}", platform="windows", group_id=1, state="active", key_id=key_ring().newest,
                         approved_at=datetime.now(UTC), interval_seconds=900)
                )  # fmt: skip
                self._secrets.append(key_ring().secret(_id(number), 1, key_ring().newest).hex())
                self._seqs.append(0)
                self._turns.append(0)
        with CheckInConnection.open(url) as connection:
            for numbers in _batched(range(first, size)):
                for _, response in store.store(connection, [self._pending(number) for number in numbers]):
                    if response.status != 200:
                        raise SystemExit(response.content())
        self._order = iter(())

    def _pending(self, number: int) -> PendingCheckIn:
        sender = self._sender(number)
        sender.seq += 1
        headers, wire = sender.request(sender.body(with_bodies=set(sender.sections)), encoding="identity")
        self._seqs[number] = sender.seq
        read = read_headers([(name.lower().encode(), value.encode()) for name, value in headers.items()])
        return PendingCheckIn(read, key_ring().newest, read_body(wire), cast("asyncio.Future[Response]", None))

    def _sections(self, number: int) -> dict[str, bytes]:
        own = f"{number:06x}".encode()
        name = f"BENCH{number:06}".encode()

        def replaced(found: re.Match[bytes]) -> bytes:
            value = found[0]
            if len(value) >= 17:
                return value[:6] + own[:2] + value[5:6] + own[2:4] + value[5:6] + own[4:] + value[-3:]
            return value[:-6] + own

        sample = self._samples[number % len(self._samples)]
        system = json.loads(sample["system"])
        theirs = _computer_name(system).encode()
        return {section: _OWN.sub(replaced, body.replace(theirs, name) if theirs else body) for section, body in sample.items()}

    def _sender(self, number: int) -> Sender:
        sections = self._sections(number)
        turn = self._turns[number]
        if turn:
            sections["properties"] = _with_turn(sections["properties"], turn + number)
        sender = Sender(_id(number), self._secrets[number], sections=sections, seq=self._seqs[number])
        live = {"sessions": [{"id": secrets.token_hex(8), "target": "iqn.2001-05.com.equallogic:0"}] * 4}
        sender.extra = {"counters": counters(number), "live": live}
        return sender

    def _next(self) -> int:
        for number in self._order:
            return number
        numbers = list(range(self.size))
        random.shuffle(numbers)
        self._order = iter(numbers)
        return next(self._order)

    def requests(self, count: int, changed_share: float, *, plain: int = 0) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """Check-ins, the same bodies for the echo, and whole ones for the ordinary way (as many as `plain`)."""
        ours, echoes, ordinary = [], [], []
        for index in range(count):
            number = self._next()
            # Spread over the run, as over a fleet; one after the other they would share their batches.
            is_changed = int((index + 1) * changed_share) > int(index * changed_share)
            self._turns[number] += is_changed
            sender = self._sender(number)
            body = sender.body(with_bodies={"properties"} if is_changed else set())
            sender.seq += 1
            self._seqs[number] = sender.seq
            headers, wire = sender.request(body, encoding="identity")
            ours.append(http("/agent/v1/check-in", headers, wire))
            first, *rest = body.rstrip(b"\n").split(b"\n")
            echoes.append(
                http("/echo", {"Content-Type": "application/json"}, b'{"envelope":' + first + b',"bodies":[' + b",".join(rest) + b"]}")
            )
            if len(ordinary) < plain:
                said = json.loads(first)
                whole = {key: said[key] for key in ("boot", "made_at", "agent", "sections", "counters")} | {
                    "host_id": sender.host_id,
                    "bodies": {name: json.loads(content) for name, content in sender.sections.items()},
                }
                ordinary.append(http("/ordinary", {"Content-Type": "application/json"}, compact(whole)))
        return ours, echoes, ordinary


def _id(number: int) -> str:
    return digest(f"bench {number}".encode())[:32]


def _batched(numbers: range) -> Iterator[range]:
    for start in range(numbers.start, numbers.stop, _BATCH):
        yield range(start, min(start + _BATCH, numbers.stop))


def _computer_name(system: dict[str, Any]) -> str:
    rows = system.get("Win32_ComputerSystem", {}).get("rows") or [{}]
    name = rows[0].get("Name")
    return name if isinstance(name, str) else ""


def _with_turn(body: bytes, turn: int) -> bytes:
    """Another value of one advanced property: a setting changes, and its section is stored anew."""
    said = json.loads(body)
    rows = said["Get-NetAdapterAdvancedProperty"]["rows"]
    keywords = rows[turn % len(rows)]["properties"]
    keywords["*ReceiveBuffers" if "*ReceiveBuffers" in keywords else next(iter(keywords))] = [str(100 + turn)]
    return compact(said)
