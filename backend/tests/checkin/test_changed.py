"""The short way of changed check-ins: two statements a batch, the same rows as the long way, nothing for a host that moved meanwhile."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from sqlmodel import text

from faults.samples import samples, sections_of
from faults.sending import Sender, enrol, sender_of
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.ops.embedded_servers import OWNER, PostgresPlace
from plumbline.packs.in_force import install_builtin, raise_judging_epoch
from tests.checkin.conftest import Served
from tests.checkin.test_answers import count, host_of
from tests.checkin.test_heartbeats import COUNTERS, SAMPLES, wait_for_lock

CONFIGURATIONS = "SELECT count(*) FROM host_configuration WHERE host_id = :id"


@pytest.fixture
def rules(fresh_database: str) -> None:
    with session_scope() as session:
        assert install_builtin(session)


@pytest.fixture
def twins(served: Served, rules: None, token: str) -> list[Sender]:
    """Two hosts that are alike, with counters, checked in twice, so that the door remembers all of them."""
    senders = [
        sender_of(enrol(served.client, token, f"twin-{letter}"), sections=sections_of(samples("windows")[0])) for letter in ("a", "b")
    ]
    for sender in senders:
        sender.extra = {"counters": COUNTERS}
        assert sender.send(served.client).status_code == 200
    return senders


def set_offload(sender: Sender, **values: str) -> None:
    body = json.loads(sender.sections["offload"])
    body["Get-NetOffloadGlobalSetting"]["rows"][0].update(values)
    sender.sections["offload"] = json.dumps(body, separators=(",", ":")).encode()


def rows_of(sender: Sender) -> dict[str, list[tuple[object, ...]]]:
    """Everything that check-ins of a host wrote, but for ids, times and its name."""
    with session_scope() as session:
        return {
            name: [
                tuple(str(value).replace("twin-a", "twin").replace("twin-b", "twin") for value in row)
                for row in session.execute(text(statement), {"id": sender.host_id})
            ]
            for name, statement in WRITTEN.items()
        }


WRITTEN = {
    "host": """SELECT epoch, last_seq, octet_length(accepted), seq_gaps, boots, alarm, agent_version, runner_hash, failed_sections, os_name,
        os_release, cluster, families, initiator_modes, paths_healthy, paths_total, is_restart_pending, judging_epoch, score,
        score_without_waivers, capped_by, rule_coverage, n_pass, n_fail, n_unknown, n_not_applicable, n_waived, n_excluded, n_guard_rail,
        worst_rule_no, failing, last_changed_at = last_seen_at, abs(skew_seconds) < 86400, configuration_id IS NOT NULL
        FROM host WHERE id = :id""",
    "section": """SELECT h.section, h.status, h.error, encode(h.sha256, 'hex'), h.took_ms, b.size_bytes, encode(b.sha256, 'hex'),
        b.host_id = '' FROM host_section h LEFT JOIN section_body b ON b.id = h.body_id WHERE h.host_id = :id ORDER BY 1""",
    "bodies": "SELECT section, encode(sha256, 'hex'), size_bytes FROM section_body WHERE host_id = :id ORDER BY 1, 2",
    "configuration": "SELECT epoch, seq, sections, length(document) FROM host_configuration WHERE host_id = :id ORDER BY seq",
    "change": """SELECT seq, subject_kind, subject_id, key, old, new, cause, cause_detail, alike FROM setting_change WHERE host_id = :id
        ORDER BY 1, 2, 3, 4""",
    "check_in": """SELECT epoch, seq, is_changed, size_bytes, rejected, thinned, runner_before, runner_after FROM check_in
        WHERE host_id = :id ORDER BY seq""",
    "finding": """SELECT f.rule_no, f.subject_kind, f.subject_id, f.outcome, f.kind, f.reason, f.observed, f.expected, f.source,
        f.expected_hash, f.judged_by, f.waiver_id, f.excluded_by, f.told_as, (SELECT max(c.seq) FROM check_in c WHERE c.host_id = f.host_id
        AND c.received_at <= f.since), (SELECT max(c.seq) FROM check_in c WHERE c.host_id = f.host_id AND c.received_at <= f.failing_since)
        FROM finding f WHERE f.host_id = :id ORDER BY 1, 2, 3""",
    "log": """SELECT rule_no, subject_kind, subject_id, old, new, reason FROM finding_log WHERE host_id = :id ORDER BY at, 1, 2, 3""",
    "counters": "SELECT uptime_seconds, values FROM counter_sample WHERE host_id = :id ORDER BY at",
}


def test_the_short_way_writes_what_the_long_way_writes(served: Served, twins: list[Sender]) -> None:
    short, long = twins
    committer = served.door.committer
    # The first of them came when it had no neighbour to be compared with.
    beside = {row[0] for row in {*rows_of(short)["finding"]} ^ {*rows_of(long)["finding"]}}
    assert len(beside) < 5
    steps = (
        {"ReceiveSideScaling": "Disabled"},
        {"ReceiveSideScaling": "Enabled", "Chimney": "Enabled"},
        {"ReceiveSegmentCoalescing": "Disabled", "Chimney": "Automatic"},
        # Back to a body that is stored already.
        {"ReceiveSideScaling": "Disabled", "ReceiveSegmentCoalescing": "Enabled", "Chimney": "Disabled"},
        {"ReceiveSideScaling": "Enabled"},
    )
    for values in steps:
        for sender in twins:
            set_offload(sender, **values)
        before = committer.statements
        assert short.send(served.client).status_code == 200
        assert committer.statements - before == 2
        # Of a host that is not remembered everything has to be read.
        served.door.states.forget(long.host_id)
        before = committer.statements
        assert long.send(served.client).status_code == 200
        assert committer.statements - before > 5
    with session_scope() as session:
        assert compare_rollups(session) == {}
    written, other = rows_of(short), rows_of(long)
    for name, rows in written.items():
        assert [row for row in rows if row[0] not in beside] == [row for row in other[name] if row[0] not in beside], name
    assert len(written["log"]) > len(written["finding"])
    assert len(written["configuration"]) == len(written["counters"]) == 1 + len(steps)
    # What is remembered of findings is what stands: judged once more in full, nothing is written.
    state = served.door.states.get(short.host_id)
    assert state is not None
    assert state.warm is not None
    assert state.warm.findings is not None
    with session_scope() as session:
        stored = session.execute(text("SELECT rule_no, subject_kind, subject_id, since, failing_since FROM finding WHERE host_id = :id"),
                                 {"id": short.host_id}).all()  # fmt: skip
    assert {(no, kind, subject): (since, failing) for no, kind, subject, since, failing in stored} == {
        identity: (found.since, found.failing_since) for identity, found in state.warm.findings.items()
    }


def test_changed_check_ins_that_come_together_share_the_two_statements(served: Served, twins: list[Sender]) -> None:
    committer = served.door.committer
    for sender in twins:
        set_offload(sender, ReceiveSideScaling="Disabled")
        assert sender.send(served.client).status_code == 200
    before = committer.statements, committer.commits, committer.accepted
    with session_scope() as blocking, ThreadPoolExecutor(2) as pool:
        blocking.execute(text("SELECT 1 FROM host WHERE id = :id FOR UPDATE"), {"id": twins[0].host_id})
        set_offload(twins[0], ReceiveSideScaling="Enabled")
        waiting = pool.submit(lambda: twins[0].send(served.client).status_code)
        wait_for_lock()
        set_offload(twins[1], ReceiveSideScaling="Enabled")
        other = pool.submit(lambda: twins[1].send(served.client).status_code)
        for _ in range(1000):
            if committer.waiting:
                break
            threading.Event().wait(0.01)
        blocking.rollback()
        assert (waiting.result(20), other.result(20)) == (200, 200)
    assert (committer.statements - before[0], committer.commits - before[1], committer.accepted - before[2]) == (4, 2, 2)


@pytest.mark.parametrize("moved", ["UPDATE host SET state_version = state_version + 1 WHERE id = :id", ""])
def test_a_host_that_moved_while_its_row_was_awaited_is_decided_again(served: Served, twins: list[Sender], moved: str) -> None:
    """Either the host's own version or the rules in force moved."""
    sender = twins[0]
    set_offload(sender, ReceiveSideScaling="Disabled")
    before = served.door.committer.statements, served.door.committer.commits
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("SELECT 1 FROM host WHERE id = :id FOR UPDATE"), {"id": sender.host_id})
        if moved:
            writer.execute(text(moved), {"id": sender.host_id})
        else:
            raise_judging_epoch(writer)
        waiting = pool.submit(lambda: sender.send(served.client).status_code)
        wait_for_lock()
        writer.commit()
        assert waiting.result(20) == 200
    assert served.door.committer.commits - before[1] == 1
    assert served.door.committer.statements - before[0] > 8
    assert (count(CONFIGURATIONS, id=sender.host_id), count(SAMPLES, id=sender.host_id), host_of(sender).last_seq) == (2, 2, 2)
    with session_scope() as session:
        newest = session.execute(text("SELECT judging_epoch FROM installation")).scalar_one()
        assert compare_rollups(session) == {}
    assert host_of(sender).judging_epoch == newest


