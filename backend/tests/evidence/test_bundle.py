"""A bundle over the whole way: requested, made, downloaded, and checked by the file that the product serves."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select, text

from plumbline.evidence import build
from plumbline.evidence.verify_bundle import read_members, verify
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.models.evidence import EvidenceBundle
from tests.api.conftest import Ask
from tests.api.world import World
from tests.evidence.conftest import Worker, made, records


def test_it_holds_and_names_its_key(bundle: dict[str, Any], content: bytes) -> None:
    found = verify(content, bundle["key_id"])
    assert found["problems"] == []
    assert found["holds"] is True
    assert found["key_id"] == bundle["key_id"]
    assert found["recomputed"]["hosts"] == 4
    assert found["recomputed"]["findings"] == bundle["findings"] > 300
    assert found["recomputed"]["waivers"] == 1
    assert found["recomputed"]["audit_entries"] >= 3
    assert not verify(content, "0" * 16)["holds"]


def test_figures_are_those_of_the_screens(ask: Ask, content: bytes) -> None:
    listed = {host["id"]: host for host in ask("viewer", "GET", "/hosts?limit=500").json()["items"]}
    there = [record for record in records(content, "hosts.jsonl") if not record["absent"]]
    assert {record["id"] for record in there} == set(listed)
    for record in there:
        shown, figures = listed[record["id"]], record["figures"]
        assert figures["score"] == shown["score"], record["name"]
        assert {name: figures[name] for name in ("pass", "fail", "unknown", "waived", "not_applicable")} == {
            name: shown[f"n_{name}"] for name in ("pass", "fail", "unknown", "waived", "not_applicable")
        }
    assert any(finding["status"] == "waived" and finding["waiver"] for finding in records(content, "findings.jsonl"))
    waiting = next(record for record in records(content, "hosts.jsonl") if record["name"] == "new-01")
    assert waiting["absent"] == "pending approval at that time"


def test_the_served_file_checks_it_alone(ask: Ask, bundle: dict[str, Any], content: bytes, tmp_path: Path) -> None:
    served = ask(None, "GET", "/evidence-bundles/verify_bundle.py")
    assert served.status_code == 200
    (tmp_path / "verify_bundle.py").write_bytes(served.content)
    (tmp_path / "bundle.zip").write_bytes(content)
    # Isolated, without site packages: only the standard library is there.
    command = [sys.executable, "-I", "-S", "verify_bundle.py", "bundle.zip", "--key", bundle["key_id"]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The bundle holds." in done.stdout
    done = subprocess.run([*command[:-2], "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(done.stdout)["holds"] is True
    done = subprocess.run([*command[:4], "verify_bundle.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "cannot be read as an evidence bundle: this is not a zip archive" in done.stderr


def test_the_command_checks_it(bundle: dict[str, Any], content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bundle.zip").write_bytes(content)
    command = [sys.executable, "-m", "plumbline.cli", "verify-bundle", str(tmp_path / "bundle.zip")]
    done = subprocess.run([*command, "--key", bundle["key_id"]], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "bundle.zip").write_bytes(content[:-1])
    assert subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).returncode == 1


def test_a_bundle_of_a_subgroup_holds_nothing_of_others(ask: Ask, world: World, worker: Worker) -> None:
    asked = ask("prod-viewer", "POST", "/evidence-bundles", json={"group_id": world.groups["prod_b"]}).json()
    with worker(), session_scope() as session:
        build.build_bundle(session, asked["id"])
    content = ask("prod-viewer", "GET", f"/evidence-bundles/{asked['id']}/file").content
    assert verify(content)["problems"] == []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert "sql-01" in everything
    assert "lab-01" not in everything
    assert "esx-01" not in everything
    assert "test.made" not in everything


def test_a_bundle_of_a_saved_view_holds_its_hosts_alone(ask: Ask, world: World, worker: Worker) -> None:
    view = ask("viewer", "POST", "/views", json={"name": "SQL hosts", "url": "/hosts?q=sql&sort=name", "is_shared": False})
    assert view.status_code == 201, view.text
    shown = made(ask, worker, {"group_id": 1, "view_id": view.json()["id"]})
    assert (shown["group_name"], shown["view_name"], shown["hosts"]) == ("All hosts", "SQL hosts", 2)
    content = ask("viewer", "GET", f"/evidence-bundles/{shown['id']}/file").content
    assert {host["name"] for host in records(content, "hosts.jsonl")} == {"sql-01", "sql-02"}
    assert len(records(content, "configurations.jsonl")) == 2
    found = verify(content, shown["key_id"])
    assert (found["problems"], found["holds"], found["recomputed"]["hosts"]) == ([], True, 2)
    # What happened is that of the group: a log with gaps would prove nothing.
    assert len(records(content, "audit.jsonl")) > 5
    # Somebody else's view is not there.
    assert ask("admin", "POST", "/evidence-bundles", json={"group_id": 1, "view_id": view.json()["id"]}).status_code == 404


def test_the_past_is_as_it_was(ask: Ask, world: World, worker: Worker) -> None:
    before = datetime.now(UTC) - timedelta(days=400)
    shown = made(ask, worker, {"group_id": 1, "as_of": before.isoformat()})
    content = ask("viewer", "GET", f"/evidence-bundles/{shown['id']}/file").content
    assert verify(content)["problems"] == []
    assert all(record["absent"].startswith("not enrolled until") for record in records(content, "hosts.jsonl"))
    assert records(content, "findings.jsonl") == []


def test_equal_data_give_equal_files(world: World, tmp_path: Path) -> None:
    with session_scope() as session:
        now = session.execute(text("SELECT now()")).scalar_one()
    kept = []
    for name in ("a.zip", "b.zip"):
        build.write_bundle(
            tmp_path / name, EvidenceBundle(group_id=1, as_of=now, since=now - timedelta(days=1), requested_by=1), requested_by="Ana"
        )
        members, problems = read_members((tmp_path / name).read_bytes())
        assert problems == []
        kept.append({each.name: each.content for each in members.values() if each.name.endswith(".jsonl")})
    assert kept[0] == kept[1]


def test_who_may(ask: Ask, world: World, bundle: dict[str, Any]) -> None:
    body = {"group_id": 1}
    assert ask("operator", "POST", "/evidence-bundles", json=body).status_code == 403
    assert ask("approver", "GET", f"/evidence-bundles/{bundle['id']}/file").status_code == 403
    assert ask("operator", "GET", f"/evidence-bundles/{bundle['id']}").status_code == 200
    assert ask("admin", "GET", f"/evidence-bundles/{bundle['id']}/file").status_code == 200
    assert ask("prod-viewer", "POST", "/evidence-bundles", json=body).status_code == 404
    assert ask("prod-viewer", "GET", f"/evidence-bundles/{bundle['id']}").status_code == 404
    assert ask("prod-viewer", "GET", f"/evidence-bundles/{bundle['id']}/file").status_code == 404
    assert bundle["id"] not in {each["id"] for each in ask("prod-viewer", "GET", "/evidence-bundles").json()}
    assert bundle["id"] in {each["id"] for each in ask("viewer", "GET", "/evidence-bundles").json()}


def test_declared_errors(ask: Ask, world: World) -> None:
    future = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    refused = ask("viewer", "POST", "/evidence-bundles", json={"group_id": 1, "as_of": future})
    assert refused.status_code == 422
    assert "in the future" in refused.json()["detail"]
    assert ask("viewer", "POST", "/evidence-bundles", json={"group_id": 1, "as_of": "2026-01-01T00:00:00"}).status_code == 422
    assert ask("viewer", "POST", "/evidence-bundles", json={"group_id": 1, "period_days": 0}).status_code == 422
    assert ask("viewer", "GET", "/evidence-bundles/999999").status_code == 404
    assert ask("viewer", "GET", "/evidence-bundles/999999/file").status_code == 404
    queued = [ask("viewer", "POST", "/evidence-bundles", json={"group_id": 1}) for _ in range(4)]
    assert [answer.status_code for answer in queued] == [201, 201, 201, 409]
    with session_scope() as session:
        session.execute(text("UPDATE evidence_bundle SET requested_at = now() - interval '1 minute' WHERE state = 'queued'"))
    with session_scope() as session:
        waiting = build.queued_bundles(session)
    assert set(waiting) == {answer.json()["id"] for answer in queued[:3]}
    assert ask("viewer", "GET", f"/evidence-bundles/{waiting[0]}/file").status_code == 404


def test_too_many_hosts_is_said(ask: Ask, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.evidence.hosts.MOST_HOSTS", 1)
    with session_scope() as session:
        row = EvidenceBundle(group_id=1, as_of=datetime.now(UTC), since=datetime.now(UTC), requested_by=world.people["viewer"])
        session.add(row)
        session.flush()
        bundle_id = row.id or 0
    with session_scope() as session:
        build.build_bundle(session, bundle_id)
    shown = ask("viewer", "GET", f"/evidence-bundles/{bundle_id}").json()
    assert shown["state"] == "failed"
    assert "make a bundle of each of its subgroups" in shown["error"]


@pytest.fixture
def acts() -> Iterator[list[AuditEntry]]:
    with session_scope() as session:
        yield list(session.exec(select(AuditEntry).where(AuditEntry.object_kind == "evidence_bundle")))


def test_requests_and_downloads_are_audited(bundle: dict[str, Any], content: bytes, acts: list[AuditEntry]) -> None:
    mine = [entry for entry in acts if entry.object_id == str(bundle["id"])]
    assert {entry.action for entry in mine} == {"evidence.requested", "evidence.made", "evidence.exported"}
    exported = next(entry for entry in mine if entry.action == "evidence.exported")
    assert exported.after["sha256"] == bundle["sha256"]
    assert exported.actor.endswith(" viewer")
