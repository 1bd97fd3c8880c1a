"""Pings that an operator asks one host for: from every SAN address to every portal of its paths, at one size, do not fragment.

They change nothing on the host. What came back whole proves the way of a larger frame for the other hosts of the same fabric.
"""

from datetime import datetime, timedelta
from typing import Annotated, Literal

import structlog
from pydantic import Field
from sqlalchemy import update
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import visible_host
from plumbline.channels import ChannelError
from plumbline.channels import probes as wire
from plumbline.configurations.read import read_document
from plumbline.core.facts.configuration import Configuration
from plumbline.core.planning.inputs import FrameProof, HostFacts
from plumbline.core.planning.mtu import San, san_pings
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.infra.schemas import Input, Shape
from plumbline.infra.task_queue import ring
from plumbline.models.hosts import FabricLabel, Host
from plumbline.models.remediation import ProbeRun, RemediationEndpoint
from plumbline.remediation.access.runner_client import find_way, over
from plumbline.remediation.failure_domains import domains_of
from plumbline.remediation.transitions import counted, now_of

log = structlog.get_logger()

TASK = "remediation.probe"
# Pings prove a way only as long as nobody had much time to change a switch.
GOOD_FOR = timedelta(hours=24)
# Past this a run that no worker ended is over.
_ABANDONED = timedelta(minutes=5)
_LISTED = 20


class ProbeAsk(Input):
    """The L3 size to ping with: 9000 for jumbo frames as ESXi and most switches count them."""

    size_bytes: Annotated[int, Field(ge=576, le=65_535)]


class ProbePing(Shape):
    """One ping. `source` is what it was bound to (a VMkernel interface, on Windows an address); `outcome` is null until it is known."""

    source: str
    portal: str
    adapter: str
    adapter_name: str
    outcome: Literal["ok", "too_big", "silent", "not_run"] | None


class ProbeRunShape(Shape):
    """One set of pings, and what came of it."""

    id: int
    host_id: str
    size_bytes: int
    asked_by: str
    asked_at: datetime
    state: Literal["waiting", "running", "done", "failed"]
    words: str
    finished_at: datetime | None
    # Until then what came back whole counts as proof for other hosts of the fabric.
    proves_until: datetime | None
    pings: list[ProbePing]


def ask(session: Session, *, actor: Actor, host_id: str, size_bytes: int) -> ProbeRunShape:
    """Notes the pings and rings a worker. Raises `Conflict` where the host cannot be pinged from, or is being pinged from already."""
    host, group = visible_host(session, actor=actor, host_id=host_id)
    require(actor, "host.probe", group.path, missing="no such host")
    if session.get(RemediationEndpoint, host_id) is None:
        raise Conflict("no address and credential for changing this host are on record: an admin adds them on the host's page")
    now = now_of(session)
    session.execute(
        update(ProbeRun)
        .where(col(ProbeRun.host_id) == host_id, col(ProbeRun.state).in_(("waiting", "running")), col(ProbeRun.asked_at) < now - _ABANDONED)
        .values(state="failed", words="no worker ended it in time", finished_at=now)
    )
    session.execute(text("SELECT 1 FROM host WHERE id = :id FOR NO KEY UPDATE"), {"id": host_id})
    if session.exec(select(ProbeRun.id).where(ProbeRun.host_id == host_id, col(ProbeRun.state).in_(("waiting", "running")))).first():
        raise Conflict("pings of this host are under way already: their outcome comes within a minute")
    ways = san_pings(_facts(session, host))
    if not ways:
        raise Conflict("no path of this host tells from which address to which portal it leads, so there is nothing to ping")
    run = ProbeRun(
        host_id=host_id,
        size_bytes=size_bytes,
        asked_by=actor.audit_name,
        asked_at=now,
        words=f"{counted(len(ways), 'ping')} of {size_bytes} bytes asked for",
        pings=[_row(way) for way in ways],
    )
    session.add(run)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.probe_asked",
        object_kind="host",
        object_id=host_id,
        group_id=host.group_id,
        after={"size_bytes": size_bytes, "pings": len(ways)},
    )
    ring(session, TASK, run.id or 0, queue="remediation")
    return _shape(session, [run])[0]


def newest(session: Session, *, actor: Actor, host_id: str) -> list[ProbeRunShape]:
    """The newest runs of a host, the newest first."""
    visible_host(session, actor=actor, host_id=host_id)
    query = select(ProbeRun).where(ProbeRun.host_id == host_id).order_by(col(ProbeRun.id).desc()).limit(_LISTED)
    return _shape(session, list(session.exec(query)))


