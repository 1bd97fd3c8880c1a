"""A watch that a person may see, and how the API shows it."""

from datetime import timedelta

from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.scope import host_in_scope
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.host_locks import HostNotFound
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.watches import HostWatch
from plumbline.watches.schemas import WatchOut


class WatchNotFound(NotFound):
    """No such watch for this person."""

    code = "watch_not_found"


def watch_in_scope(session: Session, *, actor: Actor, watch_id: int, is_locked: bool = False) -> tuple[HostWatch, Host, HostGroup]:
    """A watch with its host and the host's group. Raises `WatchNotFound`, also where the host is outside this person's scope."""
    watch = session.get(HostWatch, watch_id, with_for_update=is_locked or None)
    if watch is None:
        raise WatchNotFound("Watch not found.")
    try:
        host, group = host_in_scope(session, actor=actor, host_id=watch.host_id)
    except HostNotFound:
        raise WatchNotFound("Watch not found.") from None
    return watch, host, group


def watch_out(watch: HostWatch, host: Host) -> WatchOut:
    """A watch as the API shows it."""
    state = "ended" if watch.ended_at is not None else "running" if watch.readings else "waiting"
    return WatchOut(
        **watch.model_dump(
            include={"id", "job_id", "requested_at", "seconds", "started_at", "ended_at", "end_words", "readings", "last_at"}
        ),
        host=NamedHost(id=host.id, name=host.name),
        state=state,
        requested_by=audit.person_name(watch.requested_by),
        until=watch.started_at + timedelta(seconds=watch.seconds) if watch.started_at else None,
    )
