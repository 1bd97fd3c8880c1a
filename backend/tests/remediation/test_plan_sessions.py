"""A plan sees the sessions of a host by its newest sections, those of targets without a volume included."""

import json
from typing import Any

from sqlmodel import text

from plumbline.checkin.session_routes import read_routes
from plumbline.configurations.compression import Packer, Unpacker
from plumbline.core.planning.last_path import SESSIONS_UNREAD
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from tests.remediation.conftest import Stage
from tests.remediation.test_windows import TRANSMIT

CONTROL = "iqn.2001-05.com.equallogic:group-control"
_BODY = "SELECT b.id, b.content FROM section_body b JOIN host_section s ON s.body_id = b.id WHERE s.host_id = :host AND s.section = 'iscsi'"


def routes_of(host_id: str) -> set[tuple[str, str]]:
    """(target, adapter) of each session."""
    with session_scope() as session:
        routes = read_routes(session, [session.get_one(Host, host_id)])[host_id]
    assert routes is not None
    return {(route.target, route.adapter) for route in routes}


def add_session(host_id: str, like: dict[str, Any]) -> None:
    """One more session in the stored section, of a target that no disk belongs to."""
    with session_scope() as session:
        body_id, content = session.execute(text(_BODY), {"host": host_id}).one()
        reads = json.loads(Unpacker().unpack(content, None))
        row = next(row for row in reads["Get-IscsiSession"]["rows"] if all(row[key] == value for key, value in like.items()))
        reads["Get-IscsiSession"]["rows"].append({**row, "TargetNodeAddress": CONTROL, "Disks": []})
        packed, _ = Packer().pack(json.dumps(reads).encode())
        session.execute(text("UPDATE section_body SET content = :content WHERE id = :id"), {"content": packed, "id": body_id})


def test_a_session_without_a_volume_keeps_its_adapter_from_being_taken(stage: Stage) -> None:
    host_id = stage.add_windows("ex-02")
    # The counters of the check-in before give its load.
    stage.let_time_pass(host_id)
    stage.check_in(host_id)
    findings = stage.failing(host_id, rule=TRANSMIT)
    assert len(findings) == 2
    first, second = (port["subject_id"] for port in sorted((each.model_dump() for each in findings), key=lambda one: one["subject_id"]))
    assert {adapter for _, adapter in routes_of(host_id)} == {first, second}
    assert "would keep no connection" not in stage.plan(stage.planned(findings)).document

    with session_scope() as session:
        found = read_routes(session, [session.get_one(Host, host_id)])[host_id]
        source = next(route.source_address for route in found or () if route.adapter == first)
    add_session(host_id, {"InitiatorPortalAddress": source})
    assert (CONTROL, first) in routes_of(host_id)
    document = json.loads(stage.plan(stage.planned(findings)).document)
    (refused,) = document["refusals"]
    assert refused["words"].startswith(f"{CONTROL} would keep no connection over another adapter")
    assert [step["adapters"] for host in document["hosts"] for step in host["steps"]] == [[second]]


def test_a_list_of_sessions_that_was_not_read_takes_nothing(stage: Stage) -> None:
    host_id = stage.add_windows("ex-02")
    stage.let_time_pass(host_id)
    stage.check_in(host_id)
    with session_scope() as session:
        session.execute(
            text("UPDATE host_section SET status = 'failed', error = 'out of time' WHERE host_id = :host AND section = 'iscsi'"),
            {"host": host_id},
        )
        assert read_routes(session, [session.get_one(Host, host_id)]) == {host_id: None}
    plan = stage.plan(stage.planned(stage.failing(host_id, rule=TRANSMIT)))
    assert plan.state == "NO_CHANGE"
    assert {refusal["words"] for refusal in json.loads(plan.document)["refusals"]} == {SESSIONS_UNREAD}
