"""M5: how many check-ins one, two and three API nodes take through the proxies, and what each costs."""

import asyncio
import ssl
import time
from collections import Counter
from dataclasses import dataclass, field

from faults.agents import enrolled
from faults.machines.breaking import Rig
from faults.rig import FaultResult
from faults.sending import PATH, Sender, compact
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope

_CONNECTIONS = 32
_HOSTS = 64


@dataclass
class _Taken:
    """One measurement: check-ins that were acknowledged, others, and the time they took."""

    good: int = 0
    # Answers that an agent would try again, by their first line.
    other: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    # Connections that the proxy ended; the check-in went out once more on another one.
    reopened: int = 0


def measure(rig: Rig, *, is_short: bool) -> FaultResult:
    """Heartbeats, signed before the clock starts, over kept TLS connections. API nodes beyond the wanted number are switched off."""
    result = FaultResult()
    rig.traffic.stop()
    each = 10 if is_short else 60
    senders = _senders(rig)
    nodes = rig.installation.of("api")
    for count in (3, 2, 1):
        for node in nodes[count:]:
            if node.is_on:
                node.kill()
        time.sleep(5)
        wires = [[_wire(sender) for _ in range(each)] for sender in senders]
        before = _cpu(rig)
        taken = asyncio.run(_send(wires))
        used = {name: seconds - before.get(name, 0.0) for name, seconds in _cpu(rig).items()}
        total = max(1, taken.good)
        cost = ", ".join(f"{name} {1000 * seconds / total:.2f}" for name, seconds in used.items())
        result.faults[f"{count} API nodes"] += 1
        rate = f"{count} nodes: {taken.good / taken.seconds:.0f} check-ins/s"
        result.notes.append(f"{rate} with no limit on admission; CPU ms for one: {cost}; {taken.reopened} connections opened again")
        if taken.other:
            result.wrong.append(f"{count} nodes: not taken at once: {dict(taken.other)}")
    for node in nodes:
        if not node.is_on:
            node.start()
    return result


def _senders(rig: Rig) -> list[Sender]:
    with session_scope() as session:
        token = make_token(session, TokenTerms(name="throughput", group_id=1, is_auto_approved=True, uses=10_000)).token
    body = compact({"Win32_ComputerSystem": {"status": "ok", "rows": [{"Name": "even"}]}})
    with rig.traffic.client() as client:
        senders = [enrolled(client, token, f"even-{number}", sections={"system": body}) for number in range(_HOSTS)]
        for sender in senders:
            if sender.send(client).status_code != 200:
                raise RuntimeError("a host could not check in")
    return senders


def _wire(sender: Sender) -> bytes:
    sender.seq += 1
    headers, wire = sender.request(sender.body())
    lines = [f"POST {PATH} HTTP/1.1", "Host: plumbline.example", f"Content-Length: {len(wire)}"]
    return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers.items())]).encode() + b"\r\n\r\n" + wire


def _cpu(rig: Rig) -> dict[str, float]:
    """Processor seconds so far, by kind of machine."""
    return {kind: sum(machine.cpu_seconds() for machine in rig.installation.of(kind) if machine.is_on) for kind in ("proxy", "api", "db")}


async def _send(wires: list[list[bytes]]) -> _Taken:
    """Each host's check-ins in order, as many hosts at a time as there are connections."""
    taken, trust = _Taken(), ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    waiting = list(wires)

    async def connection() -> None:
        reader, writer = await asyncio.open_connection("plumbline.example", 443, ssl=trust)
        while waiting:
            for wire in waiting.pop():
                writer.write(wire)
                try:
                    head = (await reader.readuntil(b"\r\n\r\n")).lower()
                except (asyncio.IncompleteReadError, ConnectionError):
                    # The proxy ended a connection that was kept open. As an agent does: once more, the same check-in, on another one.
                    taken.reopened += 1
                    writer.close()
                    reader, writer = await asyncio.open_connection("plumbline.example", 443, ssl=trust)
                    writer.write(wire)
                    head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or b"0")
                await reader.readexactly(length)
                if head.startswith(b"http/1.1 200"):
                    taken.good += 1
                else:
                    taken.other[head.partition(b"\r\n")[0].decode()] += 1
        writer.close()

    began = time.monotonic()
    await asyncio.gather(*(connection() for _ in range(_CONNECTIONS)))
    taken.seconds = time.monotonic() - began
    return taken
