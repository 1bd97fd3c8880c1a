"""How the hosts of a report stand: the counts that the screens show, each host, and the findings that do not pass.

For now, from the stored rows; for a past instant, evaluated by the function of the past-state page.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from plumbline.configurations.read import Labels, read_documents
from plumbline.core.facts.configuration import HOST as HOST_SUBJECT
from plumbline.core.facts.configuration import Configuration, Subject
from plumbline.core.facts.document import Document
from plumbline.core.freshness import FRESHNESS_LABELS, freshness_of
from plumbline.core.rules import words
from plumbline.core.rules.finding_status import order_together, status_of
from plumbline.evaluation.explain import explain
from plumbline.evaluation.findings import HostVerdict, NewFinding
from plumbline.evaluation.read_findings import ReadFinding, read_findings
from plumbline.evaluation.reevaluate import CHUNK, raw_connection
from plumbline.evaluation.rollups import Deltas, FindingMark, HostFigures, Rolled, count_findings, count_host, read_rollups
from plumbline.hosts.host_list import worst_headline
from plumbline.infra.clock import iso
from plumbline.infra.errors import BadInput
from plumbline.models.hosts import COUNTED
from plumbline.packs.in_force import read_active
from plumbline.packs.rule_words import severity_of
from plumbline.previews.as_of import evaluate_at
from plumbline.previews.hosts_as_of import HostAt, hosts_at
from plumbline.reports.frozen.scope import IN_SCOPE, Scope

# A report with more findings is refused rather than cut off.
MOST_FINDINGS = 50_000
SHOWN = frozenset({"fail", "unknown", "waived", "excluded"})


class TooManyFindings(BadInput):
    """More findings than one report lists."""

    code = "too_many_rows"


# As it is stored, or as it is evaluated for a date.
Found = ReadFinding | NewFinding


@dataclass
class Posture:
    """What was found. `findings` are one for each item and group of linked rules, as they count once, without those that pass."""

    rolled: Rolled = field(default_factory=dict)
    hosts: list[dict[str, Any]] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    # (severity, since) of every failing finding, also where no findings are listed.
    failing: list[tuple[str, datetime | None]] = field(default_factory=list)
    waiting: int = 0
    # Waiver -> the findings that it kept out of the score, at a past instant.
    waived: Counter[int] = field(default_factory=Counter)


def read_posture(scope: Scope, *, with_findings: bool) -> Posture:
    """The posture of the scope. A fixed number of queries for each 200 hosts. Raises `TooManyFindings`."""
    posture = _past(scope, with_findings) if scope.is_past else _now(scope, with_findings)
    posture.findings.sort(key=lambda each: (each["severity_rank"], each["title"], each["host"].casefold(), each["subject"]))
    return posture


_HOSTS = f"""
SELECT h.id, h.name, h.platform, h.group_id, h.os_name, h.os_release, h.cluster, h.families, h.score, h.capped_by, h.rule_coverage,
  h.n_pass, h.n_fail, h.n_unknown, h.n_waived, h.n_excluded, h.n_not_applicable, h.n_guard_rail, h.worst_rule_no, h.last_seen_at, h.source,
  h.interval_seconds, h.paths_healthy, h.paths_total, h.is_lab, h.rules_epoch > 0 AS is_evaluated
