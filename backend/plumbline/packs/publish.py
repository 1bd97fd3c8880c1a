"""Publishing and activating pack versions: built-in packs and those of the site.

Each activation, end of a grace period and conflict decision raises the installation's `rules_epoch`: hosts evaluated under a lower one are
re-evaluated in the background.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlmodel import Session, col, select, text

from plumbline.core.rules.rule import Pack
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound, RulesetInvalid
from plumbline.infra.resources import RULESETS
from plumbline.infra.settings import get_settings
from plumbline.models.packs import PackActivation, PackVersion, RuleNumber
from plumbline.packs.files.load import LoadedPack, load_folder
from plumbline.packs.in_force import pack_of
from plumbline.packs.library import read_library

log = structlog.get_logger()


# One process installs or activates at a time. No other advisory lock may have this number.
_INSTALL_LOCK = 0x706C756D62_04


ROOT_GROUP = 1


# Rule numbers are small integers in every row of findings.
_MOST_RULES = 30_000


def install_builtin(session: Session) -> list[str]:
    """Publishes built-in packs and the site's packs if they are new. Returns "pack version" for each.

    On an installation without any activation, all of them are activated on the root group, except those that another one supersedes.
    Later ones are only published, so that a person can preview them first. A mistake in the site's folder is logged and does not stop the
    start. Safe on every start and from several processes.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    loaded = list(load_folder(RULESETS))
    versions = [publish(session, pack, is_builtin=True) for pack in loaded]
    versions += _publish_site(session, loaded)
    if session.exec(select(PackActivation.id).limit(1)).first() is None:
        superseded = {pack for version in versions if version is not None for pack in pack_of(version).supersedes}
        for version in versions:
            if version is not None and version.id is not None and version.pack not in superseded:
                activate(session, group_id=ROOT_GROUP, pack=version.pack, choice=PackChoice(version.id))
    _note_consistency_rules(session)
    return [f"{version.pack} {version.version}" for version in versions if version is not None]


def _publish_site(session: Session, builtin: Sequence[LoadedPack]) -> list[PackVersion | None]:
    site = get_settings().site_rulesets
    if site is None:
        return []
    try:
        loaded = load_folder(site, others=builtin)
    except RulesetInvalid as error:
        log.error("the site's packs are not published: run `plumbline ruleset check` on the folder", mistake=error.message)
        return []
    versions: list[PackVersion | None] = []
    for pack in loaded:
        try:
            versions.append(publish(session, pack, note="from the site's folder"))
        except Conflict as error:
            log.error("a pack of the site is not published", pack=pack.pack.id, reason=error.message)
    return versions


def publish(
    session: Session,
    loaded: LoadedPack,
    *,
    published_by: int | None = None,
    published_from: str = "",
    note: str = "",
    is_builtin: bool = False,
) -> PackVersion | None:
    """Publishes a pack as an immutable version; None where exactly this content is published already. The caller audits it.

    The same version with other content is refused (`Conflict`). Only of the packs that come with the program is it published as
    `version+hash`: an upgrade must not fail over it, and still no finding names a version that was rewritten.
    """
    return publish_document(
        session,
        loaded.pack,
        loaded.document,
        published_by=published_by,
        published_from=published_from,
        note=note,
        is_builtin=is_builtin,
    )


