"""What routes take in: the transaction of the request and the person who asks, who has to hold the route's declared right."""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlmodel import Session

from plumbline.auth import sessions
from plumbline.auth.actor import Actor
from plumbline.auth.rights import ACTIONS, allow
from plumbline.database import session_scope
from plumbline.errors import NotAllowed, NotSignedIn
from plumbline.settings import get_settings

COOKIE_TLS = "__Host-plumbline"
# Without TLS a browser refuses the __Host- prefix; this one serves 127.0.0.1 only (contracts.md, "Processes, keys, sizes").
COOKIE_DEVELOPMENT = "plumbline-development"


def cookie_name() -> str:
    """The session cookie's name in this installation."""
    return COOKIE_TLS if get_settings().is_tls else COOKIE_DEVELOPMENT


def _request_session() -> Iterator[Session]:
    with session_scope() as session:
        yield session


# `function` scope: the transaction is committed before the answer is sent, so that no client hears of what did not happen.
SessionDep = Annotated[Session, Depends(_request_session, scope="function")]


class Guard:
    """Refuses a request whose person does not hold the route's right anywhere; routes decide again for their object."""

    def __init__(self, action: str) -> None:
        if action not in ACTIONS:
            raise ValueError(f"no such action: {action}")
        self.action = action

    def __call__(self, request: Request, session: SessionDep) -> Actor | None:
        session_id = request.cookies.get(cookie_name())
        if ACTIONS[self.action].reach == "public":
            return None
        if not session_id:
            raise NotSignedIn("sign in to go on")
        actor = sessions.actor_of(session, session_id)
        if not allow(actor, self.action):
            roles = ", ".join(sorted(ACTIONS[self.action].roles))
            raise NotAllowed(f"this needs one of the roles: {roles}")
        return actor


def May(action: str) -> Any:
    """`Annotated[Actor, May("host.read")]`: the route's declared right."""
    return Depends(Guard(action), scope="function")


def client_address(request: Request) -> str:
    """The address that limits are counted by: uvicorn's view, which trusts proxy headers only from configured proxies."""
    return request.client.host if request.client else ""
