"""The charts of one or more hosts: at most eight series on common steps, with what they are compared with, marks and reference figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from sqlalchemy import select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.configurations.read import Labels, read_documents
from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.document import Document
from plumbline.core.facts.storage_adapters import storage_adapters
from plumbline.infra.errors import BadInput, NotFound
from plumbline.models.host_locks import HostNotFound
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.performance.grid import Grid, Gridded, grid_for
from plumbline.performance.lines import Span, read_on_grid, read_series
from plumbline.performance.marks import read_marks
from plumbline.performance.metrics import REFERENCES, WORDS, Series, not_given
from plumbline.performance.peers import read_peers
from plumbline.performance.rates import Floats
from plumbline.performance.schemas import (
    ChartComparison,
    ChartHost,
    ChartLine,
    ChartReference,
    Charts,
    SeriesChoice,
    Statistics,
)

MOST_SERIES = 8
MOST_HOSTS = 20
LONGEST_DAYS = 731
_WEEK = 7 * 86_400


class BadRange(BadInput):
    """The range ends before it begins, is too long or is not a time."""

    code = "bad_range"


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """What is requested. `series` are "<host>~<subject>:<name>"; without any, the usual ones of the hosts.

    `compare`: "", "week", "peers" or "job:<number>".
    """

    hosts: Sequence[str] = ()
    series: Sequence[str] = ()
    hours: int = 48
    since: datetime | None = None
    until: datetime | None = None
    compare: str = ""


def read_charts(session: Session, *, actor: Actor, request: ChartRequest) -> Charts:
    """The charts. The number of queries is fixed: eight, and up to five more for a comparison. Raises `HostNotFound` where none of the
    hosts is in the actor's scope, `BadRange`, and `NotFound` for a job that is not of these hosts."""
    picked = [each.partition("~") for each in dict.fromkeys(request.series)]
    ids = list(dict.fromkeys([*request.hosts, *(host for host, _, _ in picked)]))[:MOST_HOSTS]
    if not ids:
        raise BadInput("Name at least one host, as 'host' or as part of 'series'.")
    found = session.execute(
        select(Host, HOST_GROUP.name).join(HostGroup, HOST_GROUP.id == HOST.group_id).where(HOST.id.in_(ids), in_scope(actor))
    ).all()
    if not found:
        raise HostNotFound("Host not found.")
    rows = sorted(found, key=lambda row: ids.index(row[0].id))
    hosts = {host.id: host for host, _ in rows}
    now: datetime = session.execute(text("SELECT now()")).scalar_one().astimezone(UTC)
    since, until = _range(request, now)
    span = Span(since, until, max(host.interval_seconds for host in hosts.values()))
    grid = grid_for(_ms(since), _ms(until), min(host.interval_seconds for host in hosts.values()))
    documents = read_documents(session, hosts)
    read = read_series(session, hosts)
    known = {host_id: read.get(host_id, {}) for host_id in hosts}
    labels = {host_id: Labels.of(documents.get(host_id)) for host_id in hosts}
    wanted = [known[host][series] for host, _, series in picked if series in known.get(host, {})][:MOST_SERIES]
    series = wanted or usual_series(known, documents)
    gridded = read_on_grid(session, series, grid, span, now=now)
    is_downsampled = grid.step_seconds > 1.5 * span.reading_seconds
    several = len({each.host_id for each in series}) > 1
    lines = [
        chart_line(each, gridded[each.host_id, each.id], hosts[each.host_id].name, labels[each.host_id], several, is_downsampled)
        for each in series
    ]
    comparison = _comparison(session, actor, request, series, lines, grid, span, hosts, documents, now)
    names = {each.name for each in series}
    return Charts(
        from_=since,
        to=until,
        starts_at=datetime.fromtimestamp(grid.start_ms / 1000, UTC),
        step_seconds=grid.step_seconds,
        reading_seconds=span.reading_seconds,
        is_downsampled=is_downsampled,
        hosts=[chart_host(host, group, known.get(host.id, {}), labels[host.id]) for host, group in rows],
        series=lines,
        comparison=comparison,
        references=chart_references(series, names, hosts, documents, labels),
        marks=read_marks(session, hosts={host.id: host.name for host in hosts.values()}, since=since, until=until),
    )


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _range(request: ChartRequest, now: datetime) -> tuple[datetime, datetime]:
    if request.since is None and request.until is None:
        return now - timedelta(hours=request.hours), now
    since = (request.since or now - timedelta(hours=request.hours)).astimezone(UTC)
    until = (request.until or now).astimezone(UTC)
    if since >= until:
        raise BadRange("The range ends before it begins. Set 'to' to a later time than 'from'.")
    if until - since > timedelta(days=LONGEST_DAYS):
        raise BadRange(f"The range is longer than {LONGEST_DAYS} days. Set a later 'from'.")
    return since, until


def usual_series(known: Mapping[str, Mapping[str, Series]], documents: Mapping[str, Document]) -> list[Series]:
    """Retransmits of each host, then the throughput of its SAN adapters; where there are neither, its first counters."""
    retransmits = [series["host/:tcp_retransmit_percent"] for series in known.values() if "host/:tcp_retransmit_percent" in series]
    adapters = [
        known[host_id][key]
        for host_id in known
        for adapter in san_adapters(documents.get(host_id))
        for name in ("bytes_received", "bytes_sent")
        if (key := f"{adapter}:{name}") in known[host_id]
    ]
    usual = [*retransmits, *adapters][:MOST_SERIES]
    return usual or [one for series in known.values() for one in list(series.values())[:2]][:MOST_SERIES]


def san_adapters(document: Document | None) -> list[str]:
    """The SAN adapters of a host as subjects of counters."""
    if document is None:
        return []
    return [f"adapter/{each.id}" for each in storage_adapters(document.configuration)]


