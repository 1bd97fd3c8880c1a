"""`plumbline collect HOST`: one collection in the foreground, by whoever holds the vault key."""

from sqlmodel import Session, col, select

from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, NotFound, PlumblineError
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host


class CollectionFailed(PlumblineError):
    """The host could not be read; the message says why."""

    code = "collection_failed"


def collect_by_hand(name_or_id: str) -> str:
    """Reads a host now; answers one sentence. Raises `NotFound`, `Conflict` (another process reads it), `CollectionFailed`."""
    with session_scope() as session:
        host = _find(session, name_or_id)
    done = collect(host.id)
    if done is None:
        raise Conflict(f"{host.name} is being read by a worker already")
    if done.error:
        raise CollectionFailed(f"{host.name} was not read: {done.error}")
    return f"{host.name} is read: check-in {done.seq}, receipt {done.receipt[:16]}."


def _find(session: Session, name_or_id: str) -> Host:
    found = session.exec(
        select(Host)
        .join(CollectionEndpoint, col(CollectionEndpoint.host_id) == col(Host.id))
        .where((col(Host.id) == name_or_id) | (col(Host.name) == name_or_id), col(Host.source) == "collector", col(Host.state) != "retired")
    ).all()
    if not found:
        raise NotFound(f"Plumbline reads no host called {name_or_id!r}: add it under Admin, Collection")
    if len(found) > 1:
        raise Conflict(
            f"{len(found)} hosts are called {name_or_id!r}: give the id instead ({', '.join(sorted(host.id for host in found))})"
        )
    return found[0]
