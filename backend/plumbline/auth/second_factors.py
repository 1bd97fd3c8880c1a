"""What people do with their second factors: add, remove, make recovery codes; and admins, who remove those of another person.

Only local accounts have second factors here: the identity provider's are its own.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import api_tokens, one_time_codes, passkeys, passwords, people, second_steps, sessions
from plumbline.auth.actor import Actor
from plumbline.auth.attempts import Attempt
from plumbline.auth.second_factor_check import (
    StepRefused,
    factors_of,
    has_short_recovery_codes,
    hash_recovery_code,
    open_secret,
    passkeys_of,
    recovery_codes_left,
)
from plumbline.auth.second_factor_check import seal_secret as seal
from plumbline.auth.second_factor_schemas import (
    AuthenticatorSetup,
    FactorBegin,
    FactorBegun,
    FactorCreate,
    FactorCreated,
    FactorRow,
    SecondFactors,
    SignInPolicy,
)
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.auth import (
    PERSON,
    RECOVERY_CODE,
    SECOND_FACTOR,
    WEB_SESSION,
    Person,
    RecoveryCode,
    SecondFactor,
    SecondStep,
    WebSession,
)
from plumbline.models.hosts import Installation

# What an audit entry holds of a row before or after an act.
Change = Mapping[str, Any] | None

MOST_FACTORS = 10
RECOVERY_CODES = 10


class TooManyFactors(Conflict):
    """The person has as many second factors as are allowed."""

    code = "too_many_factors"


def list_own(session: Session, *, actor: Actor) -> SecondFactors:
    """The actor's second factors, and where passkeys work."""
    problem, host = "", ""
    try:
        host = passkeys.place().host
    except passkeys.PasskeysNotPossible as error:
        problem = error.message
    return SecondFactors(
        factors=[_row(factor) for factor in factors_of(session, actor.person_id)],
        recovery_codes_left=recovery_codes_left(session, actor.person_id),
        are_recovery_codes_short=has_short_recovery_codes(session, actor.person_id),
        passkeys_problem=problem,
        passkey_host=host,
    )


def begin(session: Session, *, actor: Actor, request: FactorBegin) -> FactorBegun:
    """Begins to add a factor, after the password. Nothing is asked for at sign-ins before `add` has completed it.

    Raises `Conflict` for a person of the identity provider, `TooManyFactors`, `PasskeysNotPossible`, and what `sessions.reauthenticate`
    raises.
    """
    person = _local_person(session, actor)
    sessions.reauthenticate(session, actor=actor, password=request.password)
    present = factors_of(session, actor.person_id)
    if len(present) >= MOST_FACTORS:
        raise TooManyFactors(f"you have {MOST_FACTORS} second factors, which is the most: remove one first")
    if request.kind == "passkey":
        begun = second_steps.begin(session, kind="add_passkey", person_id=actor.person_id, session_hash=actor.session_hash)
        options = passkeys.creation_options(
            challenge=begun.challenge,
            person_id=actor.person_id,
            login=person.login,
            display_name=person.display_name,
            present=passkeys_of(present),
        )
        return FactorBegun(step=begun.id, expires_at=begun.expires_at, authenticator=None, passkey=options)
    secret = one_time_codes.new_secret()
    sealed, key_id = seal(secret, person_id=actor.person_id)
    begun = second_steps.begin(
        session, kind="add_authenticator", person_id=actor.person_id, session_hash=actor.session_hash, sealed=sealed, key_id=key_id
    )
    address = one_time_codes.setup_address(secret, login=person.login, site=session.get_one(Installation, 1).name)
    setup = AuthenticatorSetup(secret=secret, address=address, qr_code=one_time_codes.qr_code(address))
    return FactorBegun(step=begun.id, expires_at=begun.expires_at, authenticator=setup, passkey=None)


def add(session: Session, *, actor: Actor, request: FactorCreate) -> FactorCreated:
    """Completes a factor by its first code or the browser's answer. The first factor ends the actor's other sessions and gives codes.

    Raises `StepOver`, `StepRefused`, `PasskeyRefused`, `TooManyRequests`, `Conflict`.
    """
    person = _local_person(session, actor)
    step = second_steps.lock(session, request.step, "add_authenticator", "add_passkey", session_hash=actor.session_hash)
    # Locked, so that two first factors at once do not both count as the first.
    session.execute(select(PERSON.id).where(PERSON.id == actor.person_id).with_for_update())
    present = factors_of(session, actor.person_id)
    is_app = step.kind == "add_authenticator"
    factor = _new_authenticator(session, person, step, request) if is_app else _new_passkey(session, step, request)
    session.add(factor)
    second_steps.complete(session, step)
    values = {"has_second_factor": True}
    session.execute(update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(**values))
    _audit(session, actor, "person.second_factor_added", after={"kind": factor.kind, "name": factor.name})
    codes: list[str] = []
    if not present:
        sessions.end_all(session, person_id=actor.person_id, but=actor.session_hash)
        codes = _make_codes(session, actor)
    session.refresh(factor)
    return FactorCreated(factor=_row(factor), recovery_codes=codes)


def _new_authenticator(session: Session, person: Person, step: SecondStep, request: FactorCreate) -> SecondFactor:
    if request.code is None or step.sealed is None:
        raise StepRefused("send the code that the app shows")
    attempt = Attempt.of_session(step.session_hash or b"")
    attempt.refuse()
    attempt.count()
    secret = open_secret(step.sealed, person_id=step.person_id, key_id=step.sealed_key_id)
    now = session.execute(select(func.now())).scalar_one()
    used = one_time_codes.step_of(secret, "".join(request.code.split()), now=now, after=0)
    if used is None:
        attempt.note_failure(person=person, why="wrong code for a new authenticator app")
        raise StepRefused("the code is wrong: enter the six digits that the app shows now, and check the clock of the phone")
    attempt.forget(session)
    return SecondFactor(
        person_id=step.person_id,
        kind="authenticator",
        name=request.name,
        sealed=step.sealed,
        sealed_key_id=step.sealed_key_id,
        last_step=used,
        last_used_at=now,
    )


