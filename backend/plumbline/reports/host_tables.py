"""The tables of one host's page as rows, read by the functions that the page uses."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.hosts import configuration_queries, host_findings, host_page
from plumbline.hosts.comparison import compare_host
from plumbline.hosts.comparison_schemas import Reference
from plumbline.performance.charts import ChartRequest, read_charts
from plumbline.performance.queries import read_counters
from plumbline.reports.tables import SUBJECT, Table, every, same, table

_PAGE = 500


def findings(session: Session, actor: Actor, *, host_id: str) -> Table:
    """All findings of the host, failing first, with the source of the decisive value."""
    found = host_findings.list_findings(session, actor=actor, host_id=host_id).items
    return table(
        found,
        {
            **same("pack", "pack_version", "rule", "title", "kind", "severity", "area"), **SUBJECT,
            **same("outcome", "standing", "reason", "observed", "expected", "since", "failing_since"), "set_aside_by": "excluded_by",
            "waiver": "waiver.id", "waiver_reason": "waiver.reason", "waiver_approved_by": "waiver.approved_by",
            "waiver_expires_at": "waiver.expires_at", "when_wrong": "effect",
            "section": "source.section", "command": "source.command", "field": "source.field", "raw": "source.raw",
            "read_at": "source.read_at", "headline": "headline",
        },
    )  # fmt: skip


def settings(session: Session, actor: Actor, *, host_id: str) -> Table:
    """Every setting of the newest configuration."""
    found = configuration_queries.list_settings(session, actor=actor, host_id=host_id).items
    return table(
        found,
        {
            **SUBJECT, **same("key", "label", "text", "value", "unit", "layer", "state", "reason", "takes_effect"),
            "counterpart": "counterpart_text", "section": "source.section", "command": "source.command", "field": "source.field",
            "read_at": "source.read_at",
        },
    )  # fmt: skip


def comparison(
    session: Session,
    actor: Actor,
    *,
    host_id: str,
    reference: Reference,
    other_id: str | None,
    at: datetime | None,
    assessed_id: int | None,
    with_same: bool,
) -> Table:
    """The host's settings beside the other side, as on the page; beside a bundle, with the file that each of its values was read from."""
    found = compare_host(
        session, actor=actor, host_id=host_id, reference=reference, other_id=other_id, at=at, assessed_id=assessed_id, with_same=with_same
    )
    of_a_bundle = same("member") if reference == "bundle" else {}
    shown = table(
        found.items, {**SUBJECT, **same("key", "label", "left", "right", "what", "agreeing", "peers", "why_not_restore"), **of_a_bundle}
    )
    rest = [
        [
            "; ".join(f"{each.name}: {each.value}" for each in item.odd),
            "; ".join(f"{rule.pack}/{rule.rule}" for rule in item.rules),
            sum(rule.points_lost for rule in item.rules),
        ]
        for item in found.items
    ]
    return Table(
        [*shown.columns, "odd_peers", "failing_rules", "points_lost"], [[*row, *more] for row, more in zip(shown.rows, rest, strict=True)]
    )


def changes(session: Session, actor: Actor, *, host_id: str) -> Table:
    """Changes of settings, newest first."""
    found = every(lambda after: configuration_queries.list_changes(session, actor=actor, host_id=host_id, after=after, limit=_PAGE))
    return table(found, {"at": "at", **SUBJECT, **same("key", "label", "old", "new", "cause", "cause_detail", "seq")})


def score(session: Session, actor: Actor, *, host_id: str) -> Table:
    """The score, rule by rule: weight = band_points x strength_factor x fit; 100 less the points lost, rounded down, is the score."""
    found = host_page.read_score(session, actor=actor, host_id=host_id).rules
    names = ("pack", "rule", "title", "kind", "band", "band_points", "strength", "strength_factor", "fit", "weight", "source")
    counts = ("passing", "failing", "judged", "waived", "excluded", "unknown", "points_possible", "points_lost")
    return table(found, same(*names, *counts, "counted_possible", "counted_lost", "has_capped", "also_asked_by"))


def counters(session: Session, actor: Actor, *, host_id: str, hours: int, wanted: Sequence[str]) -> Table:
    """The points of the charts, one per row; an empty value is time without data."""
    found = read_counters(session, actor=actor, host_id=host_id, hours=hours, wanted=list(wanted))
    rows = [
        [datetime.fromtimestamp(at / 1000, UTC), line.subject, line.label, line.name, value, line.unit]
        for line in found.series
        for at, value in line.points
    ]
    return Table(["at", "subject", "counter", "name", "value", "unit"], rows)


def charts(session: Session, actor: Actor, *, request: ChartRequest) -> Table:
    """The figures of the charts: the mean of each step with its extremes; an empty value is time without data."""
    found = read_charts(session, actor=actor, request=request)
    start, step = found.starts_at, timedelta(seconds=found.step_seconds)
    compared = found.comparison.lines if found.comparison else []
    rows = []
    for line in found.series:
        other = next((each.values for each in compared if each.id == line.id), None)
        for index, value in enumerate(line.values):
            low, high = (each[index] if each else value for each in (line.lows, line.highs))
            row = [
                start + index * step,
                found.step_seconds,
                line.host_name,
                line.subject,
                line.label,
                line.name,
                value,
                low,
                high,
                line.unit,
            ]
            rows.append([*row, other[index] if other else None])
    columns = ["at", "step_seconds", "host", "subject", "counter", "name", "mean", "lowest", "highest", "unit", "compared_mean"]
    return Table(columns, rows)
