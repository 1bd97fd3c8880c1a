"""Locking host rows, in the one order that every writer of a host uses."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from plumbline.infra.errors import NotFound
from plumbline.models.hosts import Host


class HostNotFound(NotFound):
    """No such host, or not in the asking person's scope."""

    code = "host_not_found"


def lock_hosts(session: Session, host_ids: Sequence[str]) -> list[Host]:
    """The rows of these hosts, locked in the one order that every writer uses, and read again once the locks are held."""
    query = select(Host).where(col(Host.id).in_(list(host_ids))).order_by(col(Host.id)).with_for_update(key_share=True)
    return list(session.exec(query.execution_options(populate_existing=True)))


def lock_host(session: Session, host_id: str) -> Host:
    """One host's row, locked. Raises `HostNotFound`."""
    found = lock_hosts(session, [host_id])
    if not found:
        raise HostNotFound("Host not found.")
    return found[0]