def carry_out(run_id: int) -> None:
    """Sends the pings of one run. Safe to ring twice: one worker takes it."""
    with session_scope() as session:
        taken = session.execute(
            update(ProbeRun).where(col(ProbeRun.id) == run_id, col(ProbeRun.state) == "waiting").values(state="running")
        )
        if taken.rowcount != 1:  # type: ignore[attr-defined]
            return
        run = session.get_one(ProbeRun, run_id)
        host_id, size, pings = run.host_id, run.size_bytes, list(run.pings)
    pairs = list(dict.fromkeys(wire.Pair(ping["source"], ping["portal"]) for ping in pings))
    try:
        with session_scope() as session:
            way = find_way(session, host_id=host_id)
        outcomes = dict(zip(pairs, over(way, lambda channel: wire.send(channel, size, pairs)), strict=True))
    except (ChannelError, PlumblineError) as error:
        log.warning("pings were not sent", host=host_id, error=error.message)
        _finish(run_id, "failed", error.message, pings)
        return
    told = [{**ping, "outcome": outcomes[wire.Pair(ping["source"], ping["portal"])]} for ping in pings]
    whole = sum(ping["outcome"] == "ok" for ping in told)
    _finish(run_id, "done", f"{whole} of {counted(len(told), 'ping')} of {size} bytes came back whole", told)


def proofs(session: Session) -> dict[tuple[str, str], FrameProof]:
    """For each fabric and portal the largest frame that a host was answered whole, by runs that still count. The newest run of a host and
    size stands; one that failed there takes an older proof of the same host back."""
    rows = session.execute(
        text(
            "SELECT DISTINCT ON (r.host_id, r.size_bytes) r.size_bytes, r.pings, h.name FROM probe_run r JOIN host h ON h.id = r.host_id"
            " WHERE r.state = 'done' AND r.finished_at > clock_timestamp() - make_interval(secs => :seconds)"
            " ORDER BY r.host_id, r.size_bytes, r.id DESC LIMIT 2000"
        ),
        {"seconds": GOOD_FOR.total_seconds()},
    )
    found: dict[tuple[str, str], FrameProof] = {}
    for size, pings, name in rows:
        bad = {(ping["fabric"], ping["to"]) for ping in pings if ping["outcome"] != "ok"}
        for way in {(ping["fabric"], ping["to"]) for ping in pings} - bad:
            if way not in found or found[way].size_bytes < size:
                found[way] = FrameProof(size, name)
    return found


def _facts(session: Session, host: Host) -> HostFacts:
    found = read_document(session, host)
    if found is None:
        raise Conflict(f"{host.name} has not checked in yet: nothing is known of its paths")
    labels = {row.adapter_id: row.fabric for row in session.exec(select(FabricLabel).where(col(FabricLabel.host_id) == host.id))}
    return HostFacts(
        host=host.id,
        name=host.name,
        configuration=found.document.configuration,
        path_map=found.document.path_map,
        chosen=(),
        facts_at="",
        configuration_hash="",
        domains=tuple(domains_of(session, host)),
        fabrics=labels,
    )


def _row(way: San) -> dict[str, str]:
    return {
        "source": way.ping.source,
        "portal": way.ping.portal,
        "to": way.portal,
        "adapter": way.adapter,
        "fabric": way.fabric,
        "outcome": "",
    }


def _finish(run_id: int, state: str, words: str, pings: list[dict[str, str]]) -> None:
    with session_scope() as session:
        session.execute(
            update(ProbeRun)
            .where(col(ProbeRun.id) == run_id, col(ProbeRun.state) == "running")
            .values(state=state, words=words[:1000], pings=pings, finished_at=text("clock_timestamp()"))
        )


def _shape(session: Session, runs: list[ProbeRun]) -> list[ProbeRunShape]:
    host = session.get_one(Host, runs[0].host_id) if runs else None
    found = read_document(session, host) if host is not None else None
    names = _names(found.document.configuration) if found is not None else {}
    return [
        ProbeRunShape(
            **run.model_dump(exclude={"pings"}),
            proves_until=run.finished_at + GOOD_FOR if run.finished_at is not None and run.state == "done" else None,
            pings=[
                ProbePing(
                    source=ping["source"],
                    portal=ping["portal"],
                    adapter=ping["adapter"],
                    adapter_name=names.get(ping["adapter"], ping["adapter"]),
                    outcome=ping["outcome"] or None,
                )
                for ping in run.pings
            ],
        )
        for run in runs
    ]


def _names(configuration: Configuration) -> dict[str, str]:
    return {adapter.id: str(configuration.value(adapter, "name") or adapter.id) for adapter in configuration.subjects("adapter")}
