"""Files attached to waivers and attestations: stored in the database, typed by their first bytes, returned as attachments only."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.columns import is_one_of
from plumbline.models.findings import EVIDENCE_FILE, Attestation, AttestationState, EvidenceFile, Waiver, WaiverState
from plumbline.waivers.schemas import EvidenceFileOut

# Enough for a screenshot or a page of a report; link to anything larger. The body of every request is bounded at 1 MiB.
LARGEST_BYTES = 1_000_000
MOST_FILES = 5
# First bytes of a file and its media type; the file's name does not count.
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"%PDF-", "application/pdf"),
)
_UNSAFE = re.compile(r"[^\w .()+@-]+")


def media_type_of(content: bytes) -> str:
    """The media type by the first bytes. Raises `BadInput` for what is neither a picture, a PDF nor plain UTF-8 text."""
    for beginning, media_type in _BEGINNINGS:
        if content.startswith(beginning):
            return media_type
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if any(ord(char) < 32 and char not in "\t\r\n\f" for char in text):
        raise BadInput("Unsupported file type. Use PNG, JPEG, WebP, PDF or UTF-8 text, or add a link.")
    return "text/plain"


def safe_name(name: str) -> str:
    """A file name without folders, quotes, control characters or anything special to a header or a file system."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    return _UNSAFE.sub("_", last).strip(" .")[:120] or "evidence"


def attach_to_waiver(session: Session, *, actor: Actor, waiver: Waiver, name: str, content: bytes) -> EvidenceFileOut:
    """Attaches a file to a request that is not decided yet: what an approver saw does not change afterwards."""
    if waiver.state != WaiverState.REQUESTED or waiver.requested_by != actor.person_id:
        raise Conflict("Only the requester can attach files, until the waiver is decided.")
    return _attach(session, actor, EvidenceFile(waiver_id=waiver.id, **_columns(actor, name, content)), waiver.group_id)


def attach_to_attestation(session: Session, *, actor: Actor, attestation: Attestation, name: str, content: bytes) -> EvidenceFileOut:
    """Attaches a file to one's own active attestation."""
    if attestation.state != AttestationState.ACTIVE or attestation.author_id != actor.person_id:
        raise Conflict("Only the author can attach files, while the attestation is active.")
    return _attach(session, actor, EvidenceFile(attestation_id=attestation.id, **_columns(actor, name, content)), attestation.group_id)


def _columns(actor: Actor, name: str, content: bytes) -> dict[str, Any]:
    if not content:
        raise BadInput("the file is empty")
    if len(content) > LARGEST_BYTES:
        raise BadInput(f"the file is larger than {LARGEST_BYTES // 1000} kB; give a link to it instead")
    return {
        "name": safe_name(name),
        "media_type": media_type_of(content),
        "size_bytes": len(content),
        "sha256": hashlib.sha256(content).digest(),
        "content": content,
        "uploaded_by": actor.person_id,
    }


def _attach(session: Session, actor: Actor, row: EvidenceFile, group_id: int | None) -> EvidenceFileOut:
    kind, owner = ("waiver", row.waiver_id) if row.waiver_id is not None else ("attestation", row.attestation_id)
    column = EVIDENCE_FILE.waiver_id if kind == "waiver" else EVIDENCE_FILE.attestation_id
    if (session.scalar(select(func.count()).select_from(EvidenceFile).where(column == owner)) or 0) >= MOST_FILES:
        raise Conflict(f"there are {MOST_FILES} files already; give a link to more")
    session.add(row)
    session.flush()
    session.refresh(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action=f"{kind}.evidence_attached",
        about=audit.Object(kind, str(owner), group_id),
        after={"name": row.name, "size_bytes": row.size_bytes, "sha256": row.sha256.hex()},
    )
    return file_out(row)


def file_out(row: EvidenceFile) -> EvidenceFileOut:
    """A file as lists show it."""
    return EvidenceFileOut(
        id=row.id or 0,
        name=row.name,
        media_type=row.media_type,
        size_bytes=row.size_bytes,
        sha256=row.sha256.hex(),
        uploaded_at=row.uploaded_at,
    )


def files_of_waiver(session: Session, waiver_id: int) -> list[EvidenceFileOut]:
    """The files of a waiver, oldest first, without their content."""
    return [file for _, file in _listed(session, EVIDENCE_FILE.waiver_id == waiver_id)]


def files_of_attestations(session: Session, ids: Sequence[int]) -> dict[int, list[EvidenceFileOut]]:
    """The files of some attestations, oldest first, without their content. One query."""
    by_owner: dict[int, list[EvidenceFileOut]] = {}
    for owner, file in _listed(session, is_one_of(EVIDENCE_FILE.attestation_id, ids)):
        by_owner.setdefault(owner or 0, []).append(file)
    return by_owner


def _listed(session: Session, condition: Any) -> list[tuple[int | None, EvidenceFileOut]]:
    columns = (
        EVIDENCE_FILE.id,
        EVIDENCE_FILE.name,
        EVIDENCE_FILE.media_type,
        EVIDENCE_FILE.size_bytes,
        EVIDENCE_FILE.sha256,
        EVIDENCE_FILE.uploaded_at,
    )
    rows = session.execute(select(EVIDENCE_FILE.attestation_id, *columns).where(condition).order_by(EVIDENCE_FILE.id))
    return [
        (owner, EvidenceFileOut(id=file_id, name=name, media_type=media, size_bytes=size, sha256=digest.hex(), uploaded_at=at))
        for owner, file_id, name, media, size, digest, at in rows
    ]


def read_file(session: Session, *, file_id: int, waiver_id: int | None = None, attestation_id: int | None = None) -> tuple[str, str, bytes]:
    """How the file is disposed of, its media type and its content. The caller has shown that its owner may be read. Raises `NotFound`."""
    row = session.get(EvidenceFile, file_id)
    if row is None or (row.waiver_id, row.attestation_id) != (waiver_id, attestation_id):
        raise NotFound("File not found.")
    # RFC 6266: an ASCII form for old clients and the full one; never inline, so that no browser opens an uploaded file.
    plain = row.name.encode("ascii", "replace").decode().replace("?", "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(row.name)}", row.media_type, row.content
