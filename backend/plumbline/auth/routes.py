"""Routes of set-up, sessions, people and grants."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response, status
from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth import oidc_settings, people, sessions, sign_in
from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.demo_logins import read_demo_logins
from plumbline.auth.dependencies import May, SessionDep, client_address, cookie_name
from plumbline.auth.idempotency import IdempotentRoute, not_idempotent
from plumbline.auth.rights import SECOND_PERSON, allow
from plumbline.auth.schemas import (
    DemoLogin,
    GrantCreate,
    OwnSession,
    PasswordChange,
    PersonCreate,
    PersonRow,
    PersonUpdate,
    SessionCan,
    SessionOut,
    SessionPerson,
    SessionRole,
    SessionUpdate,
    SetupCreate,
    SetupState,
    SignIn,
)
from plumbline.auth.second_factor_check import Proof
from plumbline.auth.second_factor_schemas import Confirmation, SecondStepOut
from plumbline.infra.schemas import RowId
from plumbline.infra.settings import get_settings

router = APIRouter(route_class=IdempotentRoute)

PublicActor = Annotated[Actor | None, May("session.start")]
OwnActor = Annotated[Actor, May("session.own")]
PeopleActor = Annotated[Actor, May("person.manage")]
SessionKey = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
GrantActor = Annotated[Actor, May("grant.manage")]


def _site(session: Session) -> tuple[str, bool]:
    row = session.execute(text("SELECT name, is_demo FROM installation WHERE id = 1")).one()
    return row.name, bool(row.is_demo) or get_settings().is_demo


def session_out(session: Session, actor: Actor) -> SessionOut:
    """The session as the browser sees it."""
    name, is_demo = _site(session)
    start = sessions.start_of(session, actor=actor)
    return SessionOut(
        person=SessionPerson(id=actor.person_id, login=actor.login, display_name=actor.display_name, time_zone=actor.time_zone),
        roles=[SessionRole(role=grant.role, group_id=grant.group_id, group_name=grant.group_name) for grant in actor.grants],
        can=SessionCan(
            export=allow(actor, "table.export"),
            make_reports=allow(actor, "report.make"),
            export_evidence=allow(actor, "evidence.export"),
            see_system_health=allow(actor, "health.inspect"),
            remove_lab=get_settings().is_demo and allow(actor, "lab.remove"),
            enrol=allow(actor, "enrolment.manage"),
            add_hosts=allow(actor, "host.add"),
            approve_hosts=allow(actor, "host.approve"),
            manage_groups=allow(actor, "group.manage"),
            manage_people=allow(actor, "person.manage"),
            manage_sign_in=allow(actor, "sign_in.manage"),
            manage_notices=allow(actor, "notice.manage"),
            see_audit=allow(actor, "audit.read"),
            check_now=allow(actor, "host.check_now"),
            draft_plans=allow(actor, "plan.draft"),
            import_benchmarks=allow(actor, "benchmark.import"),
            make_proofs=allow(actor, "proof.make"),
            manage_collection=allow(actor, "collection.manage"),
            activate_packs=allow(actor, "pack.activate"),
            publish_packs=allow(actor, "pack.publish"),
            preview_packs=allow(actor, "pack.preview"),
            propose_decisions=allow(actor, "conflict.propose"),
            decide_conflicts=allow(actor, "conflict.decide"),
            request_waivers=allow(actor, "waiver.request"),
            decide_waivers=allow(actor, "waiver.decide"),
            attest=allow(actor, "attestation.make"),
            stop_everything=allow(actor, "everything.stop"),
            release_stop=allow(actor, "everything.stop", ROOT_PATH),
            release_restore=allow(actor, "restore.release"),
            sign_standing=allow(actor, "standing.sign"),
            manage_windows=allow(actor, "window.manage"),
            manage_budgets=allow(actor, "budget.manage"),
            hold_hosts=allow(actor, "host.hold"),
            send_tickets=allow(actor, "ticket.create"),
            undo_jobs=allow(actor, "job.undo"),
            manage_hosts=allow(actor, "host.manage"),
        ),
        is_demo=is_demo,
        site_name=name,
        provider=start.provider,
        must_set_password=actor.must_set_password,
        second_factors=start.second_factors,
        must_add_second_factor=actor.must_add_second_factor and any(allow(actor, action) for action in SECOND_PERSON),
        authenticated_at=start.authenticated_at,
        confirmed_at=start.confirmed_at,
    )


def set_session_cookie(response: Response, session_id: str) -> None:
    """Sets the session cookie in the browser."""
    settings = get_settings()
    response.set_cookie(
        cookie_name(),
        session_id,
        max_age=settings.session_absolute_hours * 3600,
        path="/",
        secure=settings.is_tls,
        httponly=True,
        samesite="lax",
    )


@router.get("/setup")
def read_setup(request: Request, session: SessionDep, _: Annotated[None, May("setup.read")]) -> SetupState:
    """Whether the first admin still has to be created."""
    return SetupState(
        needs_setup=people.needs_setup(session),
        is_demo=_site(session)[1],
        provider=oidc_settings.enabled_name(session),
        has_cookie=cookie_name() in request.cookies,
    )


@router.get("/demo-logins")
def list_demo_logins(request: Request, _: Annotated[None, May("setup.read")]) -> list[DemoLogin]:
    """The lab's logins, for a browser on the machine that the lab runs on; empty for any other, and where this is no lab."""
    return read_demo_logins(request, get_settings())


