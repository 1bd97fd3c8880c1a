"""The outermost middleware, and the built web interface.

`Outermost` gives each request an id, adds the security headers to every answer (errors and static files too), refuses foreign host names
and cross-site writes, limits bodies, and turns an unexpected exception into a problem that reveals nothing internal.
"""

import mimetypes
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import structlog
from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plumbline import audit
from plumbline.auth.dependencies import bearer_of
from plumbline.infra.settings import get_settings
from plumbline.web.host_names import HostNames

log = structlog.get_logger()

# As RFC 9239 has it. What Python knows of it by itself depends on its version and on the machine's own list.
mimetypes.add_type("text/javascript", ".js")

# Styles may be inline: Mantine and recharts set them on elements (docs/adr). Scripts never are.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), payment=()",
}
# Whatever lies below Plumbline's name is bound too: it needs a name of its own (docs/security.md).
STRICT_TRANSPORT = "max-age=31536000; includeSubDomains"
# Content coding -> how its file ends, the smallest first.
_CODINGS: Mapping[str, str] = {"br": "br", "gzip": "gz"}
API_PREFIX = "/api/"
CUSTOM_HEADER = "x-plumbline"
LARGEST_BODY = 1024 * 1024
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


def problem(status: int, *, title: str, detail: str, code: str, headers: Mapping[str, str] | None = None, **more: object) -> JSONResponse:
    """An RFC 9457 answer."""
    body = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": audit.REQUEST_ID.get(),
        **more,
    }
    return JSONResponse(body, status_code=status, media_type="application/problem+json", headers=dict(headers or {}))


def security_headers() -> Mapping[str, str]:
    """The headers of every response of this installation."""
    return {**HEADERS, "strict-transport-security": STRICT_TRANSPORT} if get_settings().is_tls else HEADERS


class Outermost:
    """The outermost layer. It is plain ASGI, so that it sees every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._headers = [(name.encode(), value.encode()) for name, value in security_headers().items()]
        self._names = frozenset(name for name, _ in self._headers)
        self._hosts = HostNames(get_settings())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        is_api = path.startswith(API_PREFIX)
        headers = Headers(scope=scope)
        request_id = headers.get("x-request-id", "")
        if not _REQUEST_ID.fullmatch(request_id):
            request_id = secrets.token_hex(8)
        token = audit.REQUEST_ID.set(request_id)
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                sent = [(name, value) for name, value in message.get("headers", []) if name.lower() not in self._names]
                sent += self._headers
                sent.append((b"x-request-id", request_id.encode()))
                # Only what says that it may be kept is kept: the files of the web interface.
                if not any(name.lower() == b"cache-control" for name, _ in sent):
                    sent.append((b"cache-control", b"no-store"))
                message["headers"] = sent
            await send(message)

        try:
            refusal = self._hosts.problem(scope)
            if refusal is not None:
                status, detail = refusal
                title, code = ("Misdirected request", "foreign_host") if status == 421 else ("Bad request", "bad_host")
                await problem(status, title=title, detail=detail, code=code)(scope, receive, send_with_headers)
            elif is_api:
                refused = _refuse_cross_site(scope["method"], headers)
                if refused is not None:
                    await refused(scope, receive, send_with_headers)
                    return
                await self.app(scope, _limited(receive), send_with_headers)
            else:
                await self.app(scope, receive, send_with_headers)
        except Exception:
            log.exception("unexpected exception", path=path, method=scope["method"], request_id=request_id)
            if started:
                raise
            answer = problem(
                500,
                title="Internal error",
                detail="Something went wrong. Give the request ID to your admin to find it in the log.",
                code="internal",
            )
            await answer(scope, receive, send_with_headers)
        finally:
            audit.REQUEST_ID.reset(token)


def _limited(receive: Receive) -> Receive:
    read = 0

    async def receive_limited() -> Message:
        nonlocal read
        message = await receive()
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            if read > LARGEST_BODY:
                # FastAPI does not catch this one while it reads a body, and the handler in `app` turns it into a problem.
                raise HTTPException(413, f"a request holds at most {LARGEST_BODY} bytes")
        return message

    return receive_limited


def _refuse_cross_site(method: str, headers: Headers) -> Response | None:
    """Refuses writes from other sites: by Sec-Fetch-Site, else by Origin, and always without the custom header.

    A browser never sends a bearer token by itself, and with one the cookie is ignored: such a request cannot be forged by another site.
    """
    if method in _SAFE_METHODS or bearer_of(headers) is not None:
        return None
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if site is not None:
        is_same_site = site in ("same-origin", "none")
    elif origin is not None:
        is_same_site = _is_own_origin(origin, headers.get("host", ""))
    else:
        is_same_site = True  # not a browser; it has no cookie that it did not set itself
    if is_same_site and headers.get(CUSTOM_HEADER) == "1":
        return None
    return problem(
        403,
        title="Cross-site request",
        detail="Changes are only accepted from Plumbline's own pages (header X-Plumbline: 1).",
        code="cross_site",
    )


def _is_own_origin(origin: str, host: str) -> bool:
    settings = get_settings()
    public = urlsplit(settings.public_url)
    if origin == f"{public.scheme}://{public.netloc}":
        return True
    return bool(host) and origin == f"{'https' if settings.is_tls else 'http'}://{host}"


class WebInterface:
    """The built interface: files by name, and the start page for every address that the interface routes itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def answer(self, path: str, *, accepted: str = "") -> Response:
        """The answer to a GET of this path; `accepted` is the client's Accept-Encoding."""
        start = self.folder / "index.html"
        if not start.is_file():
            return PlainTextResponse("The web interface has not been built: run `make build`.\n", status_code=503)
        if "\0" in path or "\\" in path or ".." in path.split("/"):
            return PlainTextResponse("Page not found.\n", status_code=404)
        try:
            file = (self.folder / path.lstrip("/")).resolve()
            is_file = file.is_relative_to(self.folder) and file.is_file()
        except (OSError, ValueError):
            is_file = False
        if is_file and file != start:
            # Names under assets/ carry a hash of their content.
            age = "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-cache"
            return _file(file, age, accepted)
        # Addresses of pages may hold ids with dots (`/rules/dell-esxi55/esxi55.delayed_ack`); files are at the top level.
        if path.startswith("/assets/") or ("." in path and "/" not in path.strip("/")):
            return PlainTextResponse("File not found.\n", status_code=404)
        return _file(start, "no-cache", accepted)


def _file(file: Path, age: str, accepted: str) -> Response:
    """A file, in the smallest of the forms that the build wrote beside it (`frontend/scripts/compress.mjs`) and the client takes."""
    headers = {"cache-control": age, "vary": "accept-encoding"}
    coding = next((each for each in _CODINGS if _takes(accepted, each) and _beside(file, each).is_file()), None)
    if coding is None:
        return FileResponse(file, headers=headers)
    media, _ = mimetypes.guess_type(file.name)
    return FileResponse(_beside(file, coding), media_type=media, headers={**headers, "content-encoding": coding})


def _beside(file: Path, coding: str) -> Path:
    return file.with_name(f"{file.name}.{_CODINGS[coding]}")


def _takes(accepted: str, coding: str) -> bool:
    """Whether an Accept-Encoding names a coding, other than with weight 0 (RFC 9110, 12.5.3)."""
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == coding:
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight)
    return False
