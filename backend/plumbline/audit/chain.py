"""The chain over the audit trail: gapless numbers, each hash over the one before and the canonical entry, and signed heads.

Only the background worker's database role may number entries, and only one process does at a time (an advisory lock). A chain alone could
be rewritten completely; its signed heads, exported outside the database, cannot.
"""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from sqlalchemy import select, text, update
from sqlmodel import Session

from plumbline.infra.durable_files import append_line, write_new
from plumbline.infra.settings import get_settings
from plumbline.models.audit import AuditEntry, AuditHead
from plumbline.models.columns import columns_of

# Any number that no other advisory lock uses.
CHAIN_LOCK = 0x706C756D62_02
FIRST = bytes(32)
UNCHAINED_ALARM_SECONDS = 60
_BATCH = 1000
_KEY_FILE = "audit-signing.key"
AUDIT_ENTRY = columns_of(AuditEntry)


def canonical(entry: AuditEntry, number: int) -> bytes:
    """The bytes that an entry's hash covers: its number and everything that was written with the act."""
    plain = {
        "number": number,
        "id": entry.id,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor,
        "action": entry.action,
        "object_kind": entry.object_kind,
        "object_id": entry.object_id,
        "group_id": entry.group_id,
        "before": entry.before,
        "after": entry.after,
        "reason": entry.reason,
        "request_id": entry.request_id,
    }
    return json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()


def link(previous: bytes, entry: AuditEntry, number: int) -> bytes:
    """SHA-256 over the previous hash and the canonical entry."""
    return hashlib.sha256(previous + canonical(entry, number)).digest()


def chain_pending(session: Session) -> int:
    """Numbers and links committed entries that are not chained yet; returns how many. Does nothing while another process chains."""
    if not session.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": CHAIN_LOCK}).scalar_one():
        return 0
    number, previous = _head(session)
    entries = session.scalars(select(AuditEntry).where(AUDIT_ENTRY.number.is_(None)).order_by(AUDIT_ENTRY.id).limit(_BATCH)).all()
    for entry in entries:
        number += 1
        previous = link(previous, entry, number)
        session.execute(
            update(AuditEntry).where(AUDIT_ENTRY.id == entry.id).values(number=number, hash=previous),
            execution_options={"synchronize_session": False},
        )
    return len(entries)


def _head(session: Session) -> tuple[int, bytes]:
    row = session.execute(
        select(AUDIT_ENTRY.number, AUDIT_ENTRY.hash).where(AUDIT_ENTRY.number.is_not(None)).order_by(AUDIT_ENTRY.number.desc()).limit(1)
    ).first()
    return (row[0], bytes(row[1])) if row else (0, FIRST)


def has_signing_key() -> bool:
    """Whether the key that signs heads is in this process' folder of keys: only the background worker needs it."""
    return (get_settings().keys / _KEY_FILE).is_file()


def signing_key(folder: Path | None = None) -> Ed25519PrivateKey:
    """The key that signs heads, created once in a file that only its owner can read."""
    path = (folder or get_settings().keys) / _KEY_FILE
    try:
        return Ed25519PrivateKey.from_private_bytes(path.read_bytes())
    except FileNotFoundError:
        key = Ed25519PrivateKey.generate()
        is_new = write_new(path, key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
        # Another process may have made it meanwhile.
        return key if is_new else signing_key(folder)


def _signed(number: int, digest: bytes) -> bytes:
    return b"plumbline-audit-head-1\0" + str(number).encode() + b"\0" + digest


def sign_head(session: Session, key: Ed25519PrivateKey, *, export: Path | None = None) -> AuditHead | None:
    """Signs the newest link and appends it to the export file (default `audit-heads.jsonl` in the home folder); None if it is signed."""
    number, digest = _head(session)
    if number == 0 or session.get(AuditHead, number) is not None:
        return None
    head = AuditHead(number=number, hash=digest, signature=key.sign(_signed(number, digest)))
    session.add(head)
    session.flush()
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
    line = {
        "number": number,
        "hash": digest.hex(),
        "signature": head.signature.hex(),
        "key": public,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    append_line(export or get_settings().home / "audit-heads.jsonl", json.dumps(line))
    return head


@dataclass(slots=True)
class ChainReport:
    """The outcome of checking the chain. Without problems, every entry is linked and every head's signature is valid."""

    chained: int = 0
    unchained: int = 0
    problems: list[str] = field(default_factory=list)


def verify_chain(session: Session, key: Ed25519PublicKey | None = None, *, exported: Path | None = None) -> ChainReport:
    """Checks the whole chain, each head's signature against `key`, and the exported heads against the chain."""
    report = ChainReport()
    hashes: dict[int, bytes] = {}
    previous = FIRST
    for entry in session.scalars(
        select(AuditEntry).where(AUDIT_ENTRY.number.is_not(None)).order_by(AUDIT_ENTRY.number).execution_options(yield_per=1000)
    ):
        assert entry.number is not None
        report.chained += 1
        if entry.number != report.chained:
            report.problems.append(f"entry number {report.chained} is missing: the next one is {entry.number}")
            report.chained = entry.number
        expected = link(previous, entry, entry.number)
        if entry.hash != expected:
            report.problems.append(f"entry {entry.number} ({entry.action}) does not match its hash: it, or one before it, was altered")
        previous = bytes(entry.hash or b"")
        hashes[entry.number] = previous
    for head in session.scalars(select(AuditHead).order_by(AuditHead.number)):  # type: ignore[arg-type]
        _check_head(report, key, hashes, head.number, head.hash, head.signature, "signed head")
    if exported is not None and exported.is_file():
        # What follows the last line's end was never written whole; the next head takes its place.
        lines, _, _ = exported.read_text(errors="replace").rpartition("\n")
        for line_number, line in enumerate(lines.splitlines(), 1):
            try:
                head_line = json.loads(line)
                digest, signature = bytes.fromhex(head_line["hash"]), bytes.fromhex(head_line["signature"])
                number = int(head_line["number"])
            except (ValueError, KeyError, TypeError):
                report.problems.append(f"line {line_number} of {exported} is no exported head: it was altered, or is damaged")
                continue
            _check_head(report, key, hashes, number, digest, signature, "exported head")
    late = session.execute(
        text("SELECT count(*), count(*) FILTER (WHERE at < now() - make_interval(secs => :s)) FROM audit_entry WHERE number IS NULL"),
        {"s": UNCHAINED_ALARM_SECONDS},
    ).one()
    report.unchained = late[0]
    if late[1]:
        report.problems.append(f"{late[1]} entries have been waiting for the chainer for more than {UNCHAINED_ALARM_SECONDS} s")
    return report


def _check_head(
    report: ChainReport, key: Ed25519PublicKey | None, hashes: dict[int, bytes], number: int, digest: bytes, signature: bytes, what: str
) -> None:
    if hashes.get(number) != digest:
        report.problems.append(f"{what} {number} does not match the chain: the chain was rewritten or cut")
    if key is not None:
        try:
            key.verify(signature, _signed(number, digest))
        except InvalidSignature:
            report.problems.append(f"{what} {number} bears a signature that is not ours")
