"""Routes of second factors: the second step of a sign-in, people's own factors and recovery codes, and the rule that requires one."""

from typing import Annotated

from fastapi import APIRouter, Request, Response, status

from plumbline.auth import second_factors, sessions, sign_in
from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep, client_address, cookie_name
from plumbline.auth.idempotency import IdempotentRoute, not_idempotent, shown_once
from plumbline.auth.routes import OwnActor, PeopleActor, PublicActor, session_out, set_session_cookie
from plumbline.auth.schemas import SessionOut
from plumbline.auth.second_factor_check import Proof
from plumbline.auth.second_factor_schemas import (
    FactorBegin,
    FactorBegun,
    FactorCreate,
    FactorCreated,
    OwnPassword,
    RecoveryCodes,
    SecondFactors,
    SecondStepIn,
    SecondStepOut,
    SignInPolicy,
    SignInPolicySet,
)
from plumbline.infra.schemas import RowId

router = APIRouter(route_class=IdempotentRoute)

SignInActor = Annotated[Actor, May("sign_in.manage")]


@router.post("/session/second-step")
@not_idempotent("its step works once, and it sets a cookie")
def complete_sign_in(body: SecondStepIn, request: Request, response: Response, session: SessionDep, _: PublicActor) -> SessionOut:
    """Completes a sign-in by a code, a recovery code or a passkey. At most ten tries a person from one network in 15 minutes."""
    session_id = sign_in.with_second_step(
        session,
        step_id=body.step,
        proof=Proof(code=body.code or "", passkey=body.passkey.as_sent() if body.passkey else None),
        address=client_address(request),
        agent=request.headers.get("user-agent", ""),
    )
    sessions.end_replaced(session, request.cookies.get(cookie_name(), ""))
    set_session_cookie(response, session_id)
    return session_out(session, sessions.actor_of(session, session_id))


@router.post("/session/confirm")
@not_idempotent("each confirmation is a step of its own")
def begin_confirmation(session: SessionDep, actor: OwnActor) -> SecondStepOut:
    """What the browser needs to confirm the person's identity by a passkey: the answer goes to /session/reauthenticate."""
    return SecondStepOut.model_validate(sign_in.begin_confirmation(session, actor=actor))


@router.get("/session/second-factors")
def list_second_factors(session: SessionDep, actor: OwnActor) -> SecondFactors:
    """The person's second factors."""
    return second_factors.list_own(session, actor=actor)


@router.post("/session/second-factors/begin")
@not_idempotent("the password is looked at each time")
def begin_second_factor(body: FactorBegin, session: SessionDep, actor: OwnActor) -> FactorBegun:
    """Begins to add an authenticator app or a passkey, after the password."""
    return second_factors.begin(session, actor=actor, request=body)


@router.post("/session/second-factors", status_code=status.HTTP_201_CREATED)
@shown_once("Create new recovery codes under Your account.")
def add_second_factor(body: FactorCreate, session: SessionDep, actor: OwnActor) -> FactorCreated:
    """Completes a new second factor. With the first one, other sessions end and recovery codes are made."""
    return second_factors.add(session, actor=actor, request=body)


@router.post("/session/second-factors/{factor_id}/remove", status_code=status.HTTP_204_NO_CONTENT)
@not_idempotent("the password is looked at each time")
def remove_second_factor(factor_id: RowId, body: OwnPassword, session: SessionDep, actor: OwnActor) -> None:
    """Removes one of the person's second factors, after the password."""
    second_factors.remove_own(session, actor=actor, factor_id=factor_id, password=body.password)


@router.post("/session/recovery-codes", status_code=status.HTTP_201_CREATED)
@not_idempotent("the password is looked at each time, and the codes are shown once")
def make_recovery_codes(body: OwnPassword, session: SessionDep, actor: OwnActor) -> RecoveryCodes:
    """New recovery codes in the place of the present ones, after the password."""
    return RecoveryCodes(codes=second_factors.new_recovery_codes(session, actor=actor, password=body.password))


@router.delete("/people/{person_id}/second-factors", status_code=status.HTTP_204_NO_CONTENT)
def reset_second_factors(person_id: RowId, session: SessionDep, actor: PeopleActor) -> None:
    """Removes all second factors of a person who lost them. Their sessions and tokens end."""
    second_factors.remove_all(session, actor=actor, person_id=person_id)


@router.get("/sign-in/policy")
def read_sign_in_policy(session: SessionDep, _: SignInActor) -> SignInPolicy:
    """The rules for signing in."""
    return second_factors.read_policy(session)


@router.put("/sign-in/policy")
def set_sign_in_policy(body: SignInPolicySet, session: SessionDep, actor: SignInActor) -> SignInPolicy:
    """Changes the rules for signing in."""
    return second_factors.set_policy(session, actor=actor, is_second_factor_required=body.is_second_factor_required)