FROM host h WHERE {IN_SCOPE} AND h.{COUNTED} ORDER BY h.score NULLS LAST, lower(h.name), h.id
"""  # noqa: S608
_WAITING = f"SELECT count(*) FROM host h WHERE {IN_SCOPE} AND h.state = 'waiting'"  # noqa: S608


def _now(scope: Scope, with_findings: bool) -> Posture:
    posture = Posture(waiting=int(scope.session.execute(text(_WAITING), scope.sql).scalar_one()))
    rows = scope.session.execute(text(_HOSTS), scope.sql).all()
    deltas = Deltas()
    for chunk in _chunks(rows):
        ids = [row.id for row in chunk]
        documents = read_documents(scope.session, ids)
        stored = read_findings(scope.session, ids)
        for row in chunk:
            findings = stored.get(row.id, [])
            since = {(each.rule_no, each.subject_kind, each.subject_id): each.failing_since or each.since for each in findings}
            posture.hosts.append(_host_now(scope, row, findings))
            _add(posture, scope, row.id, row.name, findings, documents.get(row.id), since, with_findings)
            if scope.host_ids is not None:
                figures = HostFigures(
                    0, row.is_evaluated, row.score, row.rule_coverage, row.n_guard_rail, row.n_pass, row.n_fail, row.n_unknown,
                    row.n_not_applicable, row.n_waived, row.n_excluded,
                )  # fmt: skip
                _count(deltas, figures, findings)
    posture.rolled = (
        _rolled(deltas) if scope.host_ids is not None else read_rollups(scope.session, [scope.group.id], words=("fail", "excluded"))
    )
    return posture


def _past(scope: Scope, with_findings: bool) -> Posture:
    """Every host that was below the group then, evaluated with what was in force: as the past-state page does."""
    posture, deltas, after = Posture(), Deltas(), ""
    connection = raw_connection(scope.session)
    rules = read_active(scope.session, at=scope.as_of)
    ids = scope.host_ids
    while True:
        hosts = hosts_at(connection, scope.as_of, path=scope.group.path, after=after, limit=CHUNK, ids=ids)
        if not hosts:
            break
        after = hosts[-1].id
        evaluated = evaluate_at(connection, hosts, rules, scope.as_of)
        since = _since(scope, [host.id for host in hosts])
        for host in hosts:
            found = evaluated.get(host.id)
            if found is None:
                posture.hosts.append(_absent(scope, host))
                continue
            verdict, findings = found.evaluation.verdict, found.evaluation.findings
            posture.hosts.append(_host_then(scope, host, verdict, found.document.configuration, findings))
            _add(posture, scope, host.id, host.name, findings, found.document, since.get(host.id, {}), with_findings)
            figures = HostFigures(
                0, True, verdict.score, verdict.rule_coverage, verdict.n_guard_rail, verdict.n_pass, verdict.n_fail, verdict.n_unknown,
                verdict.n_not_applicable, verdict.n_waived, verdict.n_excluded,
            )  # fmt: skip
            _count(deltas, figures, findings)
            posture.waived.update(row.waiver_id for row in findings if row.waiver_id is not None)
    posture.rolled = _rolled(deltas)
    posture.hosts.sort(key=lambda host: (host["score"] is None, host["score"] or 0, host["name"].casefold(), host["id"]))
    return posture


_SINCE = """
SELECT host_id, rule_no, subject_kind, subject_id, max(at) AS at FROM finding_log
WHERE host_id = ANY(:ids) AND at <= :to AND new = 'fail' GROUP BY 1, 2, 3, 4
"""


def _since(scope: Scope, ids: Sequence[str]) -> dict[str, dict[tuple[int, str, str], datetime]]:
    """When each finding last began to fail by then, from the finding log."""
    found: dict[str, dict[tuple[int, str, str], datetime]] = {}
    for row in scope.session.execute(text(_SINCE), {"ids": list(ids), "to": scope.as_of}):
        found.setdefault(row.host_id, {})[row.rule_no, row.subject_kind, row.subject_id] = row.at
    return found


def _chunks(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def _marks(findings: Iterable[Found]) -> list[FindingMark]:
    return [
        (each.rule_no, each.subject_kind, each.subject_id, each.outcome, each.waiver_id, each.excluded_by, each.kind, each.linked_rule_no)
        for each in findings
    ]


def _count(deltas: Deltas, figures: HostFigures, findings: Iterable[Found]) -> None:
    count_host(deltas, figures, 1)
    if figures.is_evaluated:
        count_findings(deltas, 0, _marks(findings), 1)


def _rolled(deltas: Deltas) -> Rolled:
    """The counts as rollups hold them, for hosts that no rollup counts together."""
    return {(rule, bucket): (hosts, subjects, amount) for _, rule, bucket, hosts, subjects, amount in deltas.rows()}


def _add(
    posture: Posture,
    scope: Scope,
    host_id: str,
    host_name: str,
    findings: Sequence[Found],
    document: Document | None,
    since: Mapping[tuple[int, str, str], datetime],
    with_findings: bool,
) -> None:
    """Adds one host's findings: of linked rules the worst for each item, with the severity that the host's page shows."""
    explained = explain(findings, scope.library, document.configuration) if document else None
    weights = {address: line.weight.w for line in explained.lines for address in line.rules} if explained else {}
    capping = {cap.rule for cap in explained.caps} if explained else set()
    labels = Labels.of(document)
    first: dict[tuple[int, str, str], Found] = {}
    for row in sorted(findings, key=lambda each: (order_together(each.outcome, _status(each)), each.rule_no)):
        first.setdefault((row.linked_rule_no or row.rule_no, row.subject_kind, row.subject_id), row)
    for row in first.values():
        status, known = _status(row), scope.library.by_no.get(row.rule_no)
        if status not in SHOWN or known is None:
            continue
        rule = known.rule
        severity = severity_of(rule, "fail", has_capped=rule.address in capping, w=weights.get(rule.address))
        at = since.get((row.rule_no, row.subject_kind, row.subject_id))
        if status == "fail":
            posture.failing.append((severity, at))
        if not with_findings:
            continue
        if len(posture.findings) >= MOST_FINDINGS:
            raise TooManyFindings(f"More than {MOST_FINDINGS:,} findings do not pass. Choose a smaller group or a saved view.")
        subject = Subject(row.subject_kind, row.subject_id)
        posture.findings.append(
            {
                "host": host_name,
                "host_id": host_id,
                "pack": known.pack.id,
                "rule": rule.id,
                "rule_no": row.rule_no,
                "title": rule.title,
                "subject": labels.of_subject(subject) if document else row.subject_id or "host",
                "subject_kind": row.subject_kind,
                "subject_id": row.subject_id,
                "status": status,
                "severity": severity if status == "fail" else "",
                "severity_rank": ("critical", "high", "medium", "low").index(severity),
                "reason": labels.in_words(row.reason),
                "observed": labels.in_words(row.observed),
                "expected": row.expected or words.expected(rule.expect),
                "since": iso(at) if at else None,
                "waiver_id": row.waiver_id,
            }
        )


def _status(row: Found) -> str:
    return status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind)


def _failing_of(findings: Iterable[Found], rule_no: int | None) -> list[list[str]]:
    return [
        [each.subject_kind, each.reason, each.observed]
        for each in findings
        if each.rule_no == rule_no and each.outcome == "fail" and each.waiver_id is None and not each.excluded_by
    ]


def _figures(source: Any) -> dict[str, Any]:
    """The figures of a host's row or verdict."""
    return {
        "score": source.score,
        "capped_by": source.capped_by,
        "rule_coverage": None if source.rule_coverage is None else round(source.rule_coverage, 3),
        "pass": source.n_pass,
        "fail": source.n_fail,
        "unknown": source.n_unknown,
        "waived": source.n_waived,
        "excluded": source.n_excluded,
        "not_applicable": source.n_not_applicable,
        "guard_rail": source.n_guard_rail,
    }


