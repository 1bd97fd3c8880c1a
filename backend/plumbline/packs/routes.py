"""Routes of packs, drafts, activations, and decisions on conflicts."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import RowId
from plumbline.packs import activation, decisions, drafts, queries, side_by_side
from plumbline.packs.decision_schemas import ConflictList, DecisionAct, DecisionOut, DecisionProposal
from plumbline.packs.schemas import (
    Activation,
    DraftOut,
    PackDetail,
    PackDifference,
    PackList,
    PacksSideBySide,
    PublishDraft,
    UploadFiles,
    UploadResult,
)

router = APIRouter(route_class=IdempotentRoute)

PackId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
Source = Annotated[str, Query(max_length=200)]
Reader = Annotated[Actor, May("rule.read")]
Publisher = Annotated[Actor, May("pack.publish")]
Decider = Annotated[Actor, May("conflict.decide")]


@router.get("/packs")
def list_packs(session: SessionDep, actor: Reader) -> PackList:
    """Every pack with what is in force in the reader's scope."""
    return queries.list_packs(session, actor=actor)


@router.get("/packs/{pack}")
def read_pack(pack: PackId, session: SessionDep, actor: Reader) -> PackDetail:
    """One pack: versions, what is in force for each group, history."""
    return queries.read_pack(session, actor=actor, pack=pack)


@router.get("/packs/{pack}/difference")
def read_pack_difference(
    pack: PackId,
    session: SessionDep,
    actor: Reader,  # noqa: ARG001 - the right alone is asked for
    old: RowId | None = None,
    new: RowId | None = None,
    draft: RowId | None = None,
) -> PackDifference:
    """What differs between two versions, or a version and a draft."""
    return queries.read_difference(session, pack=pack, old_version=old, new_version=new, draft=draft)


@router.get("/packs/{pack}/beside/{other}", name="read_packs_beside")
def read_packs_side_by_side(
    pack: PackId,
    other: PackId,
    session: SessionDep,
    actor: Reader,  # noqa: ARG001 - the right alone is asked for
) -> PacksSideBySide:
    """Two packs, such as two editions of one paper, side by side: the rules of one only, and differences of the linked ones."""
    return side_by_side.read_side_by_side(session, pack=pack, other=other)


@router.post("/packs/{pack}/activations", status_code=status.HTTP_201_CREATED)
def activate_pack(pack: PackId, body: Activation, session: SessionDep, actor: Annotated[Actor, May("pack.activate")]) -> PackDetail:
    """Sets what is active for a group from now on."""
    return activation.activate(session, actor=actor, pack=pack, request=body)


@router.post("/pack-drafts/archive")
def upload_pack_archive(
    session: SessionDep,
    actor: Publisher,
    content: Annotated[bytes, Body(media_type="application/zip")],
    source: Source = "",
) -> UploadResult:
    """Checks a zip archive of one pack and keeps it as a draft if it is in order."""
    return drafts.upload_archive(session, actor=actor, content=content, source=source)


@router.post("/pack-drafts/files")
def upload_pack_files(body: UploadFiles, session: SessionDep, actor: Publisher, source: Source = "") -> UploadResult:
    """The same for YAML files by their paths in the pack."""
    return drafts.upload_files(session, actor=actor, files={file.path: file.text for file in body.files}, source=source)


@router.get("/pack-drafts")
def list_pack_drafts(session: SessionDep, actor: Publisher) -> list[DraftOut]:  # noqa: ARG001
    """Unpublished drafts."""
    return drafts.list_drafts(session)


@router.get("/pack-drafts/{draft_id}")
def read_pack_draft(draft_id: RowId, session: SessionDep, actor: Publisher) -> DraftOut:  # noqa: ARG001
    """One draft."""
    return drafts.read_draft(session, draft_id=draft_id)


@router.post("/pack-drafts/{draft_id}/publish")
def publish_pack_draft(draft_id: RowId, body: PublishDraft, session: SessionDep, actor: Publisher) -> DraftOut:
    """Publishes a draft as an immutable version; it evaluates nothing until it is activated."""
    return drafts.publish_draft(session, actor=actor, draft_id=draft_id, note=body.note)


@router.delete("/pack-drafts/{draft_id}", status_code=status.HTTP_204_NO_CONTENT)
def discard_pack_draft(draft_id: RowId, session: SessionDep, actor: Publisher) -> None:
    """Forgets a draft that was not published."""
    drafts.discard_draft(session, actor=actor, draft_id=draft_id)


@router.get("/conflicts")
def list_conflicts(session: SessionDep, actor: Reader, group: RowId | None = None) -> ConflictList:
    """Where active packs require opposite values on hosts in scope."""
    return decisions.list_conflicts(session, actor=actor, group_id=group)


@router.post("/conflict-decisions", status_code=status.HTTP_201_CREATED)
def propose_conflict_decision(body: DecisionProposal, session: SessionDep, actor: Annotated[Actor, May("conflict.propose")]) -> DecisionOut:
    """Proposes which side of a conflict holds for a group."""
    return decisions.propose(session, actor=actor, request=body)


@router.post("/conflict-decisions/{decision_id}/approve")
def approve_conflict_decision(decision_id: RowId, body: DecisionAct, session: SessionDep, actor: Decider) -> DecisionOut:
    """Puts a proposal in force; never one's own."""
    return decisions.approve(session, actor=actor, decision_id=decision_id, reason=body.reason)


@router.post("/conflict-decisions/{decision_id}/refuse")
def refuse_conflict_decision(decision_id: RowId, body: DecisionAct, session: SessionDep, actor: Decider) -> DecisionOut:
    """Refuses a proposal."""
    return decisions.refuse(session, actor=actor, decision_id=decision_id, reason=body.reason)


@router.post("/conflict-decisions/{decision_id}/withdraw")
def withdraw_conflict_decision(
    decision_id: RowId, body: DecisionAct, session: SessionDep, actor: Annotated[Actor, May("conflict.withdraw")]
) -> DecisionOut:
    """Takes back a proposal of one's own, or ends a decision."""
    return decisions.withdraw(session, actor=actor, decision_id=decision_id, reason=body.reason)
