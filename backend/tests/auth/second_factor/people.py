"""What people do with second factors over the API."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pyotp
from sqlmodel import select, text

from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from tests.api.world import WRITE
from tests.auth.soft_passkey import SoftPasskey

PASSWORD, OTHER = "vine kettle orbit ten", "copper lantern seven hills"
COOKIE = "plumbline-development"


def browser(base: str) -> httpx.Client:
    return httpx.Client(base_url=base, headers=WRITE, timeout=30)


def password_step(client: httpx.Client, login: str, password: str = PASSWORD) -> httpx.Response:
    return client.post("/session", json={"login": login, "password": password})


@contextmanager
def signed_in(base: str, login: str) -> Iterator[httpx.Client]:
    with browser(base) as client:
        assert password_step(client, login).status_code == 200
        yield client


def code_of(secret: str) -> str:
    """The code that the app shows now. Codes that were used before are forgotten, as if half a minute had passed."""
    with session_scope() as session:
        session.execute(text("UPDATE second_factor SET last_step = 0"))
    return pyotp.TOTP(secret).now()


def add_app(client: httpx.Client, name: str = "Phone") -> tuple[str, list[str]]:
    """Adds an authenticator app; answers its secret and the recovery codes."""
    begun = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": PASSWORD})
    assert begun.status_code == 200, begun.text
    setup = begun.json()["authenticator"]
    body = {"step": begun.json()["step"], "name": name, "code": pyotp.TOTP(setup["secret"]).now()}
    added = client.post("/session/second-factors", json=body)
    assert added.status_code == 201, added.text
    return setup["secret"], added.json()["recovery_codes"]


def add_passkey(client: httpx.Client, passkey: SoftPasskey, name: str = "Key") -> httpx.Response:
    begun = client.post("/session/second-factors/begin", json={"kind": "passkey", "password": PASSWORD})
    assert begun.status_code == 200, begun.text
    body = {"step": begun.json()["step"], "name": name, "passkey": passkey.create(begun.json()["passkey"])}
    return client.post("/session/second-factors", json=body)


def second_step(client: httpx.Client, started: httpx.Response, **proof: Any) -> httpx.Response:
    return client.post("/session/second-step", json={"step": started.json()["step"], **proof})


def decide(client: httpx.Client, password: str = PASSWORD) -> tuple[int, str]:
    """The answer to a decision: past the rights and the confirmation, there is no such plan."""
    answer = client.post("/plans/999999/approve", json={"password": password})
    return answer.status_code, answer.json()["code"]


def sign(client: httpx.Client, password: str) -> tuple[int, str]:
    """The answer to an act that asks for a confirmation: past it, there is no such group."""
    items = [{"setting": "adapter.flow_control", "value": "rx_tx"}]
    body = {"name": "on call", "group_ids": [999999], "items": items, "largest_impact": "adapter_restart", "password": password}
    answer = client.post("/standing-approvals", json={**body, "expires_at": (datetime.now(UTC) + timedelta(days=9)).isoformat()})
    return answer.status_code, answer.json()["code"]


def acts() -> list[str]:
    with session_scope() as session:
        return list(session.exec(select(AuditEntry.action).order_by(AuditEntry.id)))  # type: ignore[arg-type]
