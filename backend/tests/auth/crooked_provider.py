"""A provider that can be made to lie: a relying party must refuse what an honest provider never sends."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

KEY = RSAKey.generate_key(2048, {"kid": "its-own", "use": "sig"}, private=True)
STRANGER = RSAKey.generate_key(2048, {"kid": "its-own", "use": "sig"}, private=True)
CLIENT_SECRET = "the secret that the client and the provider share"


@dataclass
class Crooked:
    """What it says next. `claims` go over those of an honest token; a None takes one away."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256", "kid": "its-own"})
    key: Any = field(default_factory=lambda: KEY)
    nonce: str = ""
    document: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] | None = None
    token: dict[str, Any] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)

    def id_token(self) -> str:
        now = int(time.time())
        honest = {
            "iss": self.issuer, "aud": "plumbline", "sub": "u1", "iat": now, "exp": now + 300, "nonce": self.nonce, "auth_time": now,
            "name": "U One", "preferred_username": "uone", "groups": ["team"],
        }  # fmt: skip
        claims = {name: value for name, value in {**honest, **self.claims}.items() if value is not None}
        if self.header["alg"] == "none":
            part = [json.dumps(each).encode() for each in (self.header, claims)]
            import base64

            return ".".join(base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in part) + "."
        return jwt.encode(self.header, claims, self.key, algorithms=[self.header["alg"]])

    def answer(self, path: str) -> Any:
        own = {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/auth", "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks", "userinfo_endpoint": f"{self.issuer}/me", "code_challenge_methods_supported": ["S256"],
        }  # fmt: skip
        if path == "/.well-known/openid-configuration":
            return {name: value for name, value in {**own, **self.document}.items() if value is not None}
        if path == "/jwks":
            return {"keys": [KEY.as_dict(private=False)]}
        if path == "/token":
            return {"access_token": "opaque", "token_type": "Bearer", "expires_in": 60, "id_token": self.id_token(), **self.token}
        return self.userinfo


def shared_key() -> OctKey:
    """What HS256 would sign with: anybody who knows the client secret could."""
    return OctKey.import_key(CLIENT_SECRET)


@contextmanager
def crooked_provider() -> Iterator[Crooked]:
    """It runs in a thread and answers over HTTP."""
    said = Crooked()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = said.answer(self.path.partition("?")[0])
            if isinstance(body, tuple):
                status, headers, raw = body
            else:
                status, headers, raw = 200, {"content-type": "application/json"}, json.dumps(body).encode()
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(raw))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        def do_POST(self) -> None:
            from urllib.parse import parse_qsl

            said.asked.append(dict(parse_qsl(self.rfile.read(int(self.headers["content-length"])).decode())))
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    said.issuer = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield said
    finally:
        server.shutdown()
        server.server_close()