@router.post("/setup", status_code=status.HTTP_201_CREATED)
@not_idempotent("no user is signed in yet, and its code can be used once")
def finish_setup(
    body: SetupCreate, request: Request, response: Response, session: SessionDep, _: Annotated[None, May("setup.finish")]
) -> SessionOut:
    """Makes the first admin with the one-time code from the console, and signs in."""
    address = client_address(request)
    person = people.finish_setup(
        session, code=body.code, login=body.login, display_name=body.display_name, password=body.password, address=address
    )
    session_id = sessions.start(session, person=person, address=address, agent=request.headers.get("user-agent", ""))
    set_session_cookie(response, session_id)
    return session_out(session, sessions.actor_of(session, session_id))


@router.get("/session")
def read_session(session: SessionDep, actor: OwnActor) -> SessionOut:
    """Who is signed in, with which roles."""
    return session_out(session, actor)


@router.post("/session", responses={status.HTTP_202_ACCEPTED: {"model": SecondStepOut, "description": "A second step is needed"}})
@not_idempotent("each sign-in is a session of its own, and sets a cookie")
def start_session(body: SignIn, request: Request, response: Response, session: SessionDep, _: PublicActor) -> SessionOut | SecondStepOut:
    """Signs in; where the account has a second factor, 202 says how to go on. At most ten tries an account from one network in 15
    minutes."""
    started = sign_in.with_password(
        session,
        login=body.login,
        password=body.password,
        address=client_address(request),
        agent=request.headers.get("user-agent", ""),
    )
    if isinstance(started, sign_in.Pending):
        response.status_code = status.HTTP_202_ACCEPTED
        return SecondStepOut.model_validate(started)
    sessions.end_replaced(session, request.cookies.get(cookie_name(), ""))
    set_session_cookie(response, started)
    return session_out(session, sessions.actor_of(session, started))


@router.delete("/session", status_code=status.HTTP_204_NO_CONTENT)
def end_session(response: Response, session: SessionDep, actor: OwnActor) -> None:
    """Signs out, on the server too."""
    sessions.end(session, actor=actor)
    response.delete_cookie(cookie_name(), path="/", secure=get_settings().is_tls, httponly=True, samesite="lax")


@router.post("/session/reauthenticate", status_code=status.HTTP_204_NO_CONTENT)
@not_idempotent("the password is looked at each time")
def reauthenticate(body: Confirmation, session: SessionDep, actor: OwnActor) -> None:
    """Confirms the person's identity, by the password or a second factor, before an act that requires it."""
    if body.password is not None:
        sessions.reauthenticate(session, actor=actor, password=body.password)
        return
    proof = Proof(code=body.code or "", passkey=body.passkey.as_sent() if body.passkey else None)
    sign_in.confirm(session, actor=actor, proof=proof, step_id=body.step or "")


@router.post("/session/password", status_code=status.HTTP_204_NO_CONTENT)
@not_idempotent("the current password is checked each time")
def set_own_password(body: PasswordChange, session: SessionDep, actor: OwnActor) -> None:
    """Sets the person's own password, after the present one. Their other sessions end."""
    people.set_own_password(session, actor=actor, password=body.password, new_password=body.new_password)


@router.get("/session/all")
def list_own_sessions(session: SessionDep, actor: OwnActor) -> list[OwnSession]:
    """The person's sessions that are in use, this one first."""
    return sessions.list_own(session, actor=actor)


@router.delete("/session/all/{key}", status_code=status.HTTP_204_NO_CONTENT)
def end_own_session(key: SessionKey, session: SessionDep, actor: OwnActor) -> None:
    """Ends one of the person's other sessions."""
    sessions.end_own(session, actor=actor, key=key)


@router.post("/session/end-others", status_code=status.HTTP_204_NO_CONTENT)
def end_other_sessions(session: SessionDep, actor: OwnActor) -> None:
    """Ends all sessions of the person but this one."""
    sessions.end_others(session, actor=actor)


@router.patch("/session")
def change_session(body: SessionUpdate, session: SessionDep, actor: OwnActor) -> SessionOut:
    """Sets the person's time zone."""
    people.set_time_zone(session, actor=actor, time_zone=body.time_zone)
    session.flush()
    answer = session_out(session, actor)
    answer.person.time_zone = body.time_zone
    return answer


@router.get("/people")
def list_people(session: SessionDep, _: PeopleActor) -> list[PersonRow]:
    """Everybody with an account."""
    return people.list_people(session)


@router.post("/people", status_code=status.HTTP_201_CREATED)
def create_person(body: PersonCreate, session: SessionDep, actor: PeopleActor) -> PersonRow:
    """A new local account."""
    person = people.create_account(session, actor=actor, request=body)
    return people.read_person(session, person.id or 0)


@router.patch("/people/{person_id}")
def change_person(person_id: RowId, body: PersonUpdate, session: SessionDep, actor: PeopleActor) -> PersonRow:
    """Changes an account."""
    people.change_person(session, actor=actor, person_id=person_id, changes=body.model_dump(exclude_unset=True))
    return people.read_person(session, person_id)


@router.post("/grants", status_code=status.HTTP_201_CREATED)
def give_grant(body: GrantCreate, session: SessionDep, actor: GrantActor) -> PersonRow:
    """Gives a person a role on a group and its subgroups."""
    people.give_grant(session, actor=actor, person_id=body.person_id, role=body.role, group_id=body.group_id)
    return people.read_person_for(session, actor=actor, person_id=body.person_id)


@router.delete("/grants/{grant_id}", status_code=status.HTTP_204_NO_CONTENT)
def take_grant(grant_id: RowId, session: SessionDep, actor: GrantActor) -> None:
    """Removes a grant."""
    people.take_grant(session, actor=actor, grant_id=grant_id)