def publish_document(
    session: Session,
    pack: Pack,
    document: dict[str, Any],
    *,
    published_by: int | None = None,
    published_from: str = "",
    note: str = "",
    is_builtin: bool = False,
) -> PackVersion | None:
    """The same for a pack whose files are no longer available."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    if session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.content_hash == pack.content_hash)).first():
        return None
    number = pack.version
    taken = session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.version == number)).first()
    if taken is not None:
        if not is_builtin:
            raise Conflict(
                f"{pack.id} {number} is already published with different content (hash {taken.content_hash[:12]})."
                " Raise the version in pack.yaml and publish again."
            )
        number = f"{number}+{pack.content_hash[:8]}"
    row = PackVersion(
        pack=pack.id,
        version=number,
        content_hash=pack.content_hash,
        document=document,
        published_by=published_by,
        published_from=published_from,
        note=note,
    )
    session.add(row)
    known = session.exec(select(RuleNumber)).all()
    own = {number.rule for number in known if number.pack == pack.id}
    new = [rule.id for rule in pack.rules if rule.id not in own]
    if len(known) + len(new) > _MOST_RULES:
        raise Conflict(f"an installation holds at most {_MOST_RULES:,} rules over all packs ever published")
    session.add_all([RuleNumber(pack=pack.id, rule=rule) for rule in new])
    session.flush()
    if _changes_links(session, row, pack, {f"{pack.id}/{rule}" for rule in new}):
        # Findings store which rules are linked, so hosts are re-evaluated although no other rule is in force.
        raise_rules_epoch(session)
    return row


def _changes_links(session: Session, row: PackVersion, pack: Pack, new: set[str]) -> bool:
    """Whether this version may change which rules are linked: by its own links, or by new rules to which other packs link."""
    query = select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.id != row.id).order_by(col(PackVersion.id).desc())
    before = session.exec(query.limit(1)).first()
    if _links(pack) != (_links(pack_of(before)) if before is not None else set()):
        return True
    found = session.execute(
        text(
            "SELECT EXISTS (SELECT FROM pack_version v, jsonb_array_elements(v.document -> 'rules') AS r,"
            " jsonb_array_elements_text(r -> 'same_as') AS linked (address) WHERE linked.address = ANY(:new))"
        ),
        {"new": sorted(new)},
    )
    return bool(found.scalar_one())


def _links(pack: Pack) -> set[tuple[str, str]]:
    return {(rule.address, other) for rule in pack.rules for other in rule.same_as}


@dataclass(frozen=True, slots=True)
class PackChoice:
    """What a group chooses of a pack: a version, which begins to count after its time of grace; None switches the pack off.

    `is_inherited`: the group follows the one above it again.
    """

    version_id: int | None
    grace_until: datetime | None = None
    is_inherited: bool = False


def activate(
    session: Session,
    *,
    group_id: int,
    pack: str,
    choice: PackChoice,
    activated_by: int | None = None,
    reason: str = "",
) -> PackActivation:
    """Puts a version in force for a group and all below it, or none, or what the group above has. Hosts are re-evaluated in the
    background; trends are marked. The caller audits it.

    Raises `NotFound` for a version that is not of this pack, `BadInput` for a time of grace that is over or has nothing to count.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    now = now_of(session)
    version_id, grace_until = choice.version_id, choice.grace_until
    if grace_until is not None and (version_id is None or choice.is_inherited):
        raise BadInput("A grace period needs a version to activate.")
    if grace_until is not None and grace_until <= now:
        raise BadInput("the time of grace ends in the past")
    version = session.get(PackVersion, version_id) if version_id is not None else None
    if version_id is not None and (version is None or version.pack != pack):
        raise NotFound(f"Version of {pack} not found.")
    activation = PackActivation(
        group_id=group_id,
        pack=pack,
        pack_version_id=version_id,
        activated_by=activated_by,
        activated_at=now,
        grace_until=grace_until,
        is_inherited=choice.is_inherited,
        reason=reason,
    )
    session.add(activation)
    session.flush()
    what = "follows the group above" if choice.is_inherited else "turned off" if version is None else version.version
    kind = "pack_activated" if version is not None else "pack_changed"
    mark_trends(session, kind=kind, label=f"{pack} {what}", group_id=group_id)
    raise_rules_epoch(session)
    _note_consistency_rules(session)
    return activation


def _note_consistency_rules(session: Session) -> None:
    """Notes which rules compare hosts with their peers, where that changed; the database counts the hosts that fail them again."""
    numbers = list(read_library(session).consistency_rules)
    session.execute(
        text("UPDATE rule_number SET is_consistency = NOT is_consistency WHERE is_consistency <> (no = ANY(CAST(:numbers AS smallint[])))"),
        {"numbers": numbers},
    )


def end_grace(session: Session) -> list[PackActivation]:
    """Ends the times of grace that are over: from now on those packs' failures count. Answers the activations; the caller audits them.

    Safe to run twice and side by side.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    ended = session.execute(
        text(
            "UPDATE pack_activation SET grace_ended_at = clock_timestamp()"
            " WHERE grace_until <= clock_timestamp() AND grace_ended_at IS NULL RETURNING id"
        )
    ).scalars()
    ids = sorted(ended)
    if not ids:
        return []
    activations = list(session.exec(select(PackActivation).where(col(PackActivation.id).in_(ids)).order_by(col(PackActivation.id))))
    for activation in activations:
        mark_trends(session, kind="grace_ended", label=f"{activation.pack}: grace ended", group_id=activation.group_id)
    raise_rules_epoch(session)
    return activations


def mark_trends(session: Session, *, kind: str, label: str, group_id: int) -> None:
    """Marks the group's trends, so that a change of scores that comes from the rules is not taken for drift."""
    # Tables of packages in higher layers are written by name, not by class.
    session.execute(
        text("INSERT INTO fleet_event (at, kind, label, group_id) VALUES (clock_timestamp(), :kind, :label, :group)"),
        {"kind": kind, "label": label, "group": group_id},
    )


def raise_rules_epoch(session: Session) -> int:
    """Has every host re-evaluated in the background; for whatever changes which rules are in force (a group that moved, too)."""
    return int(session.execute(text("UPDATE installation SET rules_epoch = rules_epoch + 1 RETURNING rules_epoch")).scalar_one())
