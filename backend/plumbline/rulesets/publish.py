"""Publishing: a pack becomes an immutable version in the database, its rules get their numbers, a group activates it.

Sessions commit elsewhere (`database.py`); these functions flush where they need an id.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from plumbline.errors import Conflict, NotFound
from plumbline.rulesets.diff import needed_version
from plumbline.rulesets.load import LoadedPack, pack_from_document
from plumbline.rulesets.models import PackActivation, PackVersion, RuleNumber
from plumbline.scoring.rule import Pack


class PackVersionExists(Conflict):
    """The version is published already, with other content."""

    code = "pack_version_exists"


def publish(session: Session, loaded: LoadedPack, *, published_by: int | None = None, note: str = "") -> PackVersion:
    """Publishes a pack. The same version with the same content is returned as it stands; with other content it is refused.

    The content may ask for a higher version than the file names (another expectation: major; see `diff.needed_version`); that too is
    refused, so that a finding's "rule changed" always stands beside a version that says so.
    """
    pack = loaded.pack
    existing = session.exec(select(PackVersion).where(PackVersion.pack == pack.id, PackVersion.version == pack.version)).one_or_none()
    if existing is not None:
        if existing.content_hash == pack.content_hash:
            return existing
        raise PackVersionExists(f"{pack.id} {pack.version} is published with other content; raise the version in pack.yaml", pack=pack.id)
    newest = latest(session, pack.id)
    if newest is not None and newest.id is not None:
        old = stored_pack(session, newest.id)
        needed = needed_version(old, pack)
        if _parts(pack.version) < _parts(needed):
            raise Conflict(f"{pack.id}: these changes since {old.version} need version {needed} or higher, pack.yaml says {pack.version}")
    version = PackVersion(
        pack=pack.id,
        version=pack.version,
        content_hash=pack.content_hash,
        document=loaded.document,
        published_by=published_by,
        note=note,
    )
    session.add(version)
    _number_rules(session, pack)
    session.flush()
    return version


def publish_all(session: Session, packs: Iterable[LoadedPack], *, note: str = "") -> list[PackVersion]:
    """Publishes several packs in the order of their names; done twice it does nothing new."""
    return [publish(session, each, note=note) for each in sorted(packs, key=lambda each: each.pack.id)]


def _number_rules(session: Session, pack: Pack) -> None:
    """Every rule ever published keeps its number; new ones get the next."""
    known = set(session.exec(select(RuleNumber.rule).where(RuleNumber.pack == pack.id)))
    for rule in pack.rules:
        if rule.id not in known:
            session.add(RuleNumber(pack=pack.id, rule=rule.id))


def rule_numbers(session: Session) -> dict[str, int]:
    """The number of each rule by its address, `pack/rule`."""
    return {f"{row.pack}/{row.rule}": row.no for row in session.exec(select(RuleNumber)) if row.no is not None}


def latest(session: Session, pack: str) -> PackVersion | None:
    """The version of a pack that was published last."""
    return session.exec(select(PackVersion).where(PackVersion.pack == pack).order_by(col(PackVersion.id).desc()).limit(1)).one_or_none()


def stored_pack(session: Session, version_id: int) -> Pack:
    """A published pack. Content never changes, so each is read and checked once a process."""
    content_hash = session.exec(select(PackVersion.content_hash).where(PackVersion.id == version_id)).one_or_none()
    if content_hash is None:
        raise NotFound(f"there is no pack version {version_id}")
    found = _packs_by_hash.get(content_hash)
    if found is None:
        document = session.exec(select(PackVersion.document).where(PackVersion.id == version_id)).one()
        found = _packs_by_hash[content_hash] = pack_from_document(dict(document))
    return found


_packs_by_hash: dict[str, Pack] = {}


def activate(
    session: Session, *, group_id: int, version: PackVersion, activated_by: int | None = None, grace_until: datetime | None = None
) -> PackActivation:
    """Lets a version judge a group and what lies below it. The caller raises the judging epoch in the same transaction."""
    activation = PackActivation(
        group_id=group_id, pack=version.pack, pack_version_id=version.id, activated_by=activated_by, grace_until=grace_until
    )
    session.add(activation)
    session.flush()
    return activation


def deactivate(session: Session, *, group_id: int, pack: str, activated_by: int | None = None) -> PackActivation:
    """Switches a pack off for a group and what lies below it."""
    activation = PackActivation(group_id=group_id, pack=pack, pack_version_id=None, activated_by=activated_by)
    session.add(activation)
    session.flush()
    return activation


def active_versions(session: Session, group_chain: list[int]) -> dict[str, PackActivation]:
    """The activations that judge a group, by pack. `group_chain` is the group and those above it, nearest first.

    The newest activation of the nearest group that has one counts; a pack switched off there is left out.
    """
    newest = (
        select(func.max(PackActivation.id)).where(col(PackActivation.group_id).in_(group_chain)).group_by(
            col(PackActivation.group_id), col(PackActivation.pack)
        )
    )  # fmt: skip
    rows = session.exec(select(PackActivation).where(col(PackActivation.id).in_(newest))).all()
    chosen: dict[str, PackActivation] = {}
    for row in sorted(rows, key=lambda row: group_chain.index(row.group_id)):
        chosen.setdefault(row.pack, row)
    return {pack: row for pack, row in sorted(chosen.items()) if row.pack_version_id is not None}


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
