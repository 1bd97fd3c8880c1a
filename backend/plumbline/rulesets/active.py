"""Which pack versions judge which group, compiled and ready; publishing and activating them; the packs that come with the program.

A pack is activated on a group and judges everything below it until a nearer group says otherwise. Each activation raises the
installation's judging epoch; hosts judged under a lower one are judged again in the background.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlmodel import Session, col, select, text

from plumbline.facts.configuration import Platform
from plumbline.resources import RULESETS
from plumbline.rulesets.load import LoadedPack, load_folder, pack_from_document
from plumbline.rulesets.models import PackActivation, PackVersion, RuleNumber
from plumbline.scoring.compile import CompiledRules, compile_packs
from plumbline.scoring.rule import Pack, Rule
from plumbline.settings import get_settings

# One process installs or activates at a time; the number only has to be ours alone.
_INSTALL_LOCK = 0x706C756D62_02
ROOT_GROUP = 1


@dataclass(frozen=True)
class JudgingRules:
    """The rules in force for one group, with what findings are stored under."""

    packs: tuple[Pack, ...]
    version_ids: Mapping[str, int]  # pack -> pack_version.id
    numbers: Mapping[str, int]  # rule address -> number
    grace: frozenset[str] = frozenset()  # packs whose failing findings do not count yet
    rules: Mapping[str, Rule] = field(default_factory=dict)  # by address
    known_numbers: frozenset[int] = frozenset()

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


NO_RULES = JudgingRules((), {}, {})


def read_active(session: Session) -> ActiveRules:
    """Reads what is in force. The epoch is read first: an activation in between then only makes hosts be judged once more."""
    epoch = int(session.execute(text("SELECT judging_epoch FROM installation")).scalar_one())
    now: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    groups = {row.id: row.path for row in session.execute(text("SELECT id, path FROM host_group"))}
    activations: dict[int, dict[str, PackActivation]] = {}
    for activation in session.exec(select(PackActivation).order_by(col(PackActivation.id))):
        activations.setdefault(activation.group_id, {})[activation.pack] = activation
    numbers = {f"{row.pack}/{row.rule}": row.no for row in session.exec(select(RuleNumber)) if row.no is not None}
    versions: dict[int, Pack] = {}
    wanted = {each.pack_version_id for packs in activations.values() for each in packs.values() if each.pack_version_id is not None}
    for version in session.exec(select(PackVersion).where(col(PackVersion.id).in_(wanted))):
        if version.id is not None:
            versions[version.id] = pack_of(version)
    built: dict[tuple[tuple[str, int, bool], ...], JudgingRules] = {}
    by_group: dict[int, JudgingRules] = {}
    for group_id, path in groups.items():
        chosen: dict[str, PackActivation] = {}
        for above in (int(part) for part in path.strip("/").split("/")):
            chosen.update(activations.get(above, {}))
        key = tuple(
            (pack, each.pack_version_id, each.grace_until is not None and each.grace_until > now)
            for pack, each in sorted(chosen.items())
            if each.pack_version_id is not None
        )
        if key not in built:
            built[key] = _judging_rules(key, versions, numbers)
        by_group[group_id] = built[key]
    return ActiveRules(epoch, by_group)


def _judging_rules(key: tuple[tuple[str, int, bool], ...], versions: Mapping[int, Pack], numbers: Mapping[str, int]) -> JudgingRules:
    packs = tuple(versions[version_id] for _, version_id, _ in key)
    rules = {rule.address: rule for pack in packs for rule in pack.rules}
    return JudgingRules(
        packs,
        {pack: version_id for pack, version_id, _ in key},
        numbers,
        frozenset(pack for pack, _, in_grace in key if in_grace),
        rules,
        frozenset(numbers[address] for address in rules),
    )


def install_builtin(session: Session) -> list[str]:
    """Publishes the packs that come with the program, and the site's, where they are new; answers "pack version" for each.

    A pack that was never activated anywhere is activated on the root. A newer version is only published: what it would change is looked at
    first. Safe on every start and from several processes.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    loaded = list(load_folder(RULESETS))
    site = get_settings().site_rulesets
    if site is not None:
        loaded += load_folder(site, beside=loaded)
    said = []
    for pack in loaded:
        version = publish(session, pack)
        if version is not None:
            said.append(f"{version.pack} {version.version}")
    active = set(session.exec(select(PackActivation.pack)))
    for pack in loaded:
        if pack.pack.id not in active:
            newest = session.exec(
                select(PackVersion).where(PackVersion.pack == pack.pack.id).order_by(col(PackVersion.id).desc()).limit(1)
            ).one()
            activate(session, group_id=ROOT_GROUP, pack=pack.pack.id, version_id=newest.id)
    return said


def publish(session: Session, loaded: LoadedPack, *, published_by: int | None = None, note: str = "") -> PackVersion | None:
    """Publishes a pack as an immutable version; None where exactly this content is published already.

    The same version number with other content becomes `version+hash`, so that no finding ever names a version that was rewritten.
    """
    pack = loaded.pack
    if session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.content_hash == pack.content_hash)).first():
        return None
    number = pack.version
    if session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.version == number)).first():
        number = f"{number}+{pack.content_hash[:8]}"
    row = PackVersion(
        pack=pack.id, version=number, content_hash=pack.content_hash, document=loaded.document, published_by=published_by, note=note
    )
    session.add(row)
    known = set(session.exec(select(RuleNumber.rule).where(RuleNumber.pack == pack.id)))
    for rule in pack.rules:
        if rule.id not in known:
            session.add(RuleNumber(pack=pack.id, rule=rule.id))
    session.flush()
    return row


def activate(
    session: Session,
    *,
    group_id: int,
    pack: str,
    version_id: int | None,
    activated_by: int | None = None,
    grace_until: datetime | None = None,
) -> int:
    """Puts a version in force for a group and all below it (None: switches the pack off there). Answers the new judging epoch.

    The caller audits it. Hosts are judged again in the background; trends are marked.
    """
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _INSTALL_LOCK})
    session.add(
        PackActivation(
            group_id=group_id,
            pack=pack,
            pack_version_id=version_id,
            activated_by=activated_by,
            activated_at=datetime.now(UTC),
            grace_until=grace_until,
        )
    )
    session.flush()
    label = f"{pack} switched off"
    if version_id is not None:
        version = session.get_one(PackVersion, version_id)
        label = f"{pack} {version.version}"
    # Tables of packages further up the ladder are written by their names, not by their classes.
    session.execute(text("INSERT INTO fleet_event (kind, label) VALUES ('pack_activated', :label)"), {"label": label})
    return raise_judging_epoch(session)


def raise_judging_epoch(session: Session) -> int:
    """Makes every host lag, so that the background judges it again; for whatever changes which rules judge (a group that moved, too)."""
    return int(session.execute(text("UPDATE installation SET judging_epoch = judging_epoch + 1 RETURNING judging_epoch")).scalar_one())