def _host_now(scope: Scope, row: Any, findings: Sequence[Found]) -> dict[str, Any]:
    has_release = row.platform == "windows" or (row.os_release and row.os_release in row.os_name)
    freshness = freshness_of(row.last_seen_at, row.interval_seconds, scope.as_of, row.source)
    return {
        "id": row.id,
        "name": row.name,
        "group": scope.nodes[row.group_id].name if row.group_id in scope.nodes else "",
        "system": row.os_name if has_release else f"{row.os_name} {row.os_release}".strip(),
        "cluster": row.cluster,
        "families": ", ".join(row.families),
        **_figures(row),
        "worst": scope.library.title(row.worst_rule_no),
        "worst_headline": worst_headline(scope.library, row.worst_rule_no, _failing_of(findings, row.worst_rule_no)),
        "freshness": freshness,
        "freshness_words": FRESHNESS_LABELS[freshness],
        "last_seen_at": iso(row.last_seen_at.astimezone(UTC)) if row.last_seen_at else None,
        "paths": f"{row.paths_healthy}/{row.paths_total}" if row.paths_total is not None else None,
        "is_lab": row.is_lab,
        "absent": "",
    }


def _host_then(scope: Scope, host: HostAt, verdict: HostVerdict, configuration: Configuration, findings: Sequence[Found]) -> dict[str, Any]:
    name, release = (str(configuration.value(HOST_SUBJECT, key) or "") for key in ("os_name", "os_release"))
    return {
        **_host_at(scope, host),
        "system": name if host.platform == "windows" or release in name else f"{name} {release}".strip(),
        "cluster": str(configuration.value(HOST_SUBJECT, "cluster") or ""),
        **_figures(verdict),
        "worst": scope.library.title(verdict.worst_rule_no),
        "worst_headline": worst_headline(scope.library, verdict.worst_rule_no, _failing_of(findings, verdict.worst_rule_no)),
    }


def _absent(scope: Scope, host: HostAt) -> dict[str, Any]:
    return {**_host_at(scope, host), "absent": host.absent or "its stored configuration can no longer be read"}


def _host_at(scope: Scope, host: HostAt) -> dict[str, Any]:
    """What is known of a host at a past instant, without its evaluation."""
    freshness = "silent" if host.is_silent else "fresh"
    return {
        "id": host.id,
        "name": host.name,
        "group": scope.nodes[host.group_id].name if host.group_id in scope.nodes else "",
        "system": "",
        "cluster": "",
        "families": "",
        **_figures(HostVerdict()),
        "worst": "",
        "worst_headline": "",
        "freshness": freshness,
        "freshness_words": "Not heard of since" if host.is_silent else "Known then",
        "last_seen_at": iso(host.configuration_at) if host.configuration_at else None,
        "paths": None,
        "is_lab": False,
        "absent": "",
    }