def _new_passkey(session: Session, step: SecondStep, request: FactorCreate) -> SecondFactor:
    if request.passkey is None:
        raise StepRefused("send the browser's answer about the new passkey")
    made = passkeys.check_new(request.passkey.as_sent(), challenge=step.challenge)
    if session.scalar(select(SECOND_FACTOR.id).where(SECOND_FACTOR.credential_id == made.credential_id)) is not None:
        raise Conflict("this passkey is already added")
    return SecondFactor(
        person_id=step.person_id,
        kind="passkey",
        name=request.name,
        credential_id=made.credential_id,
        public_key=made.public_key,
        sign_count=made.sign_count,
    )


def remove_own(session: Session, *, actor: Actor, factor_id: int, password: str) -> None:
    """Removes one of the actor's factors, after the password. With the last one, sign-ins ask for the password only.

    Raises `NotFound`, and what `sessions.reauthenticate` raises.
    """
    sessions.reauthenticate(session, actor=actor, password=password)
    factor = session.scalar(select(SecondFactor).where(SECOND_FACTOR.id == factor_id, SECOND_FACTOR.person_id == actor.person_id))
    if factor is None:
        raise NotFound("Second factor not found. It may have been removed.")
    session.delete(factor)
    session.flush()
    if not factors_of(session, actor.person_id):
        _forget(session, actor.person_id)
    _audit(session, actor, "person.second_factor_removed", before={"kind": factor.kind, "name": factor.name})


def new_recovery_codes(session: Session, *, actor: Actor, password: str) -> list[str]:
    """New recovery codes in the place of all others, after the password. Raises `Conflict` for a person without a second factor."""
    sessions.reauthenticate(session, actor=actor, password=password)
    if not factors_of(session, actor.person_id):
        raise Conflict("recovery codes take the place of a second factor: add one first")
    return _make_codes(session, actor)


def _make_codes(session: Session, actor: Actor) -> list[str]:
    session.execute(delete(RecoveryCode).where(RECOVERY_CODE.person_id == actor.person_id))
    codes = [passwords.random_code() for _ in range(RECOVERY_CODES)]
    session.add_all(RecoveryCode(code_hash=hash_recovery_code(actor.person_id, code), person_id=actor.person_id) for code in codes)
    session.flush()
    _audit(session, actor, "person.recovery_codes_made", after={"codes": len(codes)})
    return codes


def remove_all(session: Session, *, actor: Actor, person_id: int) -> None:
    """An admin removes a person's second factors, who lost them: sessions and tokens end, and the person sets a password of their own
    before they decide on anything.

    Raises `NotFound`, `Conflict` for the actor's own account and for one without a second factor.
    """
    person = session.get(Person, person_id)
    if person is None:
        raise NotFound("User not found.")
    if person_id == actor.person_id:
        raise Conflict("Remove your own second factor under Your account, or ask another admin.")
    factors = factors_of(session, person_id)
    if not factors:
        raise Conflict(f"{person.login} has no second factor")
    before = {"factors": [{"kind": factor.kind, "name": factor.name} for factor in factors]}
    for factor in factors:
        session.delete(factor)
    session.flush()
    _forget(session, person_id)
    people.note_changed_rights(session, [person])
    sessions.end_all(session, person_id=person_id)
    api_tokens.end_all(session, person_id=person_id)
    about = audit.Object("person", str(person_id))
    audit.record(session, actor=actor.audit_name, action="person.second_factor_reset", about=about, before=before)


def _forget(session: Session, person_id: int) -> None:
    """What is left of a person's second factor once the last one is gone."""
    session.execute(delete(RecoveryCode).where(RECOVERY_CODE.person_id == person_id))
    values = {"has_second_factor": False, "confirmed_at": None}
    session.execute(update(WebSession).where(WEB_SESSION.person_id == person_id).values(**values))


def read_policy(session: Session) -> SignInPolicy:
    """The rules for signing in."""
    return SignInPolicy(is_second_factor_required=session.get_one(Installation, 1).is_second_factor_required)


def set_policy(session: Session, *, actor: Actor, is_second_factor_required: bool) -> SignInPolicy:
    """Changes the rules for signing in. It takes effect with each person's next request."""
    row = session.get_one(Installation, 1)
    before = {"is_second_factor_required": row.is_second_factor_required}
    after = {"is_second_factor_required": is_second_factor_required}
    if before != after:
        row.is_second_factor_required = is_second_factor_required
        session.add(row)
        about = audit.Object("installation", "1")
        audit.record(session, actor=actor.audit_name, action="sign_in_policy.changed", about=about, before=before, after=after)
        session.flush()
    return read_policy(session)


def _local_person(session: Session, actor: Actor) -> Person:
    person = session.get_one(Person, actor.person_id)
    if person.password_hash is None:
        raise Conflict("you sign in at the identity provider: its second factor is set up there")
    return person


def _row(factor: SecondFactor) -> FactorRow:
    return FactorRow.model_validate(factor)


def _audit(session: Session, actor: Actor, action: str, *, before: Change = None, after: Change = None) -> None:
    about = audit.Object("person", str(actor.person_id))
    audit.record(session, actor=actor.audit_name, action=action, about=about, before=before, after=after)
