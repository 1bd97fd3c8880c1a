"""Counting hosts by their summaries: a few bytes a host, and of the wide rows only those of hosts that may be late."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import GroupNode
from plumbline.core.freshness import LATE_NOTED_FOR_SECONDS
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY, HostCombination, HostSummary

_NOTED = text("SELECT coalesce(late_hosts_noted_at > now() - make_interval(secs => :seconds), false) FROM installation")


def are_late_hosts_noted(session: Session) -> bool:
    """Whether all hosts but those that may be late are up to date. Not while no worker looks. One query."""
    return bool(session.execute(_NOTED, {"seconds": LATE_NOTED_FOR_SECONDS}).scalar_one_or_none())


def summaries_from(actor: Actor, groups: dict[int, GroupNode], columns: Sequence[Any]) -> Select[Any]:
    """These columns of the summaries, with their combinations, of hosts that this person may read."""
    query = select(*columns).select_from(HostSummary).join(HostCombination, HOST_COMBINATION.id == HOST_SUMMARY.combination_id)
    read = [node.id for node in groups.values() if can_read(actor, node.path)]
    # To compare each host's group costs as much as all the rest.
    return query if len(read) == len(groups) else query.where(HOST_SUMMARY.group_id.in_(read))
