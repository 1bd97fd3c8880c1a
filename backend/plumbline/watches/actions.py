"""Starting and stopping a watch."""

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict
from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import HostState
from plumbline.models.watches import HostWatch
from plumbline.watches.access import NoWayToWatch, why_not
from plumbline.watches.schemas import WatchOut
from plumbline.watches.scope import watch_in_scope, watch_out


class AlreadyWatched(Conflict):
    """A watch of the host is not over yet."""

    code = "already_watched"


def request_watch(session: Session, *, actor: Actor, host_id: str, minutes: int) -> WatchOut:
    """Requests a watch of a host. Raises `NotFound`, `NotAllowed`, `NoWayToWatch`, `AlreadyWatched`, `Conflict`."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.watch", group.path, missing="Host not found.")
    if host.state not in (HostState.ACTIVE, HostState.WAITING):
        raise Conflict(f"The host is {host.state} and can't be watched.")
    if reason := why_not(session, host.id):
        raise NoWayToWatch(reason)
    watch = HostWatch(host_id=host.id, requested_by=actor.audit_name, seconds=minutes * 60)
    try:
        with session.begin_nested():
            session.add(watch)
            session.flush()
    except IntegrityError:
        raise AlreadyWatched("This host is being watched already. Stop that watch first, or wait for its end.") from None
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.watch_requested",
        about=audit.Object("host", host.id, host.group_id),
        after={"minutes": minutes},
    )
    enqueue(session, "watches.start", watch.id or 0, queue="collection")
    return watch_out(watch, host)


def stop_watch(session: Session, *, actor: Actor, watch_id: int) -> WatchOut:
    """Stops a watch; nothing where it is over. Raises `NotFound`, `NotAllowed`."""
    watch, host, group = watch_in_scope(session, actor=actor, watch_id=watch_id, is_locked=True)
    require(actor, "host.watch", group.path, missing="Watch not found.")
    if watch.ended_at is None:
        watch.ended_at, watch.end_words = now_of(session), f"Stopped by {audit.person_name(actor.audit_name)}."
        session.add(watch)
        session.flush()
        audit.record(session, actor=actor.audit_name, action="host.watch_stopped", about=audit.Object("host", host.id, host.group_id))
    return watch_out(watch, host)
