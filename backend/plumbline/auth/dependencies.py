"""Dependencies of routes: the transaction of the request, and the actor, who has to have the route's declared right."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlmodel import Session

from plumbline.auth import api_tokens, idempotency, sessions
from plumbline.auth.actor import Actor
from plumbline.auth.rights import ACTIONS, PERSONS_ONLY, SECOND_PERSON, allow
from plumbline.infra.database import session_scope
from plumbline.infra.errors import NotAllowed, NotSignedIn
from plumbline.infra.settings import get_settings

COOKIE_TLS = "__Host-plumbline"
# Without TLS a browser refuses the __Host- prefix; this one serves 127.0.0.1 only.
COOKIE_DEVELOPMENT = "plumbline-development"


def cookie_name() -> str:
    """The session cookie's name in this installation."""
    return COOKIE_TLS if get_settings().is_tls else COOKIE_DEVELOPMENT


def _request_session(request: Request) -> Iterator[Session]:
    with session_scope() as session:
        request.state.session = session
        yield session


# `function` scope: the transaction is committed before the answer is sent, so that an answer never reports what was rolled back.
SessionDep = Annotated[Session, Depends(_request_session, scope="function")]


class OwnPasswordFirst(NotAllowed):
    """An admin set the person's password or changed their rights, and they have not set a password of their own since."""

    code = "own_password_first"


class SecondFactorFirst(NotAllowed):
    """Second factors are required of people who approve, and the person has added none."""

    code = "second_factor_first"


class Guard:
    """Refuses a request whose actor does not have the route's right on any group; routes check again for their object."""

    def __init__(self, action: str) -> None:
        if action not in ACTIONS:
            raise ValueError(f"unknown action: {action}")
        self.action = action

    def __call__(self, request: Request, session: SessionDep) -> Actor | None:
        if ACTIONS[self.action].reach == "public":
            return None
        actor = _actor(request, session)
        # For the trace of a refusal.
        request.state.actor_name = actor.audit_name
        if actor.token and self.action in PERSONS_ONLY:
            raise NotAllowed("API tokens can't do this. Sign in instead.")
        if not allow(actor, self.action):
            roles = ", ".join(sorted(ACTIONS[self.action].roles))
            raise NotAllowed(f"You need one of these roles: {roles}.")
        if actor.must_set_password and self.action in SECOND_PERSON:
            raise OwnPasswordFirst(
                "an admin set your password or changed your rights: set a password of your own first, under Your account"
            )
        if actor.must_add_second_factor and self.action in SECOND_PERSON:
            raise SecondFactorFirst("Approvers need a second factor here. Add one under Your account.")
        idempotency.lock_key(request, session, actor)
        return actor


def _actor(request: Request, session: Session) -> Actor:
    """The actor: of the token where one is sent (a cookie is then ignored), else of the session."""
    token = bearer_of(request.headers)
    if token is not None:
        return api_tokens.actor_of_token(session, token, address=client_address(request))
    session_id = request.cookies.get(cookie_name())
    if not session_id:
        raise NotSignedIn("Sign in to continue.")
    return sessions.actor_of(session, session_id)


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """The token of an `Authorization: Bearer` header; None where there is no such header."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def May(action: str) -> Any:
    """`Annotated[Actor, May("host.read")]`: the route's declared right."""
    return Depends(Guard(action), scope="function")


def client_address(request: Request) -> str:
    """The address by which limits are counted, from uvicorn, which trusts proxy headers only from configured proxies."""
    return request.client.host if request.client else ""
