"""Receipts: what an agent holds to know that its check-in is stored. Nothing is kept for one; it can be computed again at any time."""

import hashlib
import hmac

from plumbline.checkin.pending import Arrival
from plumbline.checkin.state import HostState
from plumbline.hosts.agent_keys import KeyRing

_DAY_SECONDS = 86_400


def make_receipt(key: bytes, *, host_id: str, epoch: int, seq: int, digest: bytes) -> str:
    """`HMAC(receipt key, host, epoch, seq, digest)` as lower-case hex; `digest` is the SHA-256 of line 1."""
    message = f"plumbline-receipt-1\0{host_id}\0{epoch}\0{seq}\0".encode() + digest
    return hmac.digest(key, message, hashlib.sha256).hex()


def receipt(arrival: Arrival, host: HostState, ring: KeyRing, *, now: int, seen_before: int | None) -> bytes:
    """The JSON of a 200. `now` is the database's clock under the host's lock, `seen_before` the time of the check-in before this one,
    both in seconds since 1970."""
    claim, digest = arrival.claim, arrival.body.digest
    made = make_receipt(ring.receipt_key, host_id=claim.host_id, epoch=claim.epoch, seq=claim.seq, digest=digest)
    # Nothing of it needs an escape.
    said = f'{{"seq":{claim.seq},"digest":"{digest.hex()}","receipt":"{made}","next_seconds":{host.interval_seconds}'
    later = _wanted_later(arrival, now, seen_before)
    if later:
        said += f',"want_later":["{later}"]'
    if host.next_generation is not None:
        secret = ring.secret(host.id, host.next_generation, host.next_key_id).hex()
        said += f',"secret":{{"secret":"{secret}","generation":{host.next_generation}}}'
    return (said + "}").encode()


def _wanted_later(arrival: Arrival, now: int, seen_before: int | None) -> str:
    """Once a day the name of one section, in rotation. A host's day begins at a time of its own, so that not all are asked together."""
    if seen_before is None:
        return ""
    phase = int(arrival.claim.host_id[:8], 16) % _DAY_SECONDS
    today = (now + phase) // _DAY_SECONDS
    if (seen_before + phase) // _DAY_SECONDS == today:
        return ""
    sections = sorted(name for name, facts in arrival.body.envelope.sections.items() if facts.status == "ok")
    return sections[today % len(sections)] if sections else ""
