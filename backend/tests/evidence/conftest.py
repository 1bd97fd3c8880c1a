"""The served application and fleet of the API's tests, and a bundle of them with a waiver and an audit chain in it."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from sqlmodel import text

from plumbline import audit
from plumbline.audit.chain import chain_pending, sign_head, signing_key
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evidence import build
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World
from tests.conftest import pointed_at

__all__ = ["address", "api_database", "app", "ask", "world"]

Worker = Callable[[], AbstractContextManager[str]]


@pytest.fixture(scope="module")
def worker(cluster: embedded_servers.PostgresCluster, api_database: str) -> Worker:
    """Points the process at the module's database as the background worker, whose rights are fewer."""
    name = api_database.partition("?")[0].rpartition("/")[2]
    return lambda: pointed_at(cluster, name, role="plumbline_background")


@pytest.fixture(scope="module")
def bundle(ask: Ask, world: World, worker: Worker) -> dict[str, Any]:
    """A bundle of the whole fleet with a waiver in force, an attestation and a chained audit log."""
    with session_scope() as session:
        failing = session.execute(
            text(
                "SELECT f.host_id, f.rule_no, f.subject_kind, f.subject_id FROM finding f JOIN host h ON h.id = f.host_id"
                " WHERE f.outcome = 'fail' AND f.kind = 'recommended' AND h.name = 'sql-01' ORDER BY f.rule_no, f.subject_id LIMIT 1"
            )
        ).one()
        session.execute(
            text(
                "INSERT INTO waiver (state, rule_no, host_id, subject_kind, subject_id, reason, evidence, ticket, owner_id, requested_by,"
                " approved_by, requested_at, approved_at, expires_at) VALUES ('active', :rule_no, :host_id, :subject_kind, :subject_id,"
                " 'replaced soon', '', 'CHG-1', :operator, :operator, :approver, now() - interval '1 day', now() - interval '1 hour',"
                " now() + interval '30 days')"
            ),
            {**failing._mapping, "operator": world.people["operator"], "approver": world.people["approver"]},
        )
        session.flush()
        reevaluate_hosts(session, [failing.host_id], in_full=True)
        for number in range(5):
            group = world.groups["lab"] if number % 2 else None
            audit.record(session, actor=audit.SYSTEM, action="test.made", about=audit.Object("group", "1", group), after={"n": number})
    with worker(), session_scope() as session:
        while chain_pending(session):
            pass
        sign_head(session, signing_key())
    return made(ask, worker, {"group_id": 1})


def made(ask: Ask, worker: Worker, body: dict[str, Any]) -> dict[str, Any]:
    asked = ask("viewer", "POST", "/evidence-bundles", json=body)
    assert asked.status_code == 201, asked.text
    assert asked.json()["state"] == "queued"
    with worker():
        with session_scope() as session:
            assert build.build_bundle(session, asked.json()["id"]) is True
        with session_scope() as session:
            assert build.build_bundle(session, asked.json()["id"]) is False
    shown: dict[str, Any] = ask("viewer", "GET", f"/evidence-bundles/{asked.json()['id']}").json()
    assert shown["state"] == "ready", shown["error"]
    return shown


@pytest.fixture(scope="module")
def content(ask: Ask, bundle: dict[str, Any]) -> bytes:
    answer = ask("viewer", "GET", f"/evidence-bundles/{bundle['id']}/file")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert "attachment" in answer.headers["content-disposition"]
    assert hashlib.sha256(answer.content).hexdigest() == bundle["sha256"]
    assert len(answer.content) == bundle["size_bytes"]
    return answer.content


def records(content: bytes, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [json.loads(line) for line in archive.read(name).splitlines()]
