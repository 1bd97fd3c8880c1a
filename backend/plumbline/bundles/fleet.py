"""Which host of the fleet a host of a bundle is, as far as its name and the MAC addresses of its adapters say."""

from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.bundles.schemas import FleetHost
from plumbline.configurations.read import read_documents
from plumbline.core.facts.bundles.kept import KeptHost
from plumbline.core.facts.same_host import Likeness, adapter_macs, likely_same
from plumbline.models.columns import columns_of
from plumbline.models.counters import CounterSeries
from plumbline.models.hosts import HOST, HOST_GROUP, HostGroup

# The configurations of so many are read.
_MOST = 8
_SERIES = columns_of(CounterSeries)
_ORDER: dict[Likeness, int] = {"same": 0, "unsure": 1, "other": 2}


def find_in_fleet(session: Session, *, actor: Actor, name: str, kept: KeptHost) -> list[FleetHost]:
    """The hosts of the person's scope that this one may be, the likeliest first. Three queries, whatever the size of the fleet."""
    configuration = kept.document.configuration
    short = name.casefold().partition(".")[0]
    macs = [f"adapter/{mac}" for mac in adapter_macs(configuration)]
    with_adapter: list[str] = list(session.scalars(select(_SERIES.host_id).where(_SERIES.subject.in_(macs)).distinct().limit(_MOST)))
    found: Any = session.execute(
        select(HOST.id, HOST.name, HOST.source, HOST.last_seen_at)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(
            or_(func.split_part(func.lower(HOST.name), ".", 1) == short, HOST.id.in_(with_adapter)),
            HOST.platform == configuration.platform,
            HOST.state.in_(KNOWN_STATES),
            in_scope(actor),
        )
        .order_by(func.lower(HOST.name) != name.casefold(), HOST.name, HOST.id)
        .limit(_MOST)
    ).all()
    documents = read_documents(session, [row.id for row in found])
    hosts: list[FleetHost] = []
    for row in found:
        document = documents.get(row.id)
        likely = likely_same(configuration, name, document.configuration if document else None, row.name)
        if likely.is_candidate:
            hosts.append(
                FleetHost(
                    id=row.id,
                    name=row.name,
                    source=row.source,
                    last_seen_at=row.last_seen_at,
                    likeness=likely.likeness,
                    identity=likely.words,
                )
            )
    return sorted(hosts, key=lambda host: _ORDER[host.likeness])
