"""A bundle over the whole way: requested, made, downloaded, checked by the file that the product serves; and changed in every way."""

import hashlib
import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select, text

from plumbline import audit
from plumbline.audit.chain import chain_pending, sign_head, signing_key
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evidence import build
from plumbline.evidence.container import BundleWriter
from plumbline.evidence.verify_bundle import NotABundle, canonical, read_members, verify
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.models.evidence import EvidenceBundle
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask
from tests.api.world import World
from tests.conftest import pointed_at

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


def _places(content: bytes) -> dict[str, list[int]]:
    """Where bytes of each kind are: the whole header of the first member and the whole list at the end, and some bytes of all others."""
    draw = random.Random(7)
    places: dict[str, list[int]] = {}
    position = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    for info in members:
        start = info.header_offset + 30 + len(info.filename)
        header = range(info.header_offset, start)
        places[f"header of {info.filename}"] = sorted(draw.sample(header, 8) if places else header)
        packed = range(start, start + info.compress_size)
        places[info.filename] = sorted({*draw.sample(packed, min(12, len(packed))), packed[0], packed[-1]})
        position = start + info.compress_size
    places["list of members"] = list(range(position, len(content)))
    return places


def test_no_byte_can_be_changed(content: bytes) -> None:
    """One bit of each. What was changed is named."""
    survived = []
    draw = random.Random(3)
    places = _places(content)
    assert len(places) == 2 * len(read_members(content)[0]) + 1
    for kind, positions in places.items():
        for position in positions:
            changed = bytearray(content)
            changed[position] ^= 1 << draw.randrange(8)
            try:
                problems = quickly(bytes(changed))
                # A changed name, size or magic makes the file another one; everything else is named.
                is_found = bool(problems) and (" of " in kind or any(problem.startswith(kind) for problem in problems))
            except NotABundle:
                is_found = True
            if not is_found:
                survived.append((kind, position))
    assert survived == []


def quickly(content: bytes) -> list[str]:
    """What is wrong with the file and its signature, without evaluating the rules again."""
    from plumbline.evidence.verify_bundle import Bundle

    return Bundle(content).problems


@pytest.mark.parametrize("cut", [1, 22, 1000])
def test_a_cut_file_does_not_hold(content: bytes, cut: int) -> None:
    for part in (content[:-cut], content + b"x" * cut):
        try:
            problems = quickly(part)
        except NotABundle as error:
            problems = [str(error)]
        assert problems


def rewritten(content: bytes, name: str, change: Any) -> bytes:
    """The bundle with one file's lines changed, in a proper archive, under the old index and signature."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == name:
                lines = data.split(b"\n")[:-1]
                change(lines)
                data = b"".join(line + b"\n" for line in lines)
            again = zipfile.ZipInfo(info.filename, (1980, 1, 1, 0, 0, 0))
            again.compress_type, again.external_attr = info.compress_type, info.external_attr
            new.writestr(again, data)
    return out.getvalue()


FILES = (
    "packs.jsonl", "rules-in-force.jsonl", "hosts.jsonl", "configurations.jsonl", "findings.jsonl", "waivers.jsonl", "audit.jsonl",
    "audit-heads.jsonl",
)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_the_changed_record_is_named(content: bytes, name: str) -> None:
    here = records(content, name)
    at = len(here) // 2

    def change(lines: list[bytes]) -> None:
        record = json.loads(lines[at])
        record["reason"] = "nothing to see here"
        lines[at] = canonical(record)

    problems = verify(rewritten(content, name, change))["problems"]
    assert problems == [f"{name}, record {at + 1} ({here[at]['record']}): it was changed"]


def test_removed_added_and_swapped_records_are_named(content: bytes) -> None:
    def removed(lines: list[bytes]) -> None:
        del lines[3]

    def added(lines: list[bytes]) -> None:
        lines.insert(3, lines[3].replace(b'"pass"', b'"fail"') + b" ")

    def swapped(lines: list[bytes]) -> None:
        lines[3], lines[4] = lines[4], lines[3]

    assert verify(rewritten(content, "findings.jsonl", removed))["problems"] == ["findings.jsonl, record 4: it was removed"]
    (problem,) = verify(rewritten(content, "findings.jsonl", added))["problems"]
    assert problem.startswith("findings.jsonl, record 4 (finding ")
    assert problem.endswith("it was added")
    assert verify(rewritten(content, "findings.jsonl", swapped))["problems"] == [
        "findings.jsonl: its records were put in another order, or repeated"
    ]


def signed_again(content: bytes, tmp_path: Path, changes: dict[str, Any]) -> bytes:
    """The bundle with changed records and a signature by the installation's own key, as whoever holds the key could make it."""
    key = signing_key()
    path = tmp_path / "again.zip"
    members, _ = read_members(content)
    with BundleWriter(path) as writer:
        for member in members.values():
            if member.name in ("index.json", "signature.json"):
                continue
            if not member.name.endswith(".jsonl"):
                writer.add_file(member.name, member.content)
                continue
            rows = [json.loads(line) for line in member.content.splitlines()]
            changes.get(member.name, lambda rows: None)(rows)
            writer.add_records(member.name, rows)
        public = key.public_key().public_bytes_raw()
        writer.sign(public, key.sign)
    return path.read_bytes()


def test_what_is_untrue_is_found_even_where_it_is_signed(content: bytes, tmp_path: Path) -> None:
    assert verify(signed_again(content, tmp_path, {}))["problems"] == []
    fail = next(index for index, finding in enumerate(records(content, "findings.jsonl")) if finding["status"] == "fail")

    def greener(rows: list[dict[str, Any]]) -> None:
        rows[fail]["outcome"] = "pass"

    def better(rows: list[dict[str, Any]]) -> None:
        next(row for row in rows if row["name"] == "sql-01")["figures"]["score"] = 100

    def own_waiver(rows: list[dict[str, Any]]) -> None:
        rows[0]["approved_by_id"] = rows[0]["requested_by_id"]

    def other_act(rows: list[dict[str, Any]]) -> None:
        next(row for row in rows if "action" in row)["actor"] = "person:1 mallory"

    def other_head(rows: list[dict[str, Any]]) -> None:
        rows[0]["hash"] = "00" * 32

    def easier(rows: list[dict[str, Any]]) -> None:
        rows[0]["document"]["title"] = "Another"

    for name, change, words in (
        ("findings.jsonl", greener, "outcome is stated as 'pass'; recomputed: 'fail'"),
        ("hosts.jsonl", better, "host sql-01: score is stated as 100; recomputed: "),
        ("waivers.jsonl", own_waiver, "it was approved by the person who requested it"),
        ("audit.jsonl", other_act, "it does not match its hash"),
        ("audit-heads.jsonl", other_head, "the audit log does not lead to this signed head"),
        ("packs.jsonl", easier, "its document does not have the hash"),
    ):
        problems = verify(signed_again(content, tmp_path, {name: change}))["problems"]
        assert problems, name
        assert any(words in problem for problem in problems), (name, problems)


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
        build.write_bundle(tmp_path / name, EvidenceBundle(group_id=1, as_of=now, since=now - timedelta(days=1)), requested_by="Ana")
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
