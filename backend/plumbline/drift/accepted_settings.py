"""Accepting single settings: a proposal names them with the configuration that has their new values, and they are accepted beside the
host's baseline, which stays as it is otherwise.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import select, text, update
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import KNOWN_STATES
from plumbline.core.facts.configuration import NotOffered, Reading, Subject, Value
from plumbline.drift.baseline_compare import read_stored
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.baselines import BASELINE_HOST, HOST_BASELINE, Baseline, BaselineHost, HostBaseline
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup

_CHANGES = """
SELECT DISTINCT c.host_id, c.subject_kind, c.subject_id, c.key, h.name, h.state, h.configuration_id, g.path, b.host_id AS has_baseline
FROM setting_change c JOIN host h ON h.id = c.host_id JOIN host_group g ON g.id = h.group_id
LEFT JOIN host_baseline b ON b.host_id = h.id WHERE c.id = ANY(:ids) ORDER BY h.name, c.host_id, 2, 3, 4
"""


class ProposedSettings(msgspec.Struct, frozen=True):
    """What is proposed: the settings, the hosts with their present configurations, and the paths of their groups."""

    settings: list[dict[str, str]]
    configurations: dict[str, int]
    paths: list[str]


def proposed_settings(session: Session, actor: Actor, change_ids: Sequence[int]) -> ProposedSettings:
    """The settings of these changes. Raises `NotFound`, `NotAllowed`, `Conflict`, and `BadInput` for hosts that have no baseline yet."""
    rows = session.execute(text(_CHANGES), {"ids": sorted(set(change_ids))}).all()
    if not rows:
        raise NotFound("Change not found.")
    for row in rows:
        require(actor, "baseline.propose", row.path, missing="Change not found.")
    gone = next((row for row in rows if row.state not in KNOWN_STATES or row.configuration_id is None), None)
    if gone is not None:
        raise Conflict(f"{gone.name} is {gone.state}; only a host of the fleet has a baseline")
    without = sorted({row.name for row in rows if row.has_baseline is None})
    if without:
        named = ", ".join(without[:5]) + (f" and {len(without) - 5} more" if len(without) > 5 else "")
        raise BadInput(f"change_ids: no baseline was accepted yet for {named}; propose the whole configuration first")
    return ProposedSettings(
        [{"host": row.host_id, "kind": row.subject_kind, "id": row.subject_id, "key": row.key} for row in rows],
        {row.host_id: row.configuration_id for row in rows},
        sorted({row.path for row in rows}),
    )


def accept_settings(session: Session, baseline: Baseline, path: str) -> None:
    """Writes the proposed values beside the baselines of their hosts; hosts that left the group since are left out."""
    proposed = session.execute(
        select(BASELINE_HOST.host_id, BASELINE_HOST.configuration_id)
        .join(Host, HOST.id == BASELINE_HOST.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(BASELINE_HOST.baseline_id == baseline.id, HOST_GROUP.path.startswith(path, autoescape=True), HOST.state.in_(KNOWN_STATES))
    ).all()
    stored = read_stored(session, [row.configuration_id for row in proposed])
    for row in proposed:
        document = stored.get(row.configuration_id)
        accepted = session.get(HostBaseline, row.host_id, with_for_update=True)
        if document is None or accepted is None:
            continue
        configuration = document.document.configuration
        entries = [
            _entry(baseline, each, configuration.keys(Subject(each["kind"], each["id"])).get(each["key"]))
            for each in baseline.settings
            if each["host"] == row.host_id
        ]
        named = {(each["kind"], each["id"], each["key"]) for each in entries}
        kept = [each for each in accepted.settings if (each["kind"], each["id"], each["key"]) not in named]
        _write(session, row.host_id, [*kept, *entries])


def revoke_settings(session: Session, baseline: Baseline) -> None:
    """Takes back what was accepted by this proposal: the baseline's own values count again."""
    rows = session.scalars(
        select(HostBaseline)
        .join(BaselineHost, BASELINE_HOST.host_id == HOST_BASELINE.host_id)
        .where(BASELINE_HOST.baseline_id == baseline.id)
    ).all()
    for row in rows:
        kept = [each for each in row.settings if each["baseline"] != baseline.id]
        if len(kept) != len(row.settings):
            _write(session, row.host_id, kept)


def _write(session: Session, host_id: str, settings: list[dict[str, Any]]) -> None:
    session.execute(
        update(HostBaseline)
        .where(HOST_BASELINE.host_id == host_id)
        .values(settings=settings, compared_configuration_id=None, differs=None, unread=0, differs_since=None)
    )
    session.expire_all()


def _entry(baseline: Baseline, setting: Mapping[str, str], reading: Reading | None) -> dict[str, Any]:
    named = {key: setting[key] for key in ("kind", "id", "key")}
    if isinstance(reading, Value):
        return {**named, "baseline": baseline.id, "value": reading.value}
    return {**named, "baseline": baseline.id, "not_offered" if isinstance(reading, NotOffered) else "absent": True}
