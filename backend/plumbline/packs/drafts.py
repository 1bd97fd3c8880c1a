"""Drafts: a pack is uploaded and checked, then published as an immutable version, or discarded."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.rights import require
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.packs import PACK_VERSION, RULE_NUMBER, PackVersion
from plumbline.models.previews import PACK_DRAFT, PackDraft
from plumbline.packs.files import load_builtin
from plumbline.packs.files.load import pack_from_document
from plumbline.packs.publish import publish_document
from plumbline.packs.schemas import DraftOut, MistakeOut, UploadResult
from plumbline.packs.uploads import CheckedUpload, check_archive, check_files

MOST_DRAFTS = 50
MOST_MISTAKES = 200


def upload_archive(session: Session, *, actor: Actor, content: bytes, source: str) -> UploadResult:
    """Checks a zip archive and keeps it as a draft if nothing is wrong with it. Raises `BadInput` where it is no archive of a pack."""
    return _store(session, actor, check_archive(content), source)


def upload_files(session: Session, *, actor: Actor, files: dict[str, str], source: str) -> UploadResult:
    """The same for YAML files by name."""
    return _store(session, actor, check_files({name: text.encode("utf-8", "replace") for name, text in files.items()}), source)


def _store(session: Session, actor: Actor, checked: CheckedUpload, source: str) -> UploadResult:
    if checked.loaded is None:
        mistakes = [
            MistakeOut(file=mistake.file, line=mistake.line, message=mistake.message) for mistake in checked.mistakes[:MOST_MISTAKES]
        ]
        return UploadResult(draft=None, mistakes=mistakes, mistake_count=len(checked.mistakes))
    pack = checked.loaded.pack
    refuse_taken(session, pack.id, [rule.id for rule in pack.rules])
    draft = PackDraft(
        pack=pack.id,
        version=pack.version,
        content_hash=pack.content_hash,
        document=checked.loaded.document,
        source=source[:200],
        cases=checked.cases,
        made_by=actor.person_id,
    )
    session.add(draft)
    session.flush()
    _forget_old(session)
    audit.record(
        session,
        actor=actor.audit_name,
        action="pack.drafted",
        about=audit.Object("pack", pack.id),
        after={"version": pack.version, "hash": pack.content_hash, "rules": len(pack.rules)},
    )
    return UploadResult(draft=draft_out(session, draft), mistakes=[], mistake_count=0)


def refuse_builtin(pack: str) -> None:
    """The packs of the papers are the program's: a site that changes one would keep its name and lose its meaning."""
    if pack in {each.id for each in load_builtin()}:
        raise Conflict(f"{pack} is a built-in pack. Use another name in pack.yaml.")


def refuse_taken(session: Session, pack: str, rules: list[str]) -> None:
    """Raises `Conflict` for a name of ours, or a rule id that another pack has: findings and waivers name rules by it."""
    refuse_builtin(pack)
    taken = session.execute(
        select(RULE_NUMBER.pack, RULE_NUMBER.rule)
        .where(RULE_NUMBER.rule.in_(rules), RULE_NUMBER.pack != pack)
        .order_by(RULE_NUMBER.rule)
        .limit(1)
    ).first()
    if taken is not None:
        raise Conflict(f"the rule id {taken.rule!r} is taken by pack {taken.pack}; rule ids are unique over all packs")


def _forget_old(session: Session) -> None:
    """Keeps the newest unpublished drafts only."""
    old = session.scalars(
        select(PackDraft).where(PACK_DRAFT.published_version_id.is_(None)).order_by(PACK_DRAFT.id.desc()).offset(MOST_DRAFTS)
    )
    for draft in old.all():
        session.delete(draft)


def draft_of(session: Session, draft_id: int) -> PackDraft:
    """A draft. Raises `NotFound`."""
    draft = session.get(PackDraft, draft_id)
    if draft is None:
        raise NotFound("Draft not found. It may have been discarded.")
    return draft


