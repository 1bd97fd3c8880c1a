"""One host's page: its row, its identity, sections, what the score is made of, in a fixed number of queries."""

from collections import Counter
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import host_in_scope, read_groups
from plumbline.configurations.read import HostDocument, Labels, read_document
from plumbline.core.facts.configuration import HOST, Configuration
from plumbline.core.facts.storage_adapters import storage_adapters
from plumbline.drift.marks import read_comparisons
from plumbline.drift.ticket_reads import tickets_of_host
from plumbline.evaluation.explain import explain, headlines_of, host_score_of
from plumbline.evaluation.read_findings import findings_of
from plumbline.evaluation.schemas import HostScore
from plumbline.hosts import reread
from plumbline.hosts.configuration_queries import read_sections
from plumbline.hosts.from_bundle import read_origin
from plumbline.hosts.host_list import row_of
from plumbline.hosts.labels import FAMILY_LABELS, MODE_LABELS
from plumbline.hosts.schemas import Hold, HostDetail, PointsLost, SectionState
from plumbline.models.auth import Person
from plumbline.models.hosts import Host, Mode
from plumbline.packs.library import Library, read_library

# The page's head shows this many; `score` shows all.
_WHY_LINES = 5


def read_score(session: Session, *, actor: Actor, host_id: str) -> HostScore:
    """How the score of the host is made up."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    return _score(session, host, read_document(session, host), read_library(session))


def _score(session: Session, host: Host, stored: HostDocument | None, library: Library) -> HostScore:
    if stored is None:
        return HostScore(
            score=host.score,
            uncapped=None,
            capped_by=host.capped_by,
            caps=[],
            rule_coverage=host.rule_coverage,
            without_waivers=None,
            count_based=None,
            rules=[],
        )
    rows = findings_of(session, host.id)
    explanation = explain(rows, library, stored.document.configuration)
    label = Labels.of(stored.document).of_subject
    return host_score_of(
        explanation, stored_score=host.score, capped_by=host.capped_by, headlines=headlines_of(rows, library, label), label=label
    )


def read_host_page(session: Session, *, actor: Actor, host_id: str) -> HostDetail:
    """The host's page."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    library = read_library(session)
    stored = read_document(session, host)
    now = session.scalar(select(func.now())) or datetime.now(UTC)
    host_score = _score(session, host, stored, library)
    worst = library.by_no.get(host.worst_rule_no or 0)
    headline = next((line.headline for line in host_score.rules if worst and (line.pack, line.rule) == (worst.pack.id, worst.rule.id)), "")
    row = row_of(host, read_groups(session, of_path=group.path), library, now, read_comparisons(session, [host.id]), headline)
    configuration = stored.document.configuration if stored else None
    sections = read_sections(session, host.id)
    return HostDetail(
        **row.model_dump(by_alias=False),
        mode=Mode.OBSERVE if host.mode == Mode.OBSERVE else None,
        os_version=_text(configuration, "os_version"),
        os_build=_text(configuration, "os_build"),
        manufacturer=_text(configuration, "manufacturer"),
        model=_text(configuration, "model"),
        source=host.source,
        from_bundle=read_origin(session, host).out(),
        skew_seconds=host.skew_seconds,
        enrolled_at=host.enrolled_at,
        approved_at=host.approved_at,
        interval_seconds=host.interval_seconds,
        sections=[
            SectionState(
                name=section.section,
                status=section.status,
                error=section.error,
                took_ms=section.took_ms,
                changed_at=section.changed_at,
                sha256=section.sha256.hex() if section.sha256 else None,
            )
            for section in sections
        ],
        problems=list(stored.document.problems) if stored else [],
        why=[
            PointsLost(pack=line.pack, rule=line.rule, title=line.title, headline=line.headline, points_lost=line.points_lost)
            for line in host_score.rules[:_WHY_LINES]
            if line.points_lost > 0
        ],
        hold=_hold(session, host, now),
        overrides=reread.without_request(host.overrides),
        tickets=tickets_of_host(session, host.id),
        tags=host.tags,
        cause_of_cap="; ".join(dict.fromkeys(cap.because for cap in host_score.caps)) or host.capped_by,
        adapters_line=adapters_line(configuration) if configuration else "",
        path_problem=stored.document.path_map.problem if stored else "",
    )


def _text(configuration: Configuration | None, key: str) -> str:
    value = configuration.value(HOST, key) if configuration else None
    return "" if value is None else str(value)


def _hold(session: Session, host: Host, now: datetime) -> Hold | None:
    if host.hold_by is None or (host.hold_until is not None and host.hold_until <= now):
        return None
    person = session.get(Person, host.hold_by)
    return Hold(by=person.display_name if person else "", reason=host.hold_reason, until=host.hold_until)


def adapters_line(configuration: Configuration) -> str:
    """The SAN adapters in a few words: "2 × BCM57810 NDIS, driver 7.4.23"."""
    modes: dict[str, str] = {}
    for initiator in configuration.subjects("initiator"):
        adapter = configuration.value(initiator, "adapter")
        mode = configuration.value(initiator, "mode")
        if isinstance(adapter, str) and isinstance(mode, str):
            modes[adapter] = mode
    kinds: Counter[tuple[str, str, str]] = Counter()
    for adapter_subject in storage_adapters(configuration):
        family = str(configuration.value(adapter_subject, "family") or "other")
        mode = modes.get(adapter_subject.id, "")
        driver = str(configuration.value(adapter_subject, "driver_version") or "")
        name = FAMILY_LABELS.get(family, family)
        if family == "other":
            name = str(configuration.value(adapter_subject, "description") or "other adapter")
        kinds[(name, MODE_LABELS.get(mode, "") if mode in ("ndis", "isoe") else "", driver)] += 1
    lines = []
    for (name, mode, driver), count in sorted(kinds.items(), key=lambda each: (-each[1], each[0])):
        lines.append(f"{count} × {name}{f' {mode}' if mode else ''}{f', driver {driver}' if driver else ''}")
    return "; ".join(lines)
