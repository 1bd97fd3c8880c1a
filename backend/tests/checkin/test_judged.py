"""From a sample that an agent made to findings, score and changes in the database."""

import json

import pytest
from sqlmodel import text

from faults.samples import samples, sections_of
from faults.sending import Sender, enrol, sender_of
from plumbline.evaluation import evaluate
from plumbline.evaluation.reevaluate import reevaluate_lagging
from plumbline.evaluation.rollups import compare_rollups, fold_rollups, read_rollups
from plumbline.infra.database import session_scope
from plumbline.packs.publish import install_builtin, raise_rules_epoch
from tests.checkin.conftest import Served


@pytest.fixture
def rules(fresh_database: str) -> None:
    with session_scope() as session:
        assert install_builtin(session)


def one(statement: str, **bound: object) -> tuple[object, ...]:
    with session_scope() as session:
        return tuple(session.execute(text(statement), bound).one())


def enrolled(served: Served, token: str, platform: str, index: int = 0) -> Sender:
    answer = enrol(served.client, token, f"{platform}-{index}", platform)
    return sender_of(answer, platform, sections=sections_of(samples(platform)[index]))


@pytest.mark.parametrize("platform", ["windows", "esxi"])
def test_every_sample_is_stored_and_judged(served: Served, rules: None, token: str, platform: str) -> None:
    for index in range(len(samples(platform))):
        sender = enrolled(served, token, platform, index)
        answer = sender.send(served.client)
        assert answer.status_code == 200, answer.text
        configuration, epoch, release, passing, failing = one(
            "SELECT configuration_id, rules_epoch, os_release, n_pass, n_fail FROM host WHERE id = :id", id=sender.host_id
        )
        assert configuration is not None
        assert epoch > 0
        assert release
        assert passing + failing > 0, samples(platform)[index]
    with session_scope() as session:
        assert compare_rollups(session) == {}
        assert fold_rollups(session) > 0
        assert compare_rollups(session) == {}
        assert read_rollups(session, [1])[(0, "judged")][0] == len(samples(platform))
    assert served.app.writer.store.evaluation_errors == 0
    assert served.app.writer.store.interpreter.internal_errors == 0


def test_a_changed_setting_is_logged_and_judged(served: Served, rules: None, token: str) -> None:
    sender = enrolled(served, token, "windows")
    assert sender.send(served.client).status_code == 200
    body = json.loads(sender.sections["offload"])
    row = body["Get-NetOffloadGlobalSetting"]["rows"][0]
    row["ReceiveSideScaling"] = "Disabled" if row["ReceiveSideScaling"] == "Enabled" else "Enabled"
    sender.sections["offload"] = json.dumps(body).encode()
    assert sender.send(served.client).status_code == 200
    changes = one("SELECT array_agg(key ORDER BY key) FROM setting_change WHERE host_id = :id", id=sender.host_id)[0]
    assert changes == ["tcp.rss"]
    assert one("SELECT count(*) FROM host_configuration WHERE host_id = :id", id=sender.host_id) == (2,)
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_other_bytes_with_the_same_settings_are_another_name(served: Served, rules: None, token: str) -> None:
    sender = enrolled(served, token, "windows")
    assert sender.send(served.client).status_code == 200
    stored = one("SELECT count(*) FROM section_body WHERE host_id = :id", id=sender.host_id)
    sender.sections["tcp"] = json.dumps(json.loads(sender.sections["tcp"]), indent=None).encode()
    assert sender.send(served.client).status_code == 200
    assert one("SELECT count(*) FROM section_body WHERE host_id = :id", id=sender.host_id) == stored
    assert one("SELECT count(*) FROM section_body_alias WHERE host_id = :id", id=sender.host_id) == (1,)
    before = served.app.writer.statements
    assert sender.send(served.client, sender.body(with_bodies=set())).status_code == 200
    assert served.app.writer.statements - before == 1  # a heartbeat: the new name is known


def test_a_fault_of_ours_never_costs_the_check_in(served: Served, rules: None, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a host cannot be evaluated its findings are unknown, with the reason; it is evaluated again as soon as it can be."""
    sender = enrolled(served, token, "windows")
    assert sender.send(served.client).status_code == 200
    figures = "SELECT n_pass > 0, n_fail > 0, rules_epoch FROM host WHERE id = :id"
    before = one(figures, id=sender.host_id)
    body = json.loads(sender.sections["offload"])
    body["Get-NetOffloadGlobalSetting"]["rows"][0]["Chimney"] = "Enabled"
    sender.sections["offload"] = json.dumps(body).encode()

    def broken(*given: object, **named: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(evaluate, "evaluate_host", broken)
        with session_scope() as session:
            raise_rules_epoch(session)
        answer = sender.send(served.client)
    assert answer.status_code == 200
    assert answer.json()["receipt"]
    assert served.app.writer.store.evaluation_errors == 1
    # What was unknown before keeps its reason.
    outcomes = "SELECT array_agg(DISTINCT outcome), count(*) FILTER (WHERE reason = :reason) FROM finding WHERE host_id = :id"
    unknown, failed = one(outcomes, id=sender.host_id, reason="internal error while evaluating: ZeroDivisionError")
    assert (unknown, int(str(failed)) > 100) == (["unknown"], True)
    assert one(figures, id=sender.host_id) == (False, False, before[2])
    with session_scope() as session:
        assert compare_rollups(session) == {}
        assert reevaluate_lagging(session) == 1
    assert one(figures, id=sender.host_id)[:2] == (True, True)
    with session_scope() as session:
        assert compare_rollups(session) == {}
