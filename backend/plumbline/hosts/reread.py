"""A host whose newest bodies have to be read again, because what stands beside them changed: noted in its own row.

`checkin` reads bodies and stands above: it is asked by name. The bell is for haste alone; where it was not heard, a schedule finds the
note, which is gone once the bodies were read.
"""

from collections.abc import Mapping

from sqlmodel import Session

from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import Host

# Beside what people set, as the state of the host's clock is; no rule reads it.
ADDRESS = "host//reread"
TASK = "checkin.reread"


def ask(session: Session, host: Host) -> None:
    """Notes that the host's bodies are to be read again, and rings for it. The host is locked, and the caller raises `state_version`."""
    host.overrides = {**host.overrides, ADDRESS: "asked"}
    session.add(host)
    session.flush()
    enqueue(session, TASK, host.id)


def without(overrides: Mapping[str, str]) -> dict[str, str]:
    """What people set, without the note."""
    return {address: value for address, value in overrides.items() if address != ADDRESS}
