"""A host of a support bundle, stored as if it had checked in once: the same transaction, the same readers, the same evaluation."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import Session

from plumbline.checkin.envelope import CheckInBody, read_body
from plumbline.checkin.errors import Refused
from plumbline.checkin.headers import CheckInHeaders
from plumbline.checkin.pending import PendingCheckIn
from plumbline.checkin.store import Store
from plumbline.core.facts.configuration import SectionReading
from plumbline.evaluation.peers import DomainMemory
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.infra.clock import iso
from plumbline.infra.errors import BadInput
from plumbline.models.hosts import Host

# In place of the name of a boot, of which a bundle knows nothing that compares with an agent's.
_BOOT = "bundle"


def store_bundle(
    session: Session, host: Host, sections: Mapping[str, SectionReading], *, agent_version: str, captured_at: datetime
) -> None:
    """Stores these sections as the host's newest and evaluates it, in the caller's transaction. The host was last seen when its bundle was
    collected. Raises `BadInput` where a section is not what an agent could have sent.
    """
    session.flush()
    try:
        body = _body(host.platform, sections, agent_version, captured_at)
    except Refused as refused:
        raise BadInput(f"its bundle cannot be stored: {refused}") from None
    check_in = PendingCheckIn(_headers(host), host.key_id, body)
    [(_, response)] = Store(domains=DomainMemory()).store(raw_connection(session), [check_in], owns_transaction=False)
    session.expire(host)
    if response.status != 200:
        raise BadInput(f"its bundle cannot be stored: {msgspec.json.decode(response.content()).get('error', response.status)}")
    host.last_seen_at = captured_at
    session.add(host)
    session.flush()


def _headers(host: Host) -> CheckInHeaders:
    """Those of the host's next check-in. The signature was of no use: nothing came over the network."""
    return CheckInHeaders(
        host_id=host.id,
        epoch=host.epoch,
        seq=host.last_seq + 1,
        id=secrets.token_hex(16),
        generation=host.generation,
        # No clock of the host to compare with ours.
        sent_at="",
        encoding="identity",
        signature=b"",
        content_length=None,
    )


def _body(platform: str, sections: Mapping[str, SectionReading], agent_version: str, captured_at: datetime) -> CheckInBody:
    """The check-in as an agent would have written it. Raises `Refused`."""
    told: dict[str, dict[str, Any]] = {}
    bodies: dict[str, bytes] = {}
    for name, reading in sections.items():
        if reading.status == "ok":
            # An agent writes a body in one line.
            line = msgspec.json.encode(msgspec.json.decode(reading.body))
            told[name] = {"status": "ok", "sha256": hashlib.sha256(line).hexdigest()}
            bodies[name] = line
        else:
            told[name] = {"status": reading.status, "error": reading.error}
    envelope = {
        "v": 1,
        "boot": _BOOT,
        "made_at": iso(captured_at),
        "agent": {"platform": platform, "version": agent_version},
        "sections": told,
    }
    return read_body(b"\n".join([msgspec.json.encode(envelope), *dict.fromkeys(bodies.values())]) + b"\n")