def draft_out(session: Session, draft: PackDraft) -> DraftOut:
    """The draft, with the reason if it cannot be published."""
    return _drafts_out(session, [draft])[0]


def _drafts_out(session: Session, drafts: Sequence[PackDraft]) -> list[DraftOut]:
    """One query, whatever the number of drafts."""
    published: dict[str, list[Any]] = {}
    query = (
        select(PACK_VERSION.id, PACK_VERSION.pack, PACK_VERSION.version, PACK_VERSION.content_hash)
        .where(PACK_VERSION.pack.in_({draft.pack for draft in drafts}))
        .order_by(PACK_VERSION.id)
    )
    for row in session.execute(query):
        published.setdefault(row.pack, []).append(row)
    return [_draft_out(draft, published.get(draft.pack, [])) for draft in drafts]


def _draft_out(draft: PackDraft, published: Sequence[Any]) -> DraftOut:
    obstacle = ""
    if any(row.content_hash == draft.content_hash for row in published):
        obstacle = "This content is already published."
    elif any(row.version == draft.version for row in published):
        obstacle = f"Version {draft.version} is already published with different content. Raise the version in pack.yaml and upload again."
    return DraftOut(
        id=draft.id or 0,
        pack=draft.pack,
        version=draft.version,
        content_hash=draft.content_hash,
        title=str(draft.document["pack"]["title"]),
        source=draft.source,
        rules=len(draft.document["rules"]),
        cases=draft.cases,
        made_at=draft.made_at,
        published_version_id=draft.published_version_id,
        previous_version_id=published[-1].id if published else None,
        obstacle="" if draft.published_version_id else obstacle,
    )


def read_draft(session: Session, *, draft_id: int) -> DraftOut:
    """One draft."""
    return draft_out(session, draft_of(session, draft_id))


def list_drafts(session: Session) -> list[DraftOut]:
    """The unpublished drafts, newest first."""
    rows = session.scalars(
        select(PackDraft).where(PACK_DRAFT.published_version_id.is_(None)).order_by(PACK_DRAFT.id.desc()).limit(MOST_DRAFTS)
    )
    return _drafts_out(session, rows.all())


def publish_draft(session: Session, *, actor: Actor, draft_id: int, note: str) -> DraftOut:
    """Publishes a draft as an immutable version. It evaluates nothing until it is activated. Raises `NotFound`, `Conflict`."""
    require(actor, "pack.publish", ROOT_PATH, missing="Draft not found.")
    draft = draft_of(session, draft_id)
    if draft.published_version_id is not None:
        raise Conflict("this draft is published already")
    pack = pack_from_document(draft.document)
    refuse_taken(session, pack.id, [rule.id for rule in pack.rules])
    version = publish_document(session, pack, draft.document, published_by=actor.person_id, note=note)
    if version is None:
        raise Conflict("This content is already published.")
    draft.published_version_id = version.id
    session.add(draft)
    session.flush()
    record_published(session, actor=actor.audit_name, version=version, rules=len(pack.rules))
    return draft_out(session, draft)


def record_published(session: Session, *, actor: str, version: PackVersion, rules: int) -> None:
    """The entry in the audit log that a version was published."""
    audit.record(
        session,
        actor=actor,
        action="pack.published",
        about=audit.Object("pack", version.pack),
        after={"version": version.version, "hash": version.content_hash, "rules": rules},
        reason=version.note,
    )


def discard_draft(session: Session, *, actor: Actor, draft_id: int) -> None:
    """Forgets a draft that was not published."""
    draft = draft_of(session, draft_id)
    if draft.published_version_id is not None:
        raise Conflict("this draft is published; a published version stays")
    session.delete(draft)
    audit.record(
        session,
        actor=actor.audit_name,
        action="pack.draft_discarded",
        about=audit.Object("pack", draft.pack),
        before={"version": draft.version, "hash": draft.content_hash},
    )
