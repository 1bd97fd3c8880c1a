"""Receipts: the proof for an agent that its check-in is stored. A receipt is not stored; it can be computed again at any time."""

import hashlib
import hmac
from typing import NamedTuple

from plumbline.checkin.pending import PendingCheckIn, Response
from plumbline.hosts.agent_keys import KeyRing

_DAY_SECONDS = 86_400


def make_receipt(key: bytes, *, host_id: str, epoch: int, seq: int, digest: bytes) -> str:
    """`HMAC(receipt key, host, epoch, seq, digest)` as lower-case hex; `digest` is the SHA-256 of line 1."""
    message = f"plumbline-receipt-1\0{host_id}\0{epoch}\0{seq}\0".encode() + digest
    return hmac.digest(key, message, hashlib.sha256).hex()


class Receipted(NamedTuple):
    """What a receipt takes from the host's row. `now` is the database's clock under the host's lock, `seen_before` the time of the
    check-in before this one, both in seconds since 1970."""

    now: int
    seen_before: int | None
    interval_seconds: int
    next_generation: int | None
    next_key_id: str


def receipt(check_in: PendingCheckIn, host: Receipted, ring: KeyRing) -> Response:
    """The response 200 with the receipt."""
    headers, digest = check_in.headers, check_in.body.digest
    made = make_receipt(ring.receipt_key, host_id=headers.host_id, epoch=headers.epoch, seq=headers.seq, digest=digest)
    # Nothing of it needs an escape.
    content = f'{{"seq":{headers.seq},"digest":"{digest.hex()}","receipt":"{made}","next_seconds":{host.interval_seconds}'
    later = _wanted_later(check_in, host.now, host.seen_before)
    if later:
        content += f',"want_later":["{later}"]'
    if host.next_generation is not None:
        secret = ring.secret(headers.host_id, host.next_generation, host.next_key_id).hex()
        content += f',"secret":{{"secret":"{secret}","generation":{host.next_generation}}}'
    return Response(200, (content + "}").encode())


def _wanted_later(check_in: PendingCheckIn, now: int, seen_before: int | None) -> str:
    """Once a day the name of one section, in turn: the agent sends its body again. Each host's day starts at another time."""
    if seen_before is None:
        return ""
    phase = int(check_in.headers.host_id[:8], 16) % _DAY_SECONDS
    today = (now + phase) // _DAY_SECONDS
    if (seen_before + phase) // _DAY_SECONDS == today:
        return ""
    sections = sorted(name for name, facts in check_in.body.envelope.sections.items() if facts.status == "ok")
    return sections[today % len(sections)] if sections else ""
