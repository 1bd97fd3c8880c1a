"""Routes of API tokens."""

from typing import Annotated

from fastapi import APIRouter, status

from plumbline.auth import api_tokens
from plumbline.auth.actor import Actor
from plumbline.auth.api_token_schemas import TokenCreate, TokenMade, TokenRow
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute, shown_once
from plumbline.infra.schemas import RowId

router = APIRouter(route_class=IdempotentRoute)

TokenActor = Annotated[Actor, May("token.own")]


@router.get("/tokens")
def list_api_tokens(session: SessionDep, actor: TokenActor) -> list[TokenRow]:
    """The caller's own tokens, and those on groups that the caller administers."""
    return api_tokens.list_tokens(session, actor=actor)


@router.post("/tokens", status_code=status.HTTP_201_CREATED)
@shown_once("revoke that token and create another")
def make_api_token(body: TokenCreate, session: SessionDep, actor: TokenActor) -> TokenMade:
    """A new token, shown this once."""
    return api_tokens.make_token(session, actor=actor, request=body)


@router.delete("/tokens/{token_id}", status_code=status.HTTP_204_NO_CONTENT)
def revoke_api_token(token_id: RowId, session: SessionDep, actor: TokenActor) -> None:
    """Ends a token at once."""
    api_tokens.revoke_token(session, actor=actor, token_id=token_id)
