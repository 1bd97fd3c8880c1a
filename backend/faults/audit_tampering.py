"""S7: somebody who owns the database alters the audit log. Every alteration is found, and the first altered place is named."""

import re
from collections.abc import Callable
from random import Random

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session, select, text

from faults.rig import FaultResult, Rig, dice_of
from plumbline import audit
from plumbline.audit.chain import AUDIT_ENTRY, chain_pending, link, sign_head, signing_key, verify_chain
from plumbline.models.audit import AuditEntry
from plumbline.ops import embedded_servers

_ENTRIES = 1000
# Where an alteration shows first: the numbers that a finding may name.
_Place = set[int]
_COLUMNS = {
    "actor": "'person:9 eve'", "action": "'host.approved'", "object_id": "object_id || 'x'", "reason": "reason || ' '",
    "at": "at + interval '1 microsecond'", "after": "'{\"n\": -1}'", "group_id": "coalesce(group_id, 0) + 1",
}  # fmt: skip


def tampered(rig: Rig, count: int, seed: int) -> FaultResult:
    """`count` alterations of a chain of a thousand entries with a signed and exported head, each of the chain as it was at first."""
    result = FaultResult(seed)
    dice = dice_of(result)
    exported = rig.home / "heads-of-s7.jsonl"
    key = signing_key(rig.home)
    engines = [
        create_engine(rig.cluster.url(role, rig.database), poolclass=NullPool) for role in ("plumbline_background", embedded_servers.OWNER)
    ]
    with Session(engines[0]) as session:
        last = _chained(session)
        sign_head(session, key, export=exported)
        session.commit()
        untouched = verify_chain(session, key.public_key(), exported=exported).problems
        result.wrong += [f"the chain itself is said to be altered: {words}" for words in untouched[:3]]
    with Session(engines[1]) as owner:
        for number in range(count):
            name, alter = _ALTERATIONS[number % len(_ALTERATIONS)]
            owner.execute(text("SET LOCAL session_replication_role = replica"))
            places = alter(owner, dice, last)
            owner.flush()
            owner.expire_all()
            _judge(result, verify_chain(owner, key.public_key(), exported=exported).problems, name, places)
            result.faults[name] += 1
            owner.rollback()
    for engine in engines:
        engine.dispose()
    return result


def _chained(session: Session) -> int:
    """A chain of at least so many entries; answers the number of the last."""
    for number in range(_ENTRIES):
        audit.record(session, actor="faults", action="fault.noted", about=audit.Object("host", f"{number:032x}"), after={"n": number})
    session.commit()
    while chain_pending(session):
        session.commit()
    return int(session.execute(text("SELECT max(number) FROM audit_entry")).scalar_one())


def _judge(result: FaultResult, problems: list[str], name: str, places: _Place) -> None:
    if not problems:
        result.wrong.append(f"{name} at {min(places)} was not found")
    elif not any(int(word) in places for words in problems for word in re.findall(r"\b(\d+)\b", words)):
        result.wrong.append(f"{name} at {min(places)} was found, and its place was not named: {problems[0]}")


def _change(session: Session, dice: Random, last: int) -> _Place:
    number = dice.randint(1, last)
    column = dice.choice(sorted(_COLUMNS))
    session.execute(text(f"UPDATE audit_entry SET {column} = {_COLUMNS[column]} WHERE number = :number"), {"number": number})
    return {number}


def _delete(session: Session, dice: Random, last: int) -> _Place:
    number = dice.randint(1, last)
    session.execute(text("DELETE FROM audit_entry WHERE number = :number"), {"number": number})
    return {number}


def _swap(session: Session, dice: Random, last: int) -> _Place:
    first, second = sorted(dice.sample(range(1, last + 1), 2))
    for old, new in ((first, -1), (second, first), (-1, second)):
        session.execute(text("UPDATE audit_entry SET number = :new WHERE number = :old"), {"old": old, "new": new})
    return {first}


def _insert(session: Session, dice: Random, last: int) -> _Place:
    """A forged entry with a right link, for which all later ones move on by one number."""
    number = dice.randint(1, last)
    session.execute(text("UPDATE audit_entry SET number = -number WHERE number >= :number"), {"number": number})
    session.execute(text("UPDATE audit_entry SET number = 1 - number WHERE number < 0"))
    entry = AuditEntry(actor="person:9 eve", action="host.approved", object_kind="host", object_id="x")
    session.add(entry)
    session.flush()
    session.refresh(entry)
    before = session.execute(text("SELECT hash FROM audit_entry WHERE number = :before"), {"before": number - 1}).scalar_one_or_none()
    digest = link(bytes(before or bytes(32)), entry, number)
    values = {"number": number, "hash": digest, "id": entry.id}
    session.execute(text("UPDATE audit_entry SET number = :number, hash = :hash WHERE id = :id"), values)
    return {number, number + 1}


def _cut(session: Session, dice: Random, last: int) -> _Place:
    number = dice.randint(1, last)
    session.execute(text("DELETE FROM audit_entry WHERE number >= :number"), {"number": number})
    # What is missing is the end, which a signed head knows.
    return {last}


def _rewrite(session: Session, dice: Random, last: int) -> _Place:
    """One entry altered and all hashes made right again; signed heads removed. Only the export tells."""
    number = dice.randint(1, last)
    session.execute(text("UPDATE audit_entry SET actor = 'person:9 eve' WHERE number = :number"), {"number": number})
    before = session.execute(text("SELECT hash FROM audit_entry WHERE number = :before"), {"before": number - 1}).scalar_one_or_none()
    digest = bytes(before or bytes(32))
    rows = []
    query = select(AuditEntry).where(AUDIT_ENTRY.number >= number).order_by(AUDIT_ENTRY.number).execution_options(populate_existing=True)
    for entry in session.scalars(query):
        digest = link(digest, entry, entry.number or 0)
        rows.append({"number": entry.number, "hash": digest})
    session.execute(text("UPDATE audit_entry SET hash = :hash WHERE number = :number"), rows)
    session.execute(text("DELETE FROM audit_head"))
    return {last}


_ALTERATIONS: tuple[tuple[str, Callable[[Session, Random, int], _Place]], ...] = (
    ("entry changed", _change),
    ("entry deleted", _delete),
    ("two entries swapped", _swap),
    ("entry inserted", _insert),
    ("end cut off", _cut),
    ("chain rewritten whole", _rewrite),
)
