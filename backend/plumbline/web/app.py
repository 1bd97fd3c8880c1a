"""The HTTP application: the check-in endpoint, the JSON API, live events, metrics and the web interface, in one process without state.

`create_app()` fails where a route declares no right, so that none can be forgotten.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, iter_route_contexts
from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from plumbline import audit
from plumbline.auth import api_token_routes as tokens
from plumbline.auth import audit_trail, idempotency
from plumbline.auth import oidc_routes as sign_in
from plumbline.auth import routes as auth
from plumbline.auth import second_factor_routes as second_factors
from plumbline.auth.dependencies import Guard, bearer_of
from plumbline.bundles import routes as assessments
from plumbline.checkin.asgi import CheckInApp
from plumbline.checkin.enrol import ENROL_PATH
from plumbline.checkin.headers import PATH as CHECK_IN_PATH
from plumbline.collection import routes as collection
from plumbline.core.texts import counted
from plumbline.drift import baseline_routes as baselines
from plumbline.drift import routes
from plumbline.evidence import routes as evidence
from plumbline.fleet import routes as fleet
from plumbline.hosts import install_commands
from plumbline.hosts import merge_routes as merges
from plumbline.hosts import routes as hosts
from plumbline.infra import resources
from plumbline.infra.database import is_database_gone
from plumbline.infra.errors import PlumblineError
from plumbline.infra.schemas import Problem
from plumbline.notify import routes as notices
from plumbline.oncall import routes as oncall
from plumbline.packs import routes as packs
from plumbline.performance import routes as performance
from plumbline.previews import routes as previews
from plumbline.proofs import routes as proofs
from plumbline.remediation.access import routes as host_access
from plumbline.remediation.controls import routes as controls
from plumbline.remediation.jobs import routes as jobs
from plumbline.remediation.plans import routes as plans
from plumbline.reports import assessment_routes as assessment_reports
from plumbline.reports import export_routes as exports
from plumbline.reports import routes as reports
from plumbline.waivers import routes as waivers
from plumbline.watches import routes as watches
from plumbline.web import documented, health, metrics
from plumbline.web import lab_routes as lab
from plumbline.web import live_routes as live
from plumbline.web import system_health_routes as system_health
from plumbline.web.allowed_methods import AllowedMethods, RefusedMethods, allow_header, method_words
from plumbline.web.api_keys import make_keys
from plumbline.web.etags import EntityTags
from plumbline.web.health import VERSION
from plumbline.web.http_limits import LimitedProtocol, allow_connections
from plumbline.web.middleware import Outermost, WebInterface, problem
from plumbline.web.refusals import Refusals

log = structlog.get_logger()

PREFIX = "/api/v1"
_TITLES = {
    400: "Bad request",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Request too large",
    422: "Invalid input",
    429: "Too many requests",
    500: "Internal error",
    503: "Temporarily unavailable",
}
# Codes are an interface: they stayed where the title was reworded.
_CODES = {413: "too_large", 422: "cannot_be_used", 503: "not_available_now"}
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": _TITLES[status]} for status in (401, 403, 404, 409, 422, 429, 503)
}


# The modules with the routers of the JSON API, and the tag under which the OpenAPI document lists each.
_ROUTERS = (
    (auth, "access"),
    (sign_in, "access"),
    (second_factors, "access"),
    (tokens, "access"),
    (audit_trail, "audit"),
    (hosts, "hosts"),
    (collection, "collection"),
    (performance, "performance"),
    (fleet, "findings"),
    (merges, "hosts"),
    (packs, "packs"),
    (previews, "packs"),
    (waivers, "waivers"),
    (baselines, "drift"),
    (routes, "drift"),
    (proofs, "proofs"),
    (plans, "remediation"),
    (jobs, "remediation"),
    (controls, "remediation"),
    (host_access, "remediation"),
    (oncall, "on-call"),
    (watches, "performance"),
    (reports, "reports"),
    (assessments, "assessments"),
    (assessment_reports, "assessments"),
    (exports, "exports"),
    (evidence, "reports"),
    (live, "events"),
    (system_health, "health"),
    (lab, "health"),
    (notices, "notices"),
)


def create_app() -> FastAPI:
    """The application. The check-in endpoint comes before the router, the web interface after it."""
    check_ins = _CheckInHolder()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        LimitedProtocol.most_connections = allow_connections()
        make_keys()
        check_in_app = CheckInApp()
        await check_in_app.startup()
        check_ins.app = check_in_app
        try:
            yield
        finally:
            check_ins.app = None
            await check_in_app.shutdown()

    app = FastAPI(
        title="Plumbline",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name,
        responses=_PROBLEMS,
    )
    for module, tag in _ROUTERS:
        app.include_router(module.router, prefix=PREFIX, tags=[tag])
    app.include_router(install_commands.router, tags=["agents"])
    app.include_router(health.router, tags=["health"])
    app.include_router(metrics.router, tags=["health"])
    allowed = AllowedMethods(
        (context.path or "", context.methods or ())
        for context in iter_route_contexts(app.routes)
        if isinstance(context.original_route, APIRoute)
    )
    _handle_errors(app, allowed)
    _declare_rights(app)
    app.add_api_route("/api/openapi.json", app.openapi, include_in_schema=False, methods=["GET"])
    web = WebInterface(resources.WEB)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    def web_interface(path: str, request: Request) -> Response:  # noqa: ARG001
        if request.url.path.startswith(("/api/", "/agent/")) or request.url.path in ("/api", "/agent"):
            raise HTTPException(405 if allowed.of(request.url.path) else 404)
        return web.answer(request.url.path, accepted=request.headers.get("accept-encoding", ""))

    app.add_middleware(RefusedMethods, allowed=allowed)
    app.add_middleware(EntityTags)
    app.add_middleware(_CheckInsFirst, holder=check_ins)
    app.add_middleware(Outermost)
    return app


class _CheckInHolder:
    """The check-in endpoint while the process serves. Without a server, as for the OpenAPI document, there is none."""

    app: CheckInApp | None = None


class _CheckInsFirst:
    """Passes check-ins and enrolments to their own application before FastAPI's router."""

    def __init__(self, app: ASGIApp, holder: _CheckInHolder) -> None:
        self.app = app
        self.holder = holder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.holder.app is not None and scope["type"] == "http" and scope["path"] in (CHECK_IN_PATH, ENROL_PATH):
            await self.holder.app(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def routes_of(app: FastAPI) -> Iterator[tuple[APIRoute, str]]:
    """Every declared route with its right, empty where it declares none."""
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if isinstance(route, APIRoute) and route.include_in_schema:
            guards = [dependency.call for dependency in route.dependant.dependencies if isinstance(dependency.call, Guard)]
            yield route, guards[0].action if len(guards) == 1 else ""


def _declare_rights(app: FastAPI) -> None:
    """Refuses routes without a right, and writes each right into the OpenAPI document (`x-right`)."""
    rights: dict[str, str] = {}
    idempotent: set[str] = set()
    for route, action in routes_of(app):
        if not action:
            raise RuntimeError(f"the route {sorted(route.methods or ())} {route.path} ({route.name}) declares no right: add May(...)")
        if route.name in rights:
            raise RuntimeError(f"two routes are called {route.name}: operation ids have to be unique")
        if "POST" in (route.methods or ()) and not isinstance(route, idempotency.IdempotentRoute):
            raise RuntimeError(
                f"the route {route.path} ({route.name}) knows no {idempotency.HEADER}: make its router with route_class=IdempotentRoute"
            )
        rights[route.name] = action
        if idempotency.is_idempotent(route):
            idempotent.add(route.name)
    build_document = app.openapi

    def openapi() -> dict[str, Any]:
        document = build_document()
        documented.complete(document, rights=rights, idempotent=idempotent)
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _is_write_conflict(error: Exception) -> bool:
    """Whether the statement lost to another writer: a deadlock, or a lock timeout (PostgreSQL, appendix A, 40 and 55P03)."""
    state = str(getattr(getattr(error, "orig", None), "sqlstate", "") or "")
    return state.startswith("40") or state == "55P03"


def _message(error: Mapping[str, Any]) -> str:
    """pydantic's message about a value, except that it counts characters of a text as items."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "string_too_short" or (kind == "too_short" and context.get("field_type") == "Value"):
        least = context["min_length"]
        return f"Enter at least {counted(least, 'character')}."
    return str(error["msg"]).removeprefix("Value error, ")


def _handle_errors(app: FastAPI, allowed: AllowedMethods) -> None:
    app.state.refusals = Refusals()

    @app.exception_handler(PlumblineError)
    def _plumbline_error(request: Request, error: PlumblineError) -> Response:
        # A 401 without a token is an ended session, and failed sign-ins leave their own trace; one with a token is a guess or a leak's end.
        if error.status == 403 or (error.status == 401 and bearer_of(request.headers) is not None):
            app.state.refusals.note(request, error)
        seconds = error.details.get("retry_after_seconds")
        headers = None if seconds is None else {"Retry-After": str(seconds)}
        if error.status >= 500:
            log.error("request failed", code=error.code, detail=error.message, request_id=audit.REQUEST_ID.get())
        return problem(error.status, title=_TITLES.get(error.status, "Error"), detail=error.message, code=error.code, headers=headers)

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        title = _TITLES.get(error.status_code, "Error")
        path = request.url.path
        details = {404: f"Nothing found at {path}.", 405: method_words(request.method, path)}
        return problem(
            error.status_code,
            title=title,
            detail=details.get(error.status_code, str(error.detail)),
            code=_CODES.get(error.status_code) or title.lower().replace(" ", "_"),
            headers=allow_header(allowed.of(path)) if error.status_code == 405 else error.headers,
        )

    @app.exception_handler(RequestValidationError)
    def _invalid(_: Request, error: RequestValidationError) -> Response:
        # Without the input itself, which may hold a password, or text that cannot be encoded.
        errors = [
            {"place": ".".join(str(part) for part in entry["loc"]).encode("utf-8", "replace").decode(), "message": _message(entry)}
            for entry in error.errors()[:20]
        ]
        first = errors[0] if errors else {"place": "", "message": "Invalid format."}
        # The sentence for people names the field without the prefix of the body.
        detail = f"{first['place'].removeprefix('body.')}: {first['message']}"
        return problem(422, title=_TITLES[422], detail=detail, code="bad_input", errors=errors)

    @app.exception_handler(DataError)
    def _data(_: Request, error: DataError) -> Response:
        log.warning("the database refused a value", error=str(error.orig), request_id=audit.REQUEST_ID.get())
        return problem(422, title=_TITLES[422], detail="A value is out of range.", code="bad_input")

    @app.exception_handler(IntegrityError)
    def _integrity(_: Request, error: IntegrityError) -> Response:
        log.warning("two writes met", error=str(error.orig), request_id=audit.REQUEST_ID.get())
        return problem(409, title=_TITLES[409], detail="This was changed by someone else. Reload and try again.", code="conflict")

    @app.exception_handler(InternalError)
    def _internal(request: Request, error: InternalError) -> Response:
        # A server that takes no writes: a standby, reached while a failover is under way.
        if not is_database_gone(error):
            raise error
        return _database_away(request, error)

    @app.exception_handler(OperationalError)
    @app.exception_handler(InterfaceError)
    @app.exception_handler(PoolTimeout)
    def _database_away(_: Request, error: Exception) -> Response:
        if _is_write_conflict(error):
            log.warning("two writes met", error=str(error), request_id=audit.REQUEST_ID.get())
            return problem(409, title=_TITLES[409], detail="This is being changed by someone else. Try again.", code="conflict")
        log.error("Database not responding", error=str(error), request_id=audit.REQUEST_ID.get())
        return problem(
            503, title=_TITLES[503], detail="The database isn't responding. Try again.", code="unavailable", headers={"Retry-After": "5"}
        )
