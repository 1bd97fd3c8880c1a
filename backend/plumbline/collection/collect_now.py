"""`plumbline collect HOST`: one collection in the foreground, in a process that can read the vault key."""

from sqlmodel import Session, col, select

from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, NotFound, PlumblineError
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host


class CollectionFailed(PlumblineError):
    """The host could not be read, for the reason in the message."""

    code = "collection_failed"


def collect_by_hand(name_or_id: str) -> str:
    """Reads a host now and returns one sentence about it. Raises `NotFound`, `Conflict` (another process reads it), `CollectionFailed`."""
    with session_scope() as session:
        host = _find(session, name_or_id)
    result = collect(host.id)
    if result is None:
        raise Conflict(f"{host.name} is being read by a worker already")
    if result.error:
        raise CollectionFailed(f"{host.name} was not read: {result.error}")
    return f"{host.name} is read: check-in {result.seq}, receipt {result.receipt[:16]}."


def _find(session: Session, name_or_id: str) -> Host:
    hosts = session.exec(
        select(Host)
        .join(CollectionEndpoint, col(CollectionEndpoint.host_id) == col(Host.id))
        .where((col(Host.id) == name_or_id) | (col(Host.name) == name_or_id), col(Host.source) == "collector", col(Host.state) != "retired")
    ).all()
    if not hosts:
        raise NotFound(f"Plumbline reads no host called {name_or_id!r}: add it under Admin, Collection")
    if len(hosts) > 1:
        raise Conflict(
            f"{len(hosts)} hosts are called {name_or_id!r}: give the id instead ({', '.join(sorted(host.id for host in hosts))})"
        )
    return hosts[0]