def test_a_neighbour_that_moved_while_the_row_was_awaited_is_seen(served: Served, twins: list[Sender]) -> None:
    sender = twins[0]
    state = served.door.states.get(sender.host_id)
    assert state is not None
    assert state.warm is not None
    assert state.warm.told is not None
    set_offload(sender, ReceiveSideScaling="Disabled")
    before = served.door.committer.statements
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("SELECT 1 FROM host WHERE id = :id FOR UPDATE"), {"id": sender.host_id})
        for domain in state.warm.told.domains:
            writer.execute(
                text("INSERT INTO peer_domain (domain, version) VALUES (:domain, 9) ON CONFLICT (domain) DO UPDATE SET version = 9"),
                {"domain": domain},
            )
        waiting = pool.submit(lambda: sender.send(served.client).status_code)
        wait_for_lock()
        writer.commit()
        assert waiting.result(20) == 200
    assert served.door.committer.statements - before > 8
    assert (count(CONFIGURATIONS, id=sender.host_id), host_of(sender).last_seq) == (2, 2)


def test_a_number_that_another_process_took_is_not_taken_again(served: Served, twins: list[Sender]) -> None:
    sender = twins[0]
    set_offload(sender, ReceiveSideScaling="Disabled")
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("UPDATE host SET last_seq = 9 WHERE id = :id"), {"id": sender.host_id})
        waiting = pool.submit(lambda: sender.send(served.client).json())
        wait_for_lock()
        writer.commit()
        assert waiting.result(20)["seq_used"] == 2
    assert count(CONFIGURATIONS, id=sender.host_id) == 1


