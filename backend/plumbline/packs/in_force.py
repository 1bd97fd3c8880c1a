"""Which pack versions judge which group, compiled and ready; publishing and activating them; the packs that come with the program.

A pack is activated on a group and judges everything below it until a nearer group says otherwise. Each activation, end of grace and
decision on a conflict raises the installation's judging epoch; hosts judged under a lower one are judged again in the background. What is
in force never depends on the clock, only on rows: under one epoch every process judges alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog
from sqlmodel import Session, col, select, text

from plumbline.core.facts.configuration import Platform
from plumbline.core.rules.compile import CompiledRules, compile_packs
from plumbline.core.rules.rule import Pack, Rule
from plumbline.infra.errors import BadInput, Conflict, NotFound, RulesetInvalid
from plumbline.infra.group_path import ids_on
from plumbline.infra.resources import RULESETS
from plumbline.infra.settings import get_settings
from plumbline.models.packs import ConflictDecision, PackActivation, PackVersion, RuleNumber
from plumbline.packs.files.load import LoadedPack, load_folder, pack_from_document
from plumbline.packs.library import read_library

log = structlog.get_logger()

# One process installs or activates at a time; the number only has to be ours alone.
_INSTALL_LOCK = 0x706C756D62_02
ROOT_GROUP = 1
# Rule numbers are small integers in every row of findings.
_MOST_RULES = 30_000


@dataclass(frozen=True)
class JudgingRules:
    """The rules in force for one group, with what findings are stored under."""

    packs: tuple[Pack, ...]
    version_ids: Mapping[str, int]  # pack -> pack_version.id
    numbers: Mapping[str, int]  # rule address -> number
    grace: frozenset[str] = frozenset()  # packs whose failing findings do not count yet
    decisions: Mapping[str, str] = field(default_factory=dict)  # contradiction -> the demand that holds; empty: neither does
    rules: Mapping[str, Rule] = field(default_factory=dict)  # by address
    known_numbers: frozenset[int] = frozenset()
    told: Mapping[int, int] = field(default_factory=dict)  # number -> the lowest of those that ask the same, where there are several

    def compiled(self, platform: Platform) -> CompiledRules:
        """All packs compiled for a platform; done once a process and combination."""
        key = (platform, *(pack.content_hash for pack in self.packs))
        found = _COMPILED.get(key)
        if found is None:
            if len(_COMPILED) >= _MOST_KEPT:
                _COMPILED.clear()
            found = _COMPILED[key] = compile_packs(self.packs, platform)
        return found


# By content, which never changes under a hash; emptied when a site has published very many.
_COMPILED: dict[tuple[str, ...], CompiledRules] = {}
_PACKS: dict[str, Pack] = {}
_MOST_KEPT = 200


def pack_of(version: PackVersion) -> Pack:
    """The pack of a published version."""
    found = _PACKS.get(version.content_hash)
    if found is None:
        if len(_PACKS) >= _MOST_KEPT:
            _PACKS.clear()
        found = _PACKS[version.content_hash] = pack_from_document(version.document)
    return found


@dataclass(frozen=True)
class ActiveRules:
    """Everything that judges, as of one judging epoch."""

    judging_epoch: int
    by_group: Mapping[int, JudgingRules]


@dataclass(frozen=True)
class Choice:
    """A pack that is supposed to judge otherwise than it does: what a preview or a look at the past asks.

    `content` None means switched off. A draft has no version yet: `version_id` is 0. `group_id` is where it is activated; None means
    everywhere, whatever any group says.
    """

    pack: str
    content: Pack | None
    version_id: int = 0
    group_id: int | None = None
    in_grace: bool = False


NO_RULES = JudgingRules((), {}, {})


@dataclass(frozen=True, slots=True)
class _InForce:
    content: Pack
    version_id: int
    in_grace: bool


def read_active(session: Session, *, at: datetime | None = None, choices: Sequence[Choice] = ()) -> ActiveRules:
    """Reads what is in force, or what was at an instant, with some packs chosen otherwise.

    The epoch is read first: an activation in between then only makes hosts be judged once more. The tree of groups is today's.
    """
    epoch = int(session.execute(text("SELECT judging_epoch FROM installation")).scalar_one())
    groups = {row.id: row.path for row in session.execute(text("SELECT id, path FROM host_group"))}
    activations = _activations(session, at)
    decided = _decisions(session, at)
    numbers = {f"{row.pack}/{row.rule}": row.no for row in session.exec(select(RuleNumber)) if row.no is not None}
    told = read_library(session).told
    for choice in choices:
        for rule in choice.content.rules if choice.content is not None else ():
            # A draft's new rules have no number yet; theirs are below zero and never stored.
            numbers.setdefault(rule.address, -1 - len(numbers))
    wanted = {each.pack_version_id for packs in activations.values() for each in packs.values() if each.pack_version_id is not None}
    versions = {each.id: pack_of(each) for each in session.exec(select(PackVersion).where(col(PackVersion.id).in_(wanted)))}
    built: dict[tuple[Any, ...], JudgingRules] = {}
    by_group: dict[int, JudgingRules] = {}
    for group_id, path in groups.items():
        above = ids_on(path)
        chosen = _chosen(above, activations, versions, choices, at)
        decisions: dict[str, str] = {}
        for each in above:
            decisions.update(decided.get(each, {}))
        key = (
            tuple((name, each.version_id, each.content.content_hash, each.in_grace) for name, each in sorted(chosen.items())),
            tuple(sorted(decisions.items())),
        )
        if key not in built:
            built[key] = _judging_rules(chosen, decisions, numbers, told)
        by_group[group_id] = built[key]
    return ActiveRules(epoch, by_group)


def _activations(session: Session, at: datetime | None) -> dict[int, dict[str, PackActivation]]:
    """The newest activation of each pack on each group."""
    query = select(PackActivation).order_by(col(PackActivation.id))
    if at is not None:
        query = query.where(col(PackActivation.activated_at) <= at)
    found: dict[int, dict[str, PackActivation]] = {}
    for activation in session.exec(query):
        found.setdefault(activation.group_id, {})[activation.pack] = activation
    return found


def _decisions(session: Session, at: datetime | None) -> dict[int, dict[str, str]]:
    """What was decided on each group: contradiction -> the demand that holds."""
    query = select(ConflictDecision).where(ConflictDecision.state == "active")
    if at is not None:
        ended, decided = col(ConflictDecision.ended_at), col(ConflictDecision.decided_at)
        query = select(ConflictDecision).where(
            decided <= at, ended.is_(None) | (ended > at), col(ConflictDecision.state).in_(("active", "withdrawn", "replaced"))
        )
    found: dict[int, dict[str, str]] = {}
    for each in session.exec(query.order_by(col(ConflictDecision.decided_at), col(ConflictDecision.id))):
        found.setdefault(each.group_id, {})[each.contradiction] = each.holds
    return found


def _chosen(
    above: Sequence[int],
    activations: Mapping[int, Mapping[str, PackActivation]],
    versions: Mapping[int | None, Pack],
    choices: Sequence[Choice],
    at: datetime | None,
) -> dict[str, _InForce]:
    """The packs in force for a group, from the root (the first of `above`) down to itself."""
    chosen: dict[str, _InForce] = {}
    for group_id in above:
        here: dict[str, _InForce | None] = {}
        for pack, each in activations.get(group_id, {}).items():
            if each.is_inherited:
                continue
            here[pack] = None
            if each.pack_version_id is not None:
                here[pack] = _InForce(versions[each.pack_version_id], each.pack_version_id, _is_in_grace(each, at))
        for choice in choices:
            if choice.group_id == group_id:
                here[choice.pack] = _supposed(choice)
        _lay_over(chosen, here)
    _lay_over(chosen, {choice.pack: _supposed(choice) for choice in choices if choice.group_id is None})
    return chosen


def _supposed(choice: Choice) -> _InForce | None:
    return None if choice.content is None else _InForce(choice.content, choice.version_id, choice.in_grace)


def _lay_over(chosen: dict[str, _InForce], here: Mapping[str, _InForce | None]) -> None:
    for pack, each in here.items():
        if each is None:
            chosen.pop(pack, None)
        else:
            chosen[pack] = each


def _is_in_grace(activation: PackActivation, at: datetime | None) -> bool:
    """Until the end was written, not until the clock says so: see the head of this module."""
    if activation.grace_until is None:
        return False
    return activation.grace_ended_at is None or (at is not None and activation.grace_ended_at > at)


def grace_ends(session: Session, path: str) -> dict[str, datetime]:
    """The packs that are in their time of grace for the group at this path, and when it is over. One query."""
    above = ids_on(path)
    rows = session.exec(select(PackActivation).where(col(PackActivation.group_id).in_(above)).order_by(col(PackActivation.id)))
    newest = {(each.group_id, each.pack): each for each in rows}
    found: dict[str, datetime] = {}
    for (_, pack), each in sorted(newest.items(), key=lambda item: above.index(item[0][0])):
        if each.is_inherited:
            continue
        found.pop(pack, None)
        if each.grace_until is not None and _is_in_grace(each, None):
            found[pack] = each.grace_until
    return found


def _judging_rules(
    chosen: Mapping[str, _InForce], decisions: Mapping[str, str], numbers: Mapping[str, int], told: Mapping[int, int]
) -> JudgingRules:
    in_order = sorted(chosen.items())
    packs = tuple(each.content for _, each in in_order)
    rules = {rule.address: rule for pack in packs for rule in pack.rules}
    return JudgingRules(
        packs,
        {name: each.version_id for name, each in in_order},
        numbers,
        frozenset(name for name, each in in_order if each.in_grace),
        decisions,
        rules,
        frozenset(numbers[address] for address in rules),
        told,
    )


def install_builtin(session: Session) -> list[str]:
    """Publishes the packs that come with the program, and the site's, where they are new; answers "pack version" for each.

    On an installation where nothing judges yet all of them are activated on the root. Later ones are only published: what they would
    change is looked at first. A mistake in the site's folder is told in the log and keeps nothing from starting. Safe on every start
    and from several processes.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    loaded = list(load_folder(RULESETS))
    versions = [publish(session, pack, is_builtin=True) for pack in loaded]
    versions += _publish_site(session, loaded)
    if session.exec(select(PackActivation.id).limit(1)).first() is None:
        for version in versions:
            if version is not None and version.id is not None:
                activate(session, group_id=ROOT_GROUP, pack=version.pack, version_id=version.id)
    return [f"{version.pack} {version.version}" for version in versions if version is not None]


