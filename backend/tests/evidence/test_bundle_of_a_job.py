"""A fix over the whole way, and its plan, approval and receipts in a bundle: what was signed is what the bundle shows."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlmodel import text

from plumbline.audit.chain import chain_pending, sign_head, signing_key
from plumbline.evidence.build import write_bundle
from plumbline.evidence.container import BundleWriter
from plumbline.evidence.verify_bundle import read_members, verify
from plumbline.infra.database import session_scope
from plumbline.models.evidence import EvidenceBundle
from tests.remediation.conftest import (
    Stage,
    client_certificate,
    collecting,
    esxi,
    esxi_host,
    key,
    quick,
    serve,
    served,
    server_certificate,
    stage,
    token,
    windows,
)

__all__ = [
    "client_certificate", "collecting", "esxi", "esxi_host", "key", "quick", "serve", "served", "server_certificate", "stage", "token",
    "windows",
]  # fmt: skip


def test_plans_approvals_and_receipts_are_checked(stage: Stage, esxi_host: str, tmp_path: Path) -> None:
    plan_id = stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.login_timeout"))
    (job_id,) = stage.approved(plan_id)
    stage.drive(job_id)
    path = tmp_path / "bundle.zip"
    with stage.acting_as("plumbline_background"):
        with session_scope() as session:
            while chain_pending(session):
                pass
            sign_head(session, signing_key())
            now = session.execute(text("SELECT clock_timestamp()")).scalar_one()
        write_bundle(path, EvidenceBundle(group_id=1, as_of=now, since=now - timedelta(days=1), requested_by=1), requested_by="Ana")
    content = path.read_bytes()
    found = verify(content)
    assert found["problems"] == []
    assert (found["recomputed"]["plans"], found["recomputed"]["approvals"]) == (1, 1)
    assert found["recomputed"]["audit_entries"] > 5

    members, _ = read_members(content)
    (job,) = [json.loads(line) for line in members["jobs.jsonl"].content.splitlines()]
    assert (job["plan"], job["state"], job["is_plan_outside"]) == (plan_id, "SUCCEEDED", False)
    (receipt,) = job["receipts"]
    assert receipt["applied_by"] == "us"
    assert (receipt["state"], len(receipt["op_id"]) > 0) == ("DONE", True)
    assert [event[3] for event in job["events"] if event[3]][-1] == "SUCCEEDED"

    def other_target(rows: list[dict[str, Any]]) -> None:
        rows[0]["document"] = rows[0]["document"].replace("60", "61")

    def other_approver(rows: list[dict[str, Any]]) -> None:
        rows[0]["payload"] = rows[0]["payload"].replace("anton", "amelie")

    def other_plan(rows: list[dict[str, Any]]) -> None:
        rows[0]["plan"] = 99

    for name, change, words in (
        ("plans.jsonl", other_target, f"plan {plan_id}: its document does not have the digest"),
        ("approvals.jsonl", other_approver, f"approval of plan {plan_id}: it is not signed by the key"),
        ("jobs.jsonl", other_plan, f"job {job_id} on esx-b10: its plan is not in the bundle"),
    ):
        problems = verify(_signed_again(content, tmp_path, name, change))["problems"]
        assert any(problem.startswith(words) for problem in problems), problems


def _signed_again(content: bytes, folder: Path, changed: str, change: Any) -> bytes:
    """The bundle with changed records under a valid signature: what only the records themselves can show."""
    private = signing_key()
    members, _ = read_members(content)
    path = folder / "again.zip"
    with BundleWriter(path) as writer:
        for member in members.values():
            if member.name.endswith(".jsonl"):
                rows = [json.loads(line) for line in member.content.splitlines()]
                if member.name == changed:
                    change(rows)
                writer.add_records(member.name, rows)
            elif member.name not in ("index.json", "signature.json"):
                writer.add_file(member.name, member.content)
        writer.sign(private.public_key().public_bytes_raw(), private.sign)
    return path.read_bytes()