def chart_host(host: Host, group: str, series: Mapping[str, Series], labels: Labels) -> ChartHost:
    choices = sorted((_choice(each, labels) for each in series.values()), key=lambda each: (each.label, each.name))
    return ChartHost(
        id=host.id,
        name=host.name,
        platform=host.platform,
        cluster=host.cluster,
        group_name=group,
        choices=choices,
        not_given=not_given(host.platform, {each.name for each in series.values()}) if series else [],
    )


def _choice(series: Series, labels: Labels) -> SeriesChoice:
    kind, _, subject_id = series.subject.partition("/")
    words, unit = WORDS.get(series.name, (series.name.replace("_", " "), ""))
    where = "" if kind == "host" else labels.of_subject(Subject(kind, subject_id))
    return SeriesChoice(id=series.id, label=f"{where} {words}".strip(), name=series.name, unit=unit)


def chart_line(series: Series, found: Gridded, host: str, labels: Labels, several: bool, is_downsampled: bool) -> ChartLine:
    choice = _choice(series, labels)
    return ChartLine(
        id=f"{series.host_id}~{series.id}",
        host_id=series.host_id,
        host_name=host,
        subject=series.subject,
        label=f"{host} {choice.label}" if several else choice.label,
        name=series.name,
        unit=choice.unit,
        values=_figures(found.means),
        lows=_figures(found.lows) if is_downsampled else None,
        highs=_figures(found.highs) if is_downsampled else None,
        statistics=_statistics(found),
    )


def _figures(values: Floats) -> list[float | None]:
    """Six figures are more than a chart can show, and a third of the bytes."""
    return [None if value != value else float(f"{value:.6g}") for value in values.tolist()]


def _statistics(found: Gridded) -> Statistics:
    is_known = bool(np.isfinite(found.means).any())
    return Statistics(
        readings=found.readings,
        minimum=float(np.nanmin(found.lows)) if is_known else None,
        mean=found.mean,
        maximum=float(np.nanmax(found.highs)) if is_known else None,
        latest=found.latest,
    )


def chart_references(
    series: Sequence[Series], names: set[str], hosts: Mapping[str, Host], documents: Mapping[str, Document], labels: Mapping[str, Labels]
) -> list[ChartReference]:
    """The papers' figures and limits of the counters shown, and the link speed of their adapters."""
    found = [
        ChartReference(
            name=each.name, unit=WORDS[each.name][1], value=each.value, label=each.label, source=each.source, is_limit=each.is_limit
        )
        for each in REFERENCES
        if each.name in names
    ]
    speeds: dict[float, str] = {}
    for each in series:
        document = documents.get(each.host_id)
        if document is None or each.name not in ("bytes_received", "bytes_sent"):
            continue
        adapter = Subject("adapter", each.subject.partition("/")[2])
        speed = document.configuration.value(adapter, "link_speed_bps")
        if isinstance(speed, int) and speed > 0:
            speeds.setdefault(speed / 8, f"{hosts[each.host_id].name} {labels[each.host_id].of_subject(adapter)}")
    for value, source in speeds.items():
        gigabits = value * 8 / 1e9
        label = f"link speed, {gigabits:g} Gbit/s"
        found.append(ChartReference(name="bytes_received", unit="B/s", value=value, label=label, source=source, is_limit=False))
    return found


def _comparison(
    session: Session, actor: Actor, request: ChartRequest, series: Sequence[Series], lines: Sequence[ChartLine], grid: Grid, span: Span,
    hosts: Mapping[str, Host], documents: Mapping[str, Document], now: datetime,
) -> ChartComparison | None:  # fmt: skip
    if request.compare == "peers":
        peers = read_peers(session, actor=actor, series=series, hosts=hosts, documents=documents, grid=grid, span=span, now=now)
        compared = [_compared(line, gridded, words) for line, (gridded, words) in zip(lines, peers, strict=True) if gridded is not None]
        note = "" if compared else "No other host of the cluster or group reports these counters."
        return ChartComparison(kind="peers", label="mean of the peers", shift_seconds=0, note=note, lines=compared)
    if request.compare == "week":
        shift, label = _WEEK, "the week before"
    elif request.compare.startswith("job:"):
        started = _job_start(session, request.compare.removeprefix("job:"), hosts)
        shift, label = int((span.until - started).total_seconds()), f"before {request.compare.replace(':', ' ')}"
    else:
        return None
    earlier = read_on_grid(session, series, grid.shifted(shift), span.shifted(shift), now=now)
    compared = [_compared(line, earlier[each.host_id, each.id], label) for line, each in zip(lines, series, strict=True)]
    note = "" if any(line.statistics.readings for line in compared) else "There are no counters of that time."
    return ChartComparison(kind="week" if request.compare == "week" else "job", label=label, shift_seconds=shift, note=note, lines=compared)


def _compared(line: ChartLine, found: Gridded, words: str) -> ChartLine:
    return line.model_copy(
        update={
            "label": f"{line.label}, {words}",
            "values": _figures(found.means),
            "lows": None,
            "highs": None,
            "statistics": _statistics(found),
        }
    )


def _job_start(session: Session, number: str, hosts: Mapping[str, Host]) -> datetime:
    row = (
        session.execute(
            text("SELECT started_at FROM job WHERE id = :id AND host_id = ANY(:hosts)"), {"id": int(number), "hosts": list(hosts)}
        ).first()
        if number.isdecimal() and len(number) < 10
        else None
    )
    if row is None:
        raise NotFound(f"Job {number} is not a job of the hosts in these charts.")
    if row.started_at is None:
        raise BadInput(f"Job {number} has not started yet, so there is nothing to compare with.")
    started: datetime = row.started_at.astimezone(UTC)
    return started