def _publish_site(session: Session, beside: Sequence[LoadedPack]) -> list[PackVersion | None]:
    site = get_settings().site_rulesets
    if site is None:
        return []
    try:
        loaded = load_folder(site, beside=beside)
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
    """The same for a pack whose files are no longer at hand."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    if session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.content_hash == pack.content_hash)).first():
        return None
    number = pack.version
    taken = session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.version == number)).first()
    if taken is not None:
        if not is_builtin:
            raise Conflict(
                f"{pack.id} {number} is published already with other content (hash {taken.content_hash[:12]});"
                " a published version never changes: raise the version in pack.yaml"
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
    mine = {each.rule for each in known if each.pack == pack.id}
    new = [rule.id for rule in pack.rules if rule.id not in mine]
    if len(known) + len(new) > _MOST_RULES:
        raise Conflict(f"an installation holds at most {_MOST_RULES:,} rules over all packs ever published")
    session.add_all([RuleNumber(pack=pack.id, rule=rule) for rule in new])
    session.flush()
    if _is_linked_anew(session, row, pack, {f"{pack.id}/{rule}" for rule in new}):
        # Which rules are told once is stored with each finding: hosts are judged again, though no other rule is in force.
        raise_judging_epoch(session)
    return row


def _is_linked_anew(session: Session, row: PackVersion, pack: Pack, new: set[str]) -> bool:
    """Whether this version may change which rules ask the same: by its own links, or by rules that others lead to."""
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


def activate(
    session: Session,
    *,
    group_id: int,
    pack: str,
    version_id: int | None,
    activated_by: int | None = None,
    grace_until: datetime | None = None,
    is_inherited: bool = False,
    reason: str = "",
) -> PackActivation:
    """Puts a version in force for a group and all below it. None switches the pack off there; `is_inherited` makes the group follow the
    one above again. Hosts are judged again in the background; trends are marked. The caller audits it.

    Raises `NotFound` for a version that is not of this pack, `BadInput` for a time of grace that is over or has nothing to count.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    now: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    if grace_until is not None and (version_id is None or is_inherited):
        raise BadInput("a time of grace needs a version that begins to judge")
    if grace_until is not None and grace_until <= now:
        raise BadInput("the time of grace ends in the past")
    version = session.get(PackVersion, version_id) if version_id is not None else None
    if version_id is not None and (version is None or version.pack != pack):
        raise NotFound(f"no such version of {pack}")
    activation = PackActivation(
        group_id=group_id,
        pack=pack,
        pack_version_id=version_id,
        activated_by=activated_by,
        activated_at=now,
        grace_until=grace_until,
        is_inherited=is_inherited,
        reason=reason,
    )
    session.add(activation)
    session.flush()
    what = "follows the group above" if is_inherited else "switched off" if version is None else version.version
    kind = "pack_activated" if version is not None else "pack_changed"
    mark_trends(session, kind=kind, label=f"{pack} {what}", group_id=group_id)
    raise_judging_epoch(session)
    return activation


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
    for each in activations:
        mark_trends(session, kind="grace_ended", label=f"{each.pack}: grace ended", group_id=each.group_id)
    raise_judging_epoch(session)
    return activations


def mark_trends(session: Session, *, kind: str, label: str, group_id: int) -> None:
    """Marks every trend of the group, so that a score which moves because the rules did never looks like drift."""
    # Tables of packages further up the ladder are written by their names, not by their classes.
    session.execute(
        text("INSERT INTO fleet_event (at, kind, label, group_id) VALUES (clock_timestamp(), :kind, :label, :group)"),
        {"kind": kind, "label": label, "group": group_id},
    )


def raise_judging_epoch(session: Session) -> int:
    """Makes every host lag, so that the background judges it again; for whatever changes which rules judge (a group that moved, too)."""
    return int(session.execute(text("UPDATE installation SET judging_epoch = judging_epoch + 1 RETURNING judging_epoch")).scalar_one())
