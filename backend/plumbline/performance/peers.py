"""What the peers of a host show at the same time: the mean of the same counter over its cluster, or else over its group."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.configurations.read import read_documents
from plumbline.core.facts.document import Document
from plumbline.core.facts.storage_adapters import storage_adapters
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.performance.grid import Grid, Gridded, mean_of
from plumbline.performance.lines import Span, read_on_grid, read_series
from plumbline.performance.metrics import Series

# Peers that are read, of all hosts in the charts together.
MOST_PEERS = 40


def read_peers(
    session: Session, *, actor: Actor, series: Sequence[Series], hosts: Mapping[str, Host], documents: Mapping[str, Document], grid: Grid,
    span: Span, now: datetime,
) -> list[tuple[Gridded | None, str]]:  # fmt: skip
    """For each series the mean over its peers and what they are in words; None without peers that count it. Five queries."""
    clusters = {host.cluster for host in hosts.values() if host.cluster}
    groups = {host.group_id for host in hosts.values() if not host.cluster}
    rows = session.execute(
        select(HOST.id, HOST.cluster, HOST.group_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(
            or_(HOST.cluster.in_(clusters), (HOST.cluster == "") & HOST.group_id.in_(groups)),
            HOST.state.in_(KNOWN_STATES),
            in_scope(actor),
        )
        .order_by(HOST.id)
        .limit(MOST_PEERS + len(hosts))
    ).all()
    others = [row.id for row in rows if row.id not in hosts]
    known = read_series(session, [row.id for row in rows])
    all_documents = {**documents, **read_documents(session, others)}
    of_series = [_alike(each, hosts[each.host_id], rows, known, all_documents) for each in series]
    wanted = list(dict.fromkeys(one for alike in of_series for one in alike))
    read = read_on_grid(session, wanted, grid, span, now=now) if wanted else {}
    found = []
    for each, alike in zip(series, of_series, strict=True):
        count = len({one.host_id for one in alike})
        host = hosts[each.host_id]
        words = f"mean of {count} {'peer' if count == 1 else 'peers'}" + (f" in {host.cluster}" if host.cluster else " in the group")
        found.append((mean_of([read[one.host_id, one.id] for one in alike]), words))
    return found


def _alike(
    series: Series, host: Host, rows: Sequence[object], known: Mapping[str, Mapping[str, Series]], documents: Mapping[str, Document]
) -> list[Series]:
    """The same counter of the peers; of an adapter with a SAN role, that of their SAN adapters."""
    kind = series.subject.partition("/")[0]
    is_san = kind == "adapter" and series.subject in _san(documents.get(host.id))
    found = []
    for row in rows:
        is_peer = row.cluster == host.cluster if host.cluster else row.group_id == host.group_id and not row.cluster  # type: ignore[attr-defined]
        if not is_peer or row.id == host.id:  # type: ignore[attr-defined]
            continue
        own = _san(documents.get(row.id)) if is_san else frozenset()  # type: ignore[attr-defined]
        for one in known.get(row.id, {}).values():  # type: ignore[attr-defined]
            if one.name == series.name and one.subject.partition("/")[0] == kind and (not is_san or one.subject in own):
                found.append(one)
    return found


def _san(document: Document | None) -> frozenset[str]:
    if document is None:
        return frozenset()
    return frozenset(f"adapter/{each.id}" for each in storage_adapters(document.configuration))
