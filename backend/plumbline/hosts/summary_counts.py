"""Counting hosts by their summaries: a few bytes a host, and of the wide rows only those of hosts that may be late; and by the counts kept
of summaries, which are few whatever the fleet.
"""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from sqlalchemy import BigInteger, Integer, Select, TextualSelect, column, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import GroupNode
from plumbline.core.freshness import LATE_NOTED_FOR_SECONDS
from plumbline.infra.database import sql
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY, HostCombination, HostSummary, kept_counts

_NOTED = sql("SELECT coalesce(late_hosts_noted_at > now() - make_interval(secs => :seconds), false) FROM installation")

_OF_GROUPS = """
SELECT group_id, CAST(value AS bigint) AS combination_id, hosts FROM host_count
WHERE kind = 'combination' AND group_id = ANY(:own_groups) AND hosts <> 0
UNION ALL SELECT group_id, CAST(value AS bigint), hosts FROM host_count_delta WHERE kind = 'combination' AND group_id = ANY(:own_groups)
"""
_KNOWN_BY_GROUP = """
SELECT group_id, sum(hosts)::int AS hosts FROM (
  SELECT group_id, hosts FROM host_count WHERE kind = 'all' UNION ALL SELECT group_id, hosts FROM host_count_delta WHERE kind = 'all'
) AS counted GROUP BY group_id HAVING sum(hosts) <> 0
"""


def known_by_group(session: Session) -> dict[int, int]:
    """The known hosts of each group itself. One query."""
    return {group_id: hosts for group_id, hosts in session.execute(sql(_KNOWN_BY_GROUP))}  # noqa: C416 (rows are no pairs to mypy)


def are_late_hosts_noted(session: Session) -> bool:
    """Whether all hosts but those that may be late are up to date. Not while no worker looks. One query."""
    return bool(session.execute(_NOTED, {"seconds": LATE_NOTED_FOR_SECONDS}).scalar_one_or_none())


def summaries_from(actor: Actor, groups: dict[int, GroupNode], columns: Sequence[Any]) -> Select[Any]:
    """These columns of the summaries, with their combinations, of hosts that this person may read."""
    query = select(*columns).select_from(HostSummary).join(HostCombination, HOST_COMBINATION.id == HOST_SUMMARY.combination_id)
    read = [node.id for node in groups.values() if can_read(actor, node.path)]
    # To compare each host's group costs as much as all the rest.
    return query if len(read) == len(groups) else query.where(HOST_SUMMARY.group_id.in_(read))


def counts_by_combination(
    groups: Collection[int], name: str = "groups", *, kind: Literal["combination", "differing"] = "combination"
) -> TextualSelect:
    """The hosts of these groups by combination, or those that differ from their peers: `combination_id`, `hosts`; a combination may come
    several times. Different groups in one statement need different names.
    """
    counts = sql(f"SELECT CAST(value AS bigint) AS combination_id, hosts FROM ({kept_counts(kind, name)}) AS kept")  # noqa: S608
    return counts.bindparams(**{name: list(groups)}).columns(column("combination_id", BigInteger), column("hosts", Integer))


def counts_by_group(groups: Collection[int]) -> TextualSelect:
    """The hosts of each of these groups itself by combination: `group_id`, `combination_id`, `hosts`."""
    return (
        sql(_OF_GROUPS)
        .bindparams(own_groups=list(groups))
        .columns(column("group_id", Integer), column("combination_id", BigInteger), column("hosts", Integer))
    )
