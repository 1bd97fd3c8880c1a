"""Test pings that an operator requests of one host: from every SAN address to every portal of its paths, at one size, do not fragment.

They change nothing on the host. A ping that is answered proves that the network carries this frame size, also for the other hosts of
its fabric.
"""

from datetime import timedelta

import structlog
from sqlalchemy import update
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.channels import ChannelError
from plumbline.channels import probes as wire
from plumbline.configurations.read import read_document
from plumbline.core.facts.configuration import Configuration
from plumbline.core.planning.inputs import FrameProof, HostFacts
from plumbline.core.planning.mtu import SanPing, san_pings
from plumbline.core.texts import counted
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.infra.task_queue import enqueue
from plumbline.models.controls import ProbeRun, RemediationEndpoint
from plumbline.models.hosts import FabricLabel, Host
from plumbline.remediation.access.runner_client import find_target, with_channel
from plumbline.remediation.access.schemas import ProbePing, ProbeRunOut
from plumbline.remediation.failure_domains import domains_of
from plumbline.remediation.task_names import SEND_PINGS

log = structlog.get_logger()

# Pings prove a path only for a while, since a switch may be changed.
GOOD_FOR = timedelta(hours=24)
# A run that no worker has ended by then has failed.
_ABANDONED = timedelta(minutes=5)
_LISTED = 20


def request_pings(session: Session, *, actor: Actor, host_id: str, size_bytes: int) -> ProbeRunOut:
    """Stores the pings to send and enqueues their task. Raises `Conflict` where the host cannot send any, or is sending some already."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.probe", group.path, missing="Host not found.")
    if session.get(RemediationEndpoint, host_id) is None:
        raise Conflict("Remediation is not set up for this host. An admin adds an address and a credential on the host's page.")
    now = now_of(session)
    session.execute(
        update(ProbeRun)
        .where(col(ProbeRun.host_id) == host_id, col(ProbeRun.state).in_(("waiting", "running")), col(ProbeRun.asked_at) < now - _ABANDONED)
        .values(state="failed", words="Timed out: no worker finished the test.", finished_at=now)
    )
    session.execute(text("SELECT 1 FROM host WHERE id = :id FOR NO KEY UPDATE"), {"id": host_id})
    if session.exec(select(ProbeRun.id).where(ProbeRun.host_id == host_id, col(ProbeRun.state).in_(("waiting", "running")))).first():
        raise Conflict("A test is already running. Results arrive within a minute.")
    paths = san_pings(_facts(session, host))
    if not paths:
        raise Conflict("No path has known addresses, so there is nothing to test.")
    run = ProbeRun(
        host_id=host_id,
        size_bytes=size_bytes,
        asked_by=actor.audit_name,
        asked_at=now,
        words=f"{counted(len(paths), 'ping')} of {size_bytes} bytes requested",
        pings=[_row(path) for path in paths],
    )
    session.add(run)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.probe_asked",
        about=audit.Object("host", host_id, host.group_id),
        after={"size_bytes": size_bytes, "pings": len(paths)},
    )
    enqueue(session, SEND_PINGS, run.id or 0, queue="remediation")
    return _runs_out(session, [run])[0]


def list_runs(session: Session, *, actor: Actor, host_id: str) -> list[ProbeRunOut]:
    """The newest runs of a host, the newest first."""
    host_in_scope(session, actor=actor, host_id=host_id)
    query = select(ProbeRun).where(ProbeRun.host_id == host_id).order_by(col(ProbeRun.id).desc()).limit(_LISTED)
    return _runs_out(session, list(session.exec(query)))


def carry_out(run_id: int) -> None:
    """Sends the pings of one run. Safe to enqueue twice: one worker takes it."""
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
            target = find_target(session, host_id=host_id)
        outcomes = dict(zip(pairs, with_channel(target, lambda channel: wire.send(channel, size, pairs)), strict=True))
    except (ChannelError, PlumblineError) as error:
        log.warning("pings not sent", host=host_id, error=error.message)
        _finish(run_id, "failed", error.message, pings)
        return
    results = [{**ping, "outcome": outcomes[wire.Pair(ping["source"], ping["portal"])]} for ping in pings]
    passed = sum(ping["outcome"] == "ok" for ping in results)
    _finish(run_id, "done", f"{passed} of {counted(len(results), 'ping')} pings of {size} bytes succeeded", results)


def proofs(session: Session) -> dict[tuple[str, str], FrameProof]:
    """For each fabric and portal the largest frame size that passed, by runs that still count.

    Only the newest run of a host and size counts, so a failed one cancels an older proof of the same host.
    """
    rows = session.execute(
        text(
            "SELECT DISTINCT ON (r.host_id, r.size_bytes) r.size_bytes, r.pings, h.name FROM probe_run r JOIN host h ON h.id = r.host_id"
            " WHERE r.state = 'done' AND r.finished_at > clock_timestamp() - make_interval(secs => :seconds)"
            " ORDER BY r.host_id, r.size_bytes, r.id DESC LIMIT 2000"
        ),
        {"seconds": GOOD_FOR.total_seconds()},
    )
    largest: dict[tuple[str, str], FrameProof] = {}
    for size, pings, name in rows:
        bad = {(ping["fabric"], ping["to"]) for ping in pings if ping["outcome"] != "ok"}
        for path in {(ping["fabric"], ping["to"]) for ping in pings} - bad:
            if path not in largest or largest[path].size_bytes < size:
                largest[path] = FrameProof(size, name)
    return largest


def _facts(session: Session, host: Host) -> HostFacts:
    stored = read_document(session, host)
    if stored is None:
        raise Conflict(f"{host.name} has not checked in yet, so its paths are unknown.")
    labels = {row.adapter_id: row.fabric for row in session.exec(select(FabricLabel).where(col(FabricLabel.host_id) == host.id))}
    return HostFacts(
        host=host.id,
        name=host.name,
        configuration=stored.document.configuration,
        path_map=stored.document.path_map,
        chosen=(),
        facts_at="",
        configuration_hash="",
        domains=tuple(domains_of(session, host)),
        fabrics=labels,
    )


def _row(path: SanPing) -> dict[str, str]:
    return {
        "source": path.ping.source,
        "portal": path.ping.portal,
        "to": path.portal,
        "adapter": path.adapter,
        "fabric": path.fabric,
        "outcome": "",
    }


def _finish(run_id: int, state: str, words: str, pings: list[dict[str, str]]) -> None:
    with session_scope() as session:
        session.execute(
            update(ProbeRun)
            .where(col(ProbeRun.id) == run_id, col(ProbeRun.state) == "running")
            .values(state=state, words=words[:1000], pings=pings, finished_at=text("clock_timestamp()"))
        )


def _runs_out(session: Session, runs: list[ProbeRun]) -> list[ProbeRunOut]:
    host = session.get_one(Host, runs[0].host_id) if runs else None
    stored = read_document(session, host) if host is not None else None
    names = _names(stored.document.configuration) if stored is not None else {}
    return [
        ProbeRunOut(
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
