"""What a person began and has to complete within five minutes: the second step of a sign-in, a new second factor, a confirmation.

Its id is 256 random bits that only the browser has; the database has the hash. A step of a signed-in person works in their session only.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import delete, func, select
from sqlmodel import Session

from plumbline.auth.sessions import hash_id
from plumbline.infra.errors import NotSignedIn
from plumbline.models.auth import SECOND_STEP, SecondStep

StepKind = Literal["sign_in", "add_authenticator", "add_passkey", "confirm"]
VALID_FOR = timedelta(minutes=5)
_CHALLENGE_BYTES = 32


class StepOver(NotSignedIn):
    """The step took too long, was completed before, or began elsewhere."""

    code = "second_step_over"


@dataclass(frozen=True, slots=True)
class Begun:
    """A step that has just begun: the id for the browser, what a passkey has to sign, and its end."""

    id: str
    challenge: bytes
    expires_at: datetime


def begin(
    session: Session, *, kind: StepKind, person_id: int, session_hash: bytes | None = None, sealed: bytes | None = None, key_id: str = ""
) -> Begun:
    """Stores a new step. Steps of the day before are deleted."""
    session.execute(delete(SecondStep).where(SECOND_STEP.started_at < func.now() - timedelta(days=1)))
    now = session.execute(select(func.now())).scalar_one()
    step_id, challenge = secrets.token_urlsafe(32), secrets.token_bytes(_CHALLENGE_BYTES)
    session.add(
        SecondStep(
            id_hash=hash_id(step_id),
            kind=kind,
            person_id=person_id,
            session_hash=session_hash,
            challenge=challenge,
            sealed=sealed,
            sealed_key_id=key_id,
            started_at=now,
        )
    )
    session.flush()
    return Begun(id=step_id, challenge=challenge, expires_at=now + VALID_FOR)


def lock(session: Session, step_id: str, *kinds: StepKind, session_hash: bytes | None = None) -> SecondStep:
    """The step, locked until the end of the transaction. Raises `StepOver`."""
    row = session.scalar(
        select(SecondStep)
        .where(SECOND_STEP.id_hash == hash_id(step_id), SECOND_STEP.started_at > func.now() - VALID_FOR, SECOND_STEP.kind.in_(kinds))
        .with_for_update()
    )
    if row is None or row.session_hash != session_hash:
        raise StepOver("This sign-in timed out after 5 minutes, was already completed, or was started in another browser. Start again.")
    assert isinstance(row, SecondStep)
    return row


def complete(session: Session, step: SecondStep) -> None:
    """Ends a step: its id no longer works."""
    session.delete(step)
    session.flush()
