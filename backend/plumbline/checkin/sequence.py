"""The order of a host's check-ins: whether one is new, repeated or refused. Plain comparisons, made under the host's lock."""

from typing import Literal, NamedTuple

from plumbline.checkin.pending import PendingCheckIn
from plumbline.checkin.statements import LEAP, HostRow

ENTRY_BYTES = 24


class Classification(NamedTuple):
    """`new` with its effect on the host's secret, `repeated` (same receipt as before), or `refused`."""

    kind: Literal["new", "repeated", "refused"]
    status: int = 200
    error: str = ""
    alarm: str = ""
    place: str = ""
    is_first_use: bool = False
    is_raised: bool = False


def classify(check_in: PendingCheckIn, host: HostRow, newest_key: str) -> Classification:
    """Compares a check-in with its host's row. Its signature is good; whether its key and generation may be used is checked here."""
    headers = check_in.headers
    is_first_use = is_raised = False
    if headers.generation == host.next_generation:
        if check_in.key_id != host.next_key_id:
            return _bad_signature()
        is_first_use = True
    elif headers.generation == host.generation:
        if check_in.key_id != host.key_id:
            return _bad_signature()
    elif headers.generation < host.generation or check_in.key_id not in (host.key_id, newest_key):
        return _bad_signature()
    else:
        # Only Plumbline issues generations, so the database was restored from a backup older than this one.
        is_raised = True
    if host.state in ("retired", "quarantined"):
        return Classification("refused", 403, f"this host is {host.state}")
    if check_in.body.envelope.agent.platform != host.platform:
        return Classification("refused", 422, f"this host is enrolled as {host.platform}", place="line 1, $.agent.platform")
    if headers.epoch < host.epoch or (headers.epoch > host.epoch and not is_raised):
        return Classification("refused", 409, "host was re-enrolled: enrol this agent again")
    if headers.epoch == host.epoch and headers.seq <= host.last_seq:
        known = digest_under(host.recent_seqs, headers.seq)
        if known == check_in.body.digest[:16]:
            return Classification("repeated", is_first_use=is_first_use)
        alarm = "" if known is None else f"Two check-ins share number {headers.seq}. A clone of this host may be running."
        return Classification("refused", 409, "check-in number already used", alarm=alarm)
    return Classification("new", is_first_use=is_first_use, is_raised=is_raised)


def _bad_signature() -> Classification:
    return Classification("refused", 401, "bad signature")


def digest_under(recent: bytes, seq: int) -> bytes | None:
    """The first 16 bytes of the digest accepted under this number, where it is among the last 32."""
    wanted = seq.to_bytes(8, "big")
    for at in range(0, len(recent), ENTRY_BYTES):
        if recent[at : at + 8] == wanted:
            return recent[at + 8 : at + ENTRY_BYTES]
    return None


def recent_entry(seq: int, digest: bytes) -> bytes:
    """One entry of `host.recent_seqs`: 8 bytes number, the first 16 of the digest."""
    return seq.to_bytes(8, "big") + digest[:16]


def leap(seq: int, last_seq: int) -> str:
    """An alarm where a host's number leaps; `last_seq` is 0 before its first check-in."""
    if not last_seq or seq - last_seq <= LEAP:
        return ""
    return f"its check-ins leapt from number {last_seq} to {seq}: another program may have its secret"


def next_boots(boots: list[str], boot: str) -> tuple[list[str], str]:
    """The last three boot names including this one, and an alarm where they are A, B, A: two machines send in turns."""
    if boots and boots[-1] == boot:
        return boots, ""
    following = [*boots, boot][-3:]
    if len(following) == 3 and following[0] == following[2]:
        return following, "Check-ins alternate between two boots. A clone of this host may be running."
    return following, ""
