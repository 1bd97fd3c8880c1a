"""Routes for signing in at the identity provider, for setting it up, and for the roles of its groups.

`start`, `confirm`, `callback` and `out` are opened by the browser itself: they always redirect, after errors too.
"""

import re
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request, status
from fastapi.responses import RedirectResponse

from plumbline.auth import oidc_settings, oidc_sign_in
from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep, client_address, cookie_name
from plumbline.auth.idempotency import IdempotentRoute, not_idempotent
from plumbline.auth.oidc_schemas import GroupGrant, GroupGrantCreate, ProviderOut, ProviderSet, ProviderTrial
from plumbline.auth.routes import set_session_cookie
from plumbline.infra.settings import get_settings

router = APIRouter(prefix="/sign-in", route_class=IdempotentRoute)

# A page of this site: nothing that a browser could take for another site's address.
_OWN_PAGE = re.compile(r"/(?![/\\])[\x21-\x7e]{0,1500}")
Public = Annotated[Actor | None, May("session.start")]
Own = Annotated[Actor, May("session.own")]
Manager = Annotated[Actor, May("sign_in.manage")]
GrantActor = Annotated[Actor, May("grant.manage")]
NextPage = Annotated[str, Query(max_length=1500, alias="next")]


def _own_page(path: str) -> str:
    return path if _OWN_PAGE.fullmatch(path) and "\\" not in path and not path.startswith("/api/") else "/"


def _attempt_cookie() -> str:
    return f"{cookie_name()}-sign-in"


def _redirect_to(redirect: oidc_sign_in.SignInRedirect) -> RedirectResponse:
    answer = RedirectResponse(redirect.url, status_code=status.HTTP_303_SEE_OTHER)
    if redirect.secret:
        # Lax: the provider sends the browser back from another site, by a plain link.
        answer.set_cookie(
            _attempt_cookie(),
            redirect.secret,
            max_age=int(oidc_sign_in.ATTEMPT.total_seconds()),
            path="/",
            secure=get_settings().is_tls,
            httponly=True,
            samesite="lax",
        )
    return answer


def _is_from_own_page(request: Request) -> bool:
    """Whether a link or script of one of our pages led here, and no other site's, no mail and no bookmark.

    Otherwise another site could sign a person in, or have them confirm something, without a click of theirs here. Every browser of today
    says where a request comes from; of one that doesn't, the page that it names counts.
    """
    site = request.headers.get("sec-fetch-site")
    return site == "same-origin" if site is not None else _origin_of_page(request) in (_public_origin(), str(request.base_url).rstrip("/"))


def _origin_of_page(request: Request) -> str:
    page = urlsplit(request.headers.get("referer", ""))
    return f"{page.scheme}://{page.netloc}"


def _public_origin() -> str:
    public = urlsplit(get_settings().public_url)
    return f"{public.scheme}://{public.netloc}"


@router.get("/start", response_class=RedirectResponse, status_code=status.HTTP_303_SEE_OTHER)
def start_sign_in(request: Request, _: Public, next_page: NextPage = "/") -> RedirectResponse:
    """Redirects to the identity provider, which sends the person back to the page `next`. Works from a page of this site only; anybody else
    is sent to that page, which has the button."""
    next_path = _own_page(next_page)
    if not _is_from_own_page(request):
        return RedirectResponse(next_path, status_code=status.HTTP_303_SEE_OTHER)
    is_public = _origin_of_page(request) == _public_origin() or request.headers.get("host") == urlsplit(_public_origin()).netloc
    if not is_public:
        # The provider sends people back to the public address, so the cookie of the attempt has to be set there, from a page there.
        return RedirectResponse(f"{get_settings().public_url.rstrip('/')}{next_path}", status_code=status.HTTP_303_SEE_OTHER)
    return _redirect_to(oidc_sign_in.begin(next_path=next_path, address=client_address(request)))


@router.get("/confirm", response_class=RedirectResponse, status_code=status.HTTP_303_SEE_OTHER)
def confirm_at_provider(request: Request, actor: Own) -> RedirectResponse:
    """Redirects to the identity provider, where the person confirms their identity before an act that requires it. Works from a page of
    this site only."""
    if not _is_from_own_page(request):
        return RedirectResponse("/", status_code=status.HTTP_303_SEE_OTHER)
    return _redirect_to(oidc_sign_in.begin(next_path="/confirmed", address=client_address(request), actor=actor))


@router.get("/callback", response_class=RedirectResponse, status_code=status.HTTP_303_SEE_OTHER)
def finish_sign_in(request: Request, _: Public) -> RedirectResponse:
    """Where the identity provider sends people back to. An error is passed on as its code; the sign-in page has the texts."""
    result = oidc_sign_in.finish(
        secret=request.cookies.get(_attempt_cookie(), ""),
        answer=dict(request.query_params),
        session_id=request.cookies.get(cookie_name(), ""),
        address=client_address(request),
        agent=request.headers.get("user-agent", ""),
    )
    answer = RedirectResponse(result.url, status_code=status.HTTP_303_SEE_OTHER)
    answer.delete_cookie(_attempt_cookie(), path="/", secure=get_settings().is_tls, httponly=True, samesite="lax")
    if result.session_id:
        set_session_cookie(answer, result.session_id)
    return answer


@router.get("/out", response_class=RedirectResponse, status_code=status.HTTP_303_SEE_OTHER)
def sign_out_at_provider(_: Public) -> RedirectResponse:
    """Redirects to the identity provider's page that ends the session there too."""
    return RedirectResponse(oidc_sign_in.sign_out_url(), status_code=status.HTTP_303_SEE_OTHER)


@router.get("/provider")
def read_provider(session: SessionDep, _: Manager) -> ProviderOut | None:
    """The identity provider as it is set up, without its secret; null where there is none."""
    return oidc_settings.read_provider(session)


@router.put("/provider")
def set_provider(body: ProviderSet, session: SessionDep, actor: Manager) -> ProviderOut:
    """Sets the identity provider up, changes it, or switches it off."""
    return oidc_settings.set_provider(session, actor=actor, request=body)


@router.post("/provider/try")
@not_idempotent("it changes nothing, and what it finds is of this moment")
def try_provider(session: SessionDep, _: Manager) -> ProviderTrial:
    """Reads the identity provider's documents and reports what works and what does not. Signs no one in."""
    return oidc_settings.try_provider(session)


@router.get("/groups")
def list_group_grants(session: SessionDep, actor: GrantActor) -> list[GroupGrant]:
    """Roles of the identity provider's groups."""
    return oidc_settings.list_group_grants(session, actor=actor)


@router.post("/groups", status_code=status.HTTP_201_CREATED)
def give_group_grant(body: GroupGrantCreate, session: SessionDep, actor: GrantActor) -> list[GroupGrant]:
    """Gives a role to a group of the identity provider; its members have the role from their next sign-in on."""
    return oidc_settings.give_group_grant(session, actor=actor, oidc_group=body.oidc_group, role=body.role, group_id=body.group_id)
