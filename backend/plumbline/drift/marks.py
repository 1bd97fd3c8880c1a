"""The four references of drift, host by host: as conditions for lists and counts, and as marks of a row in hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, cast, false, select, tuple_
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import SmallInteger
from sqlmodel import Session

from plumbline.drift.schemas import DriftMarks
from plumbline.infra.schemas import Drift
from plumbline.models.baselines import HOST_BASELINE
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY
from plumbline.models.hosts import HOST, Host
from plumbline.packs.library import Library

REFERENCE_LABELS = {
    "standard": "Standard",
    "baseline": "Baseline",
    "peers": "Cluster peers",
    "persisted": "Pending restart",
}


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """How one host compares with its accepted baseline, and which configuration was compared."""

    compared_configuration_id: int | None
    differs: int | None
    unread: int


def drifts_from(reference: str, library: Library) -> ColumnElement[bool]:
    """The hosts that drift from one reference. For the baseline of a host without a configuration it is NULL, which counts as no."""
    if reference == "standard":
        return HOST.n_fail > 0
    if reference == "peers":
        return fails_one_of(HOST.failing, sorted(library.consistency_rules))
    if reference == "persisted":
        return HOST.is_restart_pending.is_(True)
    # A subquery that runs once for all hosts, also where it is a value and no condition. The outer query may join the baselines too.
    differing = select(HOST_BASELINE.host_id, HOST_BASELINE.compared_configuration_id).where(HOST_BASELINE.differs > 0).correlate(None)
    return tuple_(HOST.id, HOST.configuration_id).in_(differing)


def summary_drifts_from(reference: str, library: Library) -> ColumnElement[bool]:
    """The same hosts as `drifts_from`, as a condition on summaries and their combinations."""
    if reference == "standard":
        return HOST_COMBINATION.has_fail.is_(True)
    if reference == "peers":
        return fails_one_of(HOST_SUMMARY.failing, sorted(library.consistency_rules))
    if reference == "persisted":
        return HOST_COMBINATION.is_restart_pending.is_(True)
    return HOST_COMBINATION.baseline == "differs"


def fails_one_of(failing: Any, numbers: Sequence[int]) -> ColumnElement[bool]:
    """The hosts that fail one of these rules; `failing` is the column of the rules that a host fails."""
    found: ColumnElement[bool] = failing.bool_op("&&")(cast(numbers, ARRAY(SmallInteger))) if numbers else false()
    return found


def read_comparisons(session: Session, host_ids: Sequence[str]) -> dict[str, BaselineComparison]:
    """How these hosts compare with their baselines; hosts without one are left out. One query."""
    rows = session.execute(
        select(HOST_BASELINE.host_id, HOST_BASELINE.compared_configuration_id, HOST_BASELINE.differs, HOST_BASELINE.unread).where(
            HOST_BASELINE.host_id.in_(list(host_ids))
        )
    )
    return {row.host_id: BaselineComparison(row.compared_configuration_id, row.differs, row.unread) for row in rows}


def drift_of(host: Host | Row[Any], library: Library, comparisons: Mapping[str, BaselineComparison]) -> DriftMarks:
    """The four marks. Failing consistency rules mark drift from peers; without an accepted baseline its mark is unknown."""
    is_evaluated = host.n_pass + host.n_fail + host.n_unknown + host.n_waived > 0
    consistency = not library.consistency_rules.isdisjoint(host.failing)
    standard: Drift = "drift" if host.n_fail else ("none" if is_evaluated else "unknown")
    peers: Drift = "drift" if consistency else ("none" if host.cluster and is_evaluated else "unknown")
    persisted: Drift = "drift" if host.is_restart_pending else ("none" if host.configuration_id else "unknown")
    return DriftMarks(standard=standard, baseline=_from_baseline(host, comparisons.get(host.id)), peers=peers, persisted=persisted)


def _from_baseline(host: Host | Row[Any], comparison: BaselineComparison | None) -> Drift:
    if comparison is None or comparison.differs is None or comparison.compared_configuration_id != host.configuration_id:
        return "unknown"
    if comparison.differs:
        return "drift"
    return "unknown" if comparison.unread else "none"
