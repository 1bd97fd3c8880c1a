"""Whether a code or a passkey's answer is a person's second factor. Each works once."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import func, select, update
from sqlmodel import Session

from plumbline.auth import one_time_codes, passkeys, sign_in_key
from plumbline.auth.attempts import Attempt
from plumbline.infra.errors import Conflict, NotSignedIn
from plumbline.models.auth import RECOVERY_CODE, SECOND_FACTOR, Person, RecoveryCode, SecondFactor


class StepRefused(NotSignedIn):
    """The code is wrong or was used before, or the passkey is another person's."""

    code = "second_step_refused"


class NoPasskey(Conflict):
    """The person has no passkey."""

    code = "no_passkey"


@dataclass(frozen=True, slots=True)
class Proof:
    """What a person gives: a code of an app, a recovery code, or a browser's answer about a passkey."""

    code: str = ""
    passkey: Mapping[str, Any] | None = None


def factors_of(session: Session, person_id: int) -> list[SecondFactor]:
    """The person's second factors, the oldest first."""
    return list(session.scalars(select(SecondFactor).where(SECOND_FACTOR.person_id == person_id).order_by(SECOND_FACTOR.id)))


def passkeys_of(factors: Sequence[SecondFactor]) -> list[bytes]:
    """The ids of the passkeys among them."""
    return [factor.credential_id for factor in factors if factor.credential_id is not None]


def check(
    session: Session, *, person: Person, proof: Proof, challenge: bytes, attempt: Attempt, is_alone: bool = False
) -> Literal["authenticator", "passkey", "recovery_code"]:
    """Which of the person's second factors it is, after which it does not work again. Counted by `attempt` before it is looked at.

    `is_alone`: it takes the place of the password, so recovery codes do not count, and a passkey has to have asked for a PIN, finger or
    face. Raises `StepRefused`, `PasskeyRefused`, `TooManyRequests`, `SecretClosed`.
    """
    assert person.id is not None
    attempt.refuse()
    attempt.count()
    code = "".join(proof.code.split()).casefold()
    method: Literal["authenticator", "passkey", "recovery_code"] | None = None
    try:
        if proof.passkey is not None:
            method = "passkey" if _use_passkey(session, person.id, proof.passkey, challenge, is_alone=is_alone) else None
        elif len(code) == 6 and code.isascii() and code.isdigit():
            method = "authenticator" if _use_code(session, person.id, code) else None
        elif not is_alone:
            method = "recovery_code" if _use_recovery_code(session, person.id, code) else None
    except passkeys.PasskeyRefused:
        attempt.note_failure(person=person, why="the passkey was not accepted")
        raise
    if method is None:
        attempt.note_failure(person=person, why="unknown passkey" if proof.passkey is not None else "wrong code")
        raise StepRefused("this passkey is not one of yours" if proof.passkey is not None else "the code is wrong or was used before")
    attempt.forget(session)
    return method


def _use_code(session: Session, person_id: int, code: str) -> bool:
    now = session.execute(select(func.now())).scalar_one()
    # Locked, so that of two requests with the same code one is refused.
    statement = (
        select(SecondFactor)
        .where(SECOND_FACTOR.person_id == person_id, SECOND_FACTOR.kind == "authenticator")
        .order_by(SECOND_FACTOR.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    for factor in session.scalars(statement):
        step = one_time_codes.step_of(secret_of(factor), code, now=now, after=factor.last_step)
        if step is not None:
            factor.last_step, factor.last_used_at = step, now
            session.add(factor)
            session.flush()
            return True
    return False


def _use_passkey(session: Session, person_id: int, answer: Mapping[str, Any], challenge: bytes, *, is_alone: bool) -> bool:
    credential_id = passkeys.id_of(answer)
    factor = session.scalar(
        select(SecondFactor)
        .where(SECOND_FACTOR.person_id == person_id, SECOND_FACTOR.credential_id == credential_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if factor is None or factor.public_key is None:
        return False
    factor.sign_count = passkeys.check_use(
        answer, challenge=challenge, public_key=factor.public_key, sign_count=factor.sign_count, is_alone=is_alone
    )
    factor.last_used_at = session.execute(select(func.now())).scalar_one()
    session.add(factor)
    session.flush()
    return True


def _use_recovery_code(session: Session, person_id: int, code: str) -> bool:
    used = session.execute(
        update(RecoveryCode)
        .where(
            RECOVERY_CODE.code_hash == hash_recovery_code(person_id, code),
            RECOVERY_CODE.person_id == person_id,
            RECOVERY_CODE.used_at.is_(None),
        )
        .values(used_at=func.now())
        .returning(RECOVERY_CODE.person_id)
    )
    return used.first() is not None


def hash_recovery_code(person_id: int, code: str) -> bytes:
    """The form in which a recovery code is stored. It has 138 random bits, so a fast hash is enough. Dashes do not matter."""
    return hashlib.sha256(f"plumbline-recovery\0{person_id}\0{code.replace('-', '')}".encode()).digest()


def recovery_codes_left(session: Session, person_id: int) -> int:
    """How many of the person's recovery codes were not used yet."""
    statement = select(func.count()).select_from(RecoveryCode).where(RECOVERY_CODE.person_id == person_id, RECOVERY_CODE.used_at.is_(None))
    return session.scalar(statement) or 0


def has_short_recovery_codes(session: Session, person_id: int) -> bool:
    """Whether codes of the earlier, shorter kind are among those that still work."""
    is_one = (RECOVERY_CODE.person_id == person_id, RECOVERY_CODE.used_at.is_(None), RECOVERY_CODE.is_short)
    return session.scalar(select(func.count()).select_from(RecoveryCode).where(*is_one)) != 0


def seal_secret(secret: str, *, person_id: int) -> tuple[bytes, str]:
    """An authenticator app's secret, sealed for this person, and the id of the key."""
    return sign_in_key.seal(secret.encode(), bound_to=_bound_to(person_id))


def open_secret(sealed: bytes, *, person_id: int, key_id: str) -> str:
    """An authenticator app's secret. Raises `SecretClosed`."""
    advice = "Sign in with a recovery code, or ask an admin to remove your second factor."
    name = "the secret of your authenticator app"
    return sign_in_key.unseal(sealed, key_id=key_id, bound_to=_bound_to(person_id), name=name, advice=advice).decode()


def secret_of(factor: SecondFactor) -> str:
    """The secret of an authenticator app that was added. Raises `SecretClosed`."""
    assert factor.sealed is not None
    return open_secret(factor.sealed, person_id=factor.person_id, key_id=factor.sealed_key_id)


def _bound_to(person_id: int) -> bytes:
    return f"plumbline-authenticator-1\0{person_id}".encode()
