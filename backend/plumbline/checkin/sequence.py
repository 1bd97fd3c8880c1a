"""Where a check-in stands in its host's order: taken, seen before, or refused. Plain comparison, made under the host's lock."""

from dataclasses import dataclass
from typing import Literal

from plumbline.checkin.pending import Arrival
from plumbline.checkin.state import HostState


@dataclass(slots=True, frozen=True)
class Place:
    """The verdict: `new` with what it does to the host's identity, `again` (answer as before), or a refusal."""

    kind: Literal["new", "again", "refused"]
    status: int = 200
    error: str = ""
    alarm: str = ""
    is_first_use: bool = False
    is_raised: bool = False


def place_of(arrival: Arrival, host: HostState, newest_key: str) -> Place:
    """Compares a check-in with its host's row. The signature is good; that the generation may be used is seen here."""
    claim = arrival.claim
    is_first_use = is_raised = False
    if claim.generation == host.next_generation:
        if arrival.key_id != host.next_key_id:
            return _bad_signature()
        is_first_use = True
    elif claim.generation == host.generation:
        if arrival.key_id != host.key_id:
            return _bad_signature()
    elif claim.generation < host.generation or arrival.key_id not in (host.key_id, newest_key):
        return _bad_signature()
    else:
        # Only we can have issued a higher generation: the database was restored from before that.
        is_raised = True
    if host.state in ("retired", "quarantined"):
        return Place("refused", 403, f"this host is {host.state}")
    if claim.epoch < host.epoch or (claim.epoch > host.epoch and not is_raised):
        return Place("refused", 409, "another epoch is in force: enrol the host again")
    if claim.epoch == host.epoch and claim.seq <= host.last_seq:
        known = host.remembered(claim.seq)
        if known == arrival.body.digest[:16]:
            return Place("again", is_first_use=is_first_use)
        alarm = "" if known is None else f"two check-ins with number {claim.seq}: a copy of this host may be running"
        return Place("refused", 409, "this number was used before", alarm=alarm)
    return Place("new", is_first_use=is_first_use, is_raised=is_raised)


def _bad_signature() -> Place:
    return Place("refused", 401, "bad signature")


def follow_boots(boots: tuple[str, ...], boot: str) -> tuple[tuple[str, ...], str]:
    """The last three boot names with this one, and an alarm where they run A, B, A: two machines take turns."""
    if boots and boots[-1] == boot:
        return boots, ""
    following = (*boots, boot)[-3:]
    if len(following) == 3 and following[0] == following[2]:
        return following, "boot names alternate: a copy of this host may be running"
    return following, ""
