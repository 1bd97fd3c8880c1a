"""The sign-in of a local account: the password, and a second step where the account has a second factor.

The password comes first, so that a stranger learns nothing about an account's second factors.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import known_places, passkeys, passwords, second_factor_check, second_steps, sessions
from plumbline.auth.actor import Actor
from plumbline.auth.attempts import Attempt
from plumbline.auth.passwords import verify_password
from plumbline.auth.second_factor_check import Proof
from plumbline.models.auth import PERSON, Person, SecondFactor

Method = Literal["authenticator", "passkey", "recovery_code"]


@dataclass(frozen=True, slots=True)
class Pending:
    """A sign-in whose password was right and that needs a second step."""

    step: str
    expires_at: datetime
    methods: list[Method]
    passkey: dict[str, Any] | None


def with_password(session: Session, *, login: str, password: str, address: str, agent: str) -> str | Pending:
    """Checks the password. Returns the id of a new session, which is stored nowhere; or the second step that the account needs.

    Wrong logins, disabled accounts and wrong passwords cost the same work and get the same error. Raises `SignInRefused`,
    `TooManyRequests`, `passwords.Busy`.
    """
    attempt = Attempt.of_sign_in(login, address)
    with passwords.asking(is_likely_known=known_places.has(attempt.login, attempt.network)):
        is_known = attempt.refuse()
    with passwords.turn(attempt.network, is_known=is_known):
        attempt.count()
        person = session.scalar(select(Person).where(func.lower(PERSON.login) == login.casefold()))
        is_right, renewed = verify_password(password, person.password_hash if person else None)
    if person is None or person.id is None or not is_right or person.is_disabled:
        attempt.note_failure(person=person, why="the account is disabled" if person is not None and is_right else "wrong password")
        raise sessions.SignInRefused("Wrong login or password.")
    if renewed:
        person.password_hash = renewed
    attempt.forget(session)
    factors = second_factor_check.factors_of(session, person.id)
    if factors:
        return _pending(session, person.id, factors)
    return sessions.start(session, person=person, address=address, agent=agent)


def _pending(session: Session, person_id: int, factors: list[SecondFactor]) -> Pending:
    begun = second_steps.begin(session, kind="sign_in", person_id=person_id)
    keys = second_factor_check.passkeys_of(factors)
    options = None
    if keys:
        try:
            options = passkeys.request_options(challenge=begun.challenge, present=keys, is_alone=False)
        except passkeys.PasskeysNotPossible:
            # The site's address was changed to one without a name; the other methods remain.
            options = None
    methods: list[Method] = ["recovery_code"]
    if options is not None:
        methods.insert(0, "passkey")
    if any(factor.kind == "authenticator" for factor in factors):
        methods.insert(0, "authenticator")
    return Pending(step=begun.id, expires_at=begun.expires_at, methods=methods, passkey=options)


def with_second_step(session: Session, *, step_id: str, proof: Proof, address: str, agent: str) -> str:
    """Completes a sign-in by its second step; returns the id of the new session.

    A wrong code may be followed by another one within the step's five minutes, as far as the limits allow. Raises `StepOver`,
    `StepRefused`, `PasskeyRefused`, `TooManyRequests`, `SecretClosed`.
    """
    step = second_steps.lock(session, step_id, "sign_in")
    person = session.get_one(Person, step.person_id)
    attempt = Attempt.of_second_step(step.person_id, address)
    method = second_factor_check.check(session, person=person, proof=proof, challenge=step.challenge, attempt=attempt)
    if person.is_disabled:
        raise sessions.SignInRefused("Wrong login or password.")
    second_steps.complete(session, step)
    session_id = sessions.start(session, person=person, address=address, agent=agent, has_second_factor=True)
    if method == "recovery_code":
        left = second_factor_check.recovery_codes_left(session, step.person_id)
        about = audit.Object("person", str(person.id))
        by = f"person:{person.id} {person.login}"
        audit.record(session, actor=by, action="person.recovery_code_used", about=about, after={"left": left})
    return session_id


def begin_confirmation(session: Session, *, actor: Actor) -> Pending:
    """Begins to confirm the actor's identity by a passkey, in place of the password. Raises `PasskeysNotPossible`, `NoPasskey`."""
    keys = second_factor_check.passkeys_of(second_factor_check.factors_of(session, actor.person_id))
    if not keys:
        raise second_factor_check.NoPasskey("you have no passkey here; confirm by your password")
    begun = second_steps.begin(session, kind="confirm", person_id=actor.person_id, session_hash=actor.session_hash)
    options = passkeys.request_options(challenge=begun.challenge, present=keys, is_alone=True)
    return Pending(step=begun.id, expires_at=begun.expires_at, methods=["passkey"], passkey=options)


def confirm(session: Session, *, actor: Actor, proof: Proof, step_id: str = "") -> None:
    """Confirms the actor's identity by a code of their app or by a passkey that asked for PIN, finger or face.

    Recovery codes are for signing in only. Raises as `with_second_step`.
    """
    step = second_steps.lock(session, step_id, "confirm", session_hash=actor.session_hash) if step_id else None
    person = session.get_one(Person, actor.person_id)
    second_factor_check.check(
        session,
        person=person,
        proof=proof,
        challenge=step.challenge if step else b"",
        attempt=Attempt.of_session(actor.session_hash),
        is_alone=True,
    )
    if step is not None:
        second_steps.complete(session, step)
    sessions.note_confirmation(session, actor=actor)
