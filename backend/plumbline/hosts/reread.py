"""Requests that a host's newest section bodies are read again, because something that people entered about the host changed.

The request is stored in the host's row. `checkin`, which reads bodies, is in a higher layer and is therefore started by the task's name.
The task message only saves time: without it, a schedule finds the row. The request is removed once the bodies were read.
"""

from collections.abc import Mapping

from sqlmodel import Session

from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import Host

# Stored among the overrides that people set, as the state of the host's clock is. No rule reads it.
ADDRESS = "host//reread"
TASK = "checkin.reread"


def request_reread(session: Session, host: Host) -> None:
    """Stores the request and enqueues the task. The caller holds the host's lock and raises `state_version`."""
    host.overrides = {**host.overrides, ADDRESS: "asked"}
    session.add(host)
    session.flush()
    enqueue(session, TASK, host.id)


def without_request(overrides: Mapping[str, str]) -> dict[str, str]:
    """The overrides that people set, without the request."""
    return {address: value for address, value in overrides.items() if address != ADDRESS}
