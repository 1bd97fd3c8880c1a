"""The frozen data of a report: read once, in one snapshot, by the functions that the screens use.

Everything in it is plain JSON. PDF, CSV and JSON are made from it alone, so their figures are equal.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.scope import read_groups
from plumbline.core.freshness import freshness_of
from plumbline.evaluation.rollups import read_rollups
from plumbline.fleet.overview import failing_rules, overview_of
from plumbline.hosts.host_list import worst_headline
from plumbline.infra.clock import iso
from plumbline.infra.database import get_engine
from plumbline.infra.errors import NotFound
from plumbline.models.hosts import COUNTED, HostGroup
from plumbline.packs.library import read_library
from plumbline.reports.exceptions import ATTESTATION_STATES, WAIVER_STATES, counts_by_state, read_attestations, read_waivers

PERIOD_DAYS = 90
DEFINITION = (
    "A host's score is the weighted share of evaluated checks that pass, times 100. A rule's weight depends on the effect its source "
    "measured or states. Waived, unknown and N/A findings are not counted. A failing guardrail or a SAN volume with fewer than two healthy "
    "paths caps the score at 59. The fleet score is the average of all scored hosts."
)
METHOD = (
    "Pending and retired hosts are not counted. Waived findings are counted as waived, never as passing. A waiver or an attestation that "
    "expired or ended early does not count, and is listed as such. Equivalent rules are listed and counted once. Late and non-reporting "
    "hosts keep their last known values and are listed."
)


def freeze(*, report_id: int, group_id: int, requested_by: str, site_name: str) -> dict[str, Any]:
    """The data of one group and its subgroups, read in one REPEATABLE READ transaction, so that all figures are of one moment."""
    with get_engine().connect().execution_options(isolation_level="REPEATABLE READ") as connection, Session(connection) as snapshot:
        group = snapshot.get(HostGroup, group_id)
        if group is None:
            raise NotFound("Group not found.")
        nodes = read_groups(snapshot)
        groups = [node.id for node in nodes.values() if node.path.startswith(group.path)]
        overview = overview_of(snapshot, group=group, groups=groups, days=7)
        library = read_library(snapshot)
        rolled = read_rollups(snapshot, [group_id])
        ancestors = [node.id for node in nodes.values() if group.path.startswith(node.path) and node.id != group_id]
        since = overview.as_of - timedelta(days=PERIOD_DAYS)
        waivers = read_waivers(snapshot, groups=groups, above=ancestors, library=library, as_of=overview.as_of, since=since)
        attestations = read_attestations(snapshot, groups=groups, above=ancestors, library=library, as_of=overview.as_of, since=since)
        data = {
            "report": {
                "id": report_id,
                "template": "executive",
                "title": f"Compliance report: {group.name}",
                "site": site_name,
                "scope": {"group_id": group_id, "name": group.name},
                "as_of": iso(overview.as_of),
                "requested_by": requested_by,
                "period_days": PERIOD_DAYS,
                "definition": DEFINITION,
                "method": METHOD,
                "packs": [{"pack": pack.id, "version": published.version, "title": pack.title} for pack, published in library.active],
                "papers": _papers(library),
            },
            "overview": overview.model_dump(mode="json", by_alias=True, exclude={"failing_rules", "group"}),
            "failing_rules": [rule.model_dump(mode="json") for rule in failing_rules(snapshot, [group_id], rolled, library)],
            "hosts": _hosts(snapshot, groups, overview.as_of, library, nodes),
            "exceptions": waivers,
            "waivers_by_state": counts_by_state(waivers, WAIVER_STATES),
            "attestations": attestations,
            "attestations_by_state": counts_by_state(attestations, ATTESTATION_STATES),
            "time_to_fix": _time_to_fix(snapshot, groups),
            "changes_made": _changes_made(snapshot, groups),
        }
        connection.rollback()
    return data


def _papers(library: Any) -> list[str]:
    titles = {f"{paper.title}, {paper.publisher} ({paper.edition})" for pack, _ in library.active for paper in pack.papers}
    return sorted(titles)


_HOSTS = f"""
SELECT id, name, platform, group_id, os_name, os_release, cluster, families, score, capped_by, rule_coverage, n_pass, n_fail,
  n_unknown, n_waived, n_excluded, n_not_applicable, n_guard_rail, worst_rule_no, last_seen_at, interval_seconds,
  paths_healthy, paths_total, is_lab,
  (SELECT jsonb_agg(jsonb_build_array(f.subject_kind, f.subject_id, f.reason, f.observed)) FROM finding f
   WHERE f.host_id = host.id AND f.rule_no = host.worst_rule_no AND f.outcome = 'fail' AND f.waiver_id IS NULL AND f.excluded_by = ''
  ) AS worst_findings
