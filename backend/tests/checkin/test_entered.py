"""What an operator entered of an offload engine is judged with the host's bodies, and stays through check-ins that change something."""

import json

from sqlmodel import text

from faults.samples import samples, sections_of
from faults.sending import enrol, sender_of
from plumbline.checkin.reread import hosts_requested, reread_hosts
from plumbline.checkin.tasks import reread_requested
from plumbline.evaluation.rollups import compare_rollups
from plumbline.hosts import reread
from plumbline.infra.database import session_scope
from plumbline.models import host_locks
from plumbline.packs.publish import install_builtin
from tests.checkin.conftest import Served


def outcomes(host_id: str) -> set[str]:
    with session_scope() as session:
        assert compare_rollups(session) == {}
        rows = session.execute(
            text(
                "SELECT f.outcome FROM finding f JOIN rule_number n ON n.no = f.rule_no"
                " WHERE f.host_id = :id AND n.rule = 'bp1057r2.bcm57810.isoe.flow_control'"
            ),
            {"id": host_id},
        ).scalars()
        return {str(row) for row in rows}


def enter(host_id: str, value: str | None) -> None:
    """Writes what the host page writes, and reads the bodies again as the bell asks the background to."""
    with session_scope() as session:
        ids = session.execute(
            text(
                "SELECT DISTINCT f.subject_id FROM finding f JOIN rule_number n ON n.no = f.rule_no"
                " WHERE f.host_id = :id AND n.rule = 'bp1057r2.bcm57810.isoe.flow_control'"
            ),
            {"id": host_id},
        ).scalars()
        entered = {f"initiator/{identity}/flow_control": value for identity in ids} if value is not None else {}
        session.execute(
            text("UPDATE host SET overrides = CAST(:entered AS jsonb), state_version = state_version + 1 WHERE id = :id"),
            {"entered": json.dumps(entered), "id": host_id},
        )
    with session_scope() as session:
        reread_hosts(session, [host_id])


def test_what_was_entered_is_judged_and_stays(served: Served, token: str) -> None:
    with session_scope() as session:
        install_builtin(session)
    sample = next(each for each in samples("windows") if "isoe" in each.name)
    sender = sender_of(enrol(served.client, token, "iso-01", "windows"), "windows", sections=sections_of(sample))
    assert sender.send(served.client).status_code == 200
    assert outcomes(sender.host_id) == {"unknown"}
    enter(sender.host_id, "auto")
    assert outcomes(sender.host_id) == {"fail"}
    enter(sender.host_id, "rx_tx")
    assert outcomes(sender.host_id) == {"pass"}
    body = sender.sections["offload"]
    sender.sections["offload"] = body.replace(b'"ReceiveSideScaling":"Enabled"', b'"ReceiveSideScaling":"Disabled"')
    assert sender.sections["offload"] != body
    assert sender.send(served.client).status_code == 200
    assert outcomes(sender.host_id) == {"pass"}
    enter(sender.host_id, None)
    assert outcomes(sender.host_id) == {"unknown"}


def test_what_was_entered_is_read_though_nobody_heard_the_bell(served: Served, token: str) -> None:
    """No broker takes messages here: it was away in that very second, or was wiped before anybody took them."""
    with session_scope() as session:
        install_builtin(session)
    sample = next(each for each in samples("windows") if "isoe" in each.name)
    sender = sender_of(enrol(served.client, token, "iso-02", "windows"), "windows", sections=sections_of(sample))
    assert sender.send(served.client).status_code == 200
    enter(sender.host_id, "auto")
    with session_scope() as session:
        (host,) = host_locks.lock_hosts(session, [sender.host_id])
        host.overrides = dict.fromkeys(host.overrides, "rx_tx")
        host.state_version += 1
        reread.request_reread(session, host)
    # The host itself has nothing new to say.
    assert sender.send(served.client).status_code == 200
    assert outcomes(sender.host_id) == {"fail"}
    with session_scope() as session:
        assert hosts_requested(session) == [sender.host_id]
    reread_requested()
    assert outcomes(sender.host_id) == {"pass"}
    with session_scope() as session:
        assert hosts_requested(session) == []