def test_what_cannot_be_written_so_takes_the_long_way_and_harms_nobody(served: Served, twins: list[Sender], cluster: PostgresPlace) -> None:
    """One of two that share the statement breaks it: nothing of it stays, and each is then taken by itself."""
    committer = served.door.committer
    with session_scope() as session:
        name = session.execute(text("SELECT current_database()")).scalar_one()
    with psycopg.connect(cluster.url(OWNER, name).replace("+psycopg", "")) as owner:
        owner.execute("ALTER TABLE check_in ADD CONSTRAINT poison CHECK (seq <> 3 OR rejected <> 7)")
    for sender in twins:
        set_offload(sender, ReceiveSideScaling="Disabled")
        assert sender.send(served.client).status_code == 200
        set_offload(sender, ReceiveSideScaling="Enabled")
    with session_scope() as blocking, ThreadPoolExecutor(2) as pool:
        # While a third is held up by its row, the two gather.
        blocking.execute(text("SELECT 1 FROM host WHERE id = ANY(:ids) FOR UPDATE"), {"ids": [sender.host_id for sender in twins]})
        answers = [
            pool.submit(lambda sender=sender, extra=extra: sender.send(served.client, sender.body(**extra)).status_code)
            for sender, extra in zip(twins, ({"rejected": 7}, {}), strict=True)
        ]
        wait_for_lock()
        blocking.rollback()
        assert [answer.result(20) for answer in answers] == [422, 200]
    assert committer.alone_failed == 1
    assert [count(CONFIGURATIONS, id=sender.host_id) for sender in twins] == [2, 3]
    assert "could not be stored" in host_of(twins[0]).alarm
    with session_scope() as session:
        assert compare_rollups(session) == {}