FROM host WHERE group_id = ANY(:groups) AND {COUNTED} ORDER BY score NULLS LAST, lower(name), id
"""  # noqa: S608


def _hosts(session: Session, groups: list[int], as_of: datetime, library: Any, nodes: dict[int, Any]) -> list[dict[str, Any]]:
    """Every host that counts, lowest score first. One query."""
    rows = session.execute(
        text(_HOSTS),
        {"groups": groups},
    )
    hosts = []
    for row in rows:
        has_release = row.platform == "windows" or (row.os_release and row.os_release in row.os_name)
        system = row.os_name if has_release else f"{row.os_name} {row.os_release}".strip()
        hosts.append(
            {
                "id": row.id,
                "name": row.name,
                "group": nodes[row.group_id].name if row.group_id in nodes else "",
                "system": system,
                "cluster": row.cluster,
                "families": ", ".join(row.families),
                "score": row.score,
                "capped_by": row.capped_by,
                "rule_coverage": None if row.rule_coverage is None else round(row.rule_coverage, 3),
                "pass": row.n_pass,
                "fail": row.n_fail,
                "unknown": row.n_unknown,
                "waived": row.n_waived,
                "excluded": row.n_excluded,
                "not_applicable": row.n_not_applicable,
                "guard_rail": row.n_guard_rail,
                "worst": library.title(row.worst_rule_no),
                "worst_headline": worst_headline(library, row.worst_rule_no, row.worst_findings),
                "freshness": freshness_of(row.last_seen_at, row.interval_seconds, as_of),
                "last_seen_at": iso(row.last_seen_at) if row.last_seen_at else None,
                "paths": f"{row.paths_healthy}/{row.paths_total}" if row.paths_total is not None else None,
                "is_lab": row.is_lab,
            }
        )
    return hosts


def _time_to_fix(session: Session, groups: list[int]) -> dict[str, Any]:
    """Findings that were fixed within the period: their number, and the median of how long they failed, in hours. From the finding log."""
    row = session.execute(
        text(
            "WITH turns AS (SELECT l.new, l.old, l.at, lag(l.at) OVER (PARTITION BY l.host_id, l.rule_no, l.subject_kind, l.subject_id"
            "  ORDER BY l.at, l.id) AS before FROM finding_log l JOIN host h ON h.id = l.host_id"
            "  WHERE h.group_id = ANY(:groups) AND l.at > now() - make_interval(days => 2 * :days))"
            " SELECT count(*) AS fixed, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM at - before)) AS median FROM turns"
            " WHERE old = 'fail' AND new = 'pass' AND before IS NOT NULL AND at > now() - make_interval(days => :days)"
        ),
        {"groups": groups, "days": PERIOD_DAYS},
    ).one()
    return {"fixed": row.fixed, "median_hours": None if row.median is None else round(float(row.median) / 3600, 1)}


def _changes_made(session: Session, groups: list[int]) -> list[dict[str, Any]]:
    """Acts of people on hosts, groups and waivers in scope within the period: how often each, and by how many people."""
    rows = session.execute(
        text(
            "SELECT action, count(*) AS times, count(DISTINCT actor) AS people FROM audit_entry WHERE group_id = ANY(:groups)"
            " AND at > now() - make_interval(days => :days) AND actor LIKE 'person:%' AND object_kind IN ('host', 'group', 'waiver')"
            " GROUP BY action ORDER BY times DESC, action LIMIT 12"
        ),
        {"groups": groups, "days": PERIOD_DAYS},
    )
    return [{"action": row.action, "times": row.times, "people": row.people} for row in rows]
