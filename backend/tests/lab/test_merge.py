"""Merging two ids of one machine, and of one place in it: history follows, figures stay exact, and people see since when it failed."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import text

from faults.sending import Sender, sender_of
from faults.sending import enrol as enrol_at
from lab.checkin import WindowsClient
from plumbline.auth.actor import Actor, Grant
from plumbline.evaluation import tasks
from plumbline.evaluation.rollups import compare_rollups
from plumbline.hosts import merge, reread
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.hosts.lifecycle import quarantine_host
from plumbline.infra.database import session_scope
from plumbline.infra.errors import BadInput, Conflict, NotAllowed, NotFound
from tests.lab.test_neighbours import Fleet, assert_settled, fleet

__all__ = ["fleet"]

ADMIN = Actor(1, "admin", grants=(Grant("admin", 1, "1/"),))
OPERATOR = Actor(2, "operator", grants=(Grant("operator", 1, "1/"),))


def rows(statement: str, **bound: Any) -> list[tuple[Any, ...]]:
    with session_scope() as session:
        return [tuple(row) for row in session.execute(text(statement), bound)]


def execute(statement: str, **bound: Any) -> None:
    with session_scope() as session:
        session.execute(text(statement), bound)


def merge_hosts(new: Sender, old: Sender, actor: Actor = ADMIN) -> None:
    with session_scope() as session:
        merge.merge_hosts(session, actor=actor, host_id=new.host_id, old_id=old.host_id, reason="imaged anew")


@pytest.fixture
def imaged_anew(fleet: Fleet) -> tuple[Fleet, Sender, Sender]:
    """sql-03 with a past, and the same machine enrolled anew: fleet, old, new."""
    execute("INSERT INTO person (login, display_name, is_disabled, time_zone) VALUES ('owner', 'Owner', false, 'UTC')")
    old = fleet.add("sql-03")
    fleet.set("sql-03", "SAN1.flow_control", "off")
    fleet.set("sql-03", "SAN2.flow_control", "off")
    long_ago = datetime.now(UTC) - timedelta(days=20)
    execute("UPDATE finding SET failing_since = :at, since = :at WHERE host_id = :id AND outcome = 'fail'", at=long_ago, id=old.host_id)
    execute("UPDATE host SET tags = '{gold}' WHERE id = :id", id=old.host_id)
    execute(
        "INSERT INTO counter_day (host_id, no, day, chunk) SELECT host_id, no, '2026-11-01', 'x' FROM counter_series WHERE host_id = :id",
        id=old.host_id,
    )
    new = fleet.add("sql-03")
    assert new.host_id != old.host_id
    return fleet, old, new


def test_a_host_imaged_anew_goes_on_as_its_old_self(imaged_anew: tuple[Fleet, Sender, Sender]) -> None:
    fleet, old, new = imaged_anew
    changes = rows("SELECT count(*) FROM setting_change WHERE host_id IN (:old, :new)", old=old.host_id, new=new.host_id)
    series = rows("SELECT subject, name FROM counter_series WHERE host_id = :id ORDER BY 1, 2", id=new.host_id)
    failing = rows(
        "SELECT rule_no, subject_kind, subject_id, failing_since FROM finding WHERE host_id = :id AND outcome = 'fail' ORDER BY 1, 2, 3",
        id=old.host_id,
    )
    merge_hosts(new, old)
    assert rows("SELECT state, merged_into FROM host WHERE id = :id", id=old.host_id) == [("retired", new.host_id)]
    assert rows("SELECT state, tags, merged_into FROM host WHERE id = :id", id=new.host_id) == [("active", ["gold"], None)]
    assert rows("SELECT count(*) FROM setting_change WHERE host_id = :id", id=new.host_id) == changes
    for table in (
        "setting_change",
        "finding_log",
        "host_configuration",
        "check_in",
        "host_section",
        "finding",
        "counter_sample",
        "counter_day",
    ):
        assert rows(f"SELECT count(*) FROM {table} WHERE host_id = :id", id=old.host_id) == [(0,)], table
    assert rows("SELECT subject, name FROM counter_series WHERE host_id = :id ORDER BY 1, 2", id=new.host_id) == series
    assert rows("SELECT count(*) FROM counter_day WHERE host_id = :id", id=new.host_id) == [(len(series),)]
    still = rows(
        "SELECT rule_no, subject_kind, subject_id, failing_since FROM finding WHERE host_id = :id AND outcome = 'fail' ORDER BY 1, 2, 3",
        id=new.host_id,
    )
    # Rules that compare hosts failed on neither alone.
    assert set(failing) <= set(still)
    tasks.reevaluate_peers()
    assert_settled()
    # The agent goes on, with bodies that are known; the old identity is refused.
    fleet.senders["sql-03"] = new
    fleet.check_in("sql-03")
    assert old.send(fleet.served.client).status_code == 403
    assert_settled()
    assert rows("SELECT action, reason FROM audit_entry WHERE action = 'host.merged'") == [("host.merged", "imaged anew")]


def test_a_waiver_follows(imaged_anew: tuple[Fleet, Sender, Sender]) -> None:
    _, old, new = imaged_anew
    rule, kind, subject = rows(
        "SELECT f.rule_no, subject_kind, subject_id FROM finding f JOIN rule_number n ON n.no = f.rule_no"
        " WHERE host_id = :id AND outcome = 'fail' AND excluded_by = '' AND f.kind = 'recommended' LIMIT 1",
        id=old.host_id,
    )[0]
    person = rows("SELECT id FROM person")[0][0]
    execute(
        "INSERT INTO waiver (state, rule_no, host_id, subject_kind, subject_id, reason, evidence, ticket, owner_id, requested_by,"
        " approved_by, expires_at)"
        " VALUES ('active', :rule, :host, :kind, :subject, 'known', '', '', :person, :person, :person, now() + interval '9 days')",
        rule=rule, host=old.host_id, kind=kind, subject=subject, person=person,
    )  # fmt: skip
    merge_hosts(new, old)
    found = rows(
        "SELECT waiver_id IS NOT NULL FROM finding WHERE host_id = :id AND rule_no = :rule AND subject_id = :subject",
        id=new.host_id, rule=rule, subject=subject,
    )  # fmt: skip
    assert found == [(True,)]
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_a_waiting_host_is_approved_by_it(fleet: Fleet) -> None:
    old = fleet.add("sql-03")
    with session_scope() as session:
        token = make_token(session, TokenTerms(name="waits", group_id=1, uses=1)).token
    fleet.token = token
    new = fleet.add("sql-03")
    assert rows("SELECT state FROM host WHERE id = :id", id=new.host_id) == [("waiting",)]
    merge_hosts(new, old)
    assert rows("SELECT state, n_pass > 0 FROM host WHERE id = :id", id=new.host_id) == [("active", True)]
    tasks.reevaluate_peers()
    assert_settled()


def test_two_machines_are_not_merged(imaged_anew: tuple[Fleet, Sender, Sender]) -> None:
    fleet, old, new = imaged_anew
    other = enrol_at(fleet.served.client, fleet.token, "esx", "esxi")
    with pytest.raises(BadInput, match="can't be merged"):
        merge_hosts(new, sender_of(other, "esxi"))
    with pytest.raises(BadInput, match="itself"):
        merge_hosts(new, new)
    with pytest.raises(NotAllowed):
        merge_hosts(new, old, OPERATOR)
    with pytest.raises(NotFound):
        merge_hosts(new, Sender("0" * 32, ""))
    assert old.send(fleet.served.client).status_code == 200
    with pytest.raises(Conflict, match="checked in after"):
        merge_hosts(new, old)
    with session_scope() as session:
        quarantine_host(session, actor="test", host_id=new.host_id, reason="odd")
    execute("UPDATE host SET last_seen_at = now() - interval '9 days' WHERE id = :id", id=old.host_id)
    merge_hosts(new, old)
    with pytest.raises(Conflict, match="merged already"):
        merge_hosts(new, old)


NEW_MAC = "00101899aabb"


def swapped(body: bytes, old: str, new: str) -> bytes:
    """The body of a host whose card was changed: its permanent address in every writing."""
    pattern = re.compile("[-:]?".join(old), re.IGNORECASE)

    def replace(found: re.Match[str]) -> str:
        separator = re.search("[-:]", found[0])
        digits = new.upper() if found[0].upper() == found[0] else new
        return digits if separator is None else separator[0].join(digits[at : at + 2] for at in range(0, 12, 2))

    return pattern.sub(replace, body.decode()).encode()


def test_a_new_card_goes_on_as_the_old_one(fleet: Fleet) -> None:
    sender = fleet.add("sql-03")
    fleet.set("sql-03", "SAN1.flow_control", "off")
    (old,) = rows(
        "SELECT DISTINCT f.subject_id FROM finding f JOIN setting_change c ON c.host_id = f.host_id AND c.subject_id = f.subject_id"
        " WHERE f.host_id = :id AND f.subject_kind = 'adapter' AND f.outcome = 'fail' AND c.key = 'flow_control'",
        id=sender.host_id,
    )[0]
    long_ago = datetime.now(UTC).replace(microsecond=0) - timedelta(days=20)
    execute(
        "UPDATE finding_log SET at = :at WHERE host_id = :id AND new = 'fail' AND subject_id = :old",
        at=long_ago,
        id=sender.host_id,
        old=old,
    )
    execute("UPDATE host SET overrides = :roles WHERE id = :id", roles=json.dumps({f"adapter/{old}/role": "san_iscsi"}), id=sender.host_id)
    failing = {rule for (rule,) in rows("SELECT rule_no FROM finding WHERE subject_id = :old AND outcome = 'fail'", old=old)}
    with pytest.raises(Conflict, match="still in the host"):
        merge_subjects(sender, old, other_adapter(sender, old))
    bodies = WindowsClient.show(fleet.hosts["sql-03"])[2]
    sender.sections = {name: swapped(body.encode(), old, NEW_MAC) for name, body in bodies.items()}
    assert sender.send(fleet.served.client).status_code == 200
    with session_scope() as session:
        gone = merge.list_gone_subjects(session, actor=ADMIN, host_id=sender.host_id)
    assert [(each.kind, each.id, each.name) for each in gone if each.kind == "adapter"] == [("adapter", old, "SAN1")]
    assert NEW_MAC in [each.id for each in next(each for each in gone if each.id == old).instead]
    with pytest.raises(BadInput, match="has no adapter"):
        merge_subjects(sender, old, "001018000000")
    with pytest.raises(BadInput, match="nothing is known"):
        merge_subjects(sender, "001018000000", NEW_MAC)
    merge_subjects(sender, old, NEW_MAC)
    since = dict(rows("SELECT rule_no, failing_since FROM finding WHERE subject_id = :new AND outcome = 'fail'", new=NEW_MAC))
    assert failing <= set(since)
    assert {since[rule] for rule in failing} == {long_ago}
    (overrides,) = rows("SELECT overrides FROM host WHERE id = :id", id=sender.host_id)[0]
    # Its bodies are to be read again with the role, and that stands there until they were.
    assert overrides == {f"adapter/{NEW_MAC}/role": "san_iscsi", reread.ADDRESS: "asked"}
    for table in ("setting_change", "finding_log", "finding"):
        assert rows(f"SELECT count(*) FROM {table} WHERE subject_id = :old", old=old) == [(0,)], table
    tasks.reevaluate_peers()
    assert_settled()


def merge_subjects(sender: Sender, old: str, new: str) -> None:
    with session_scope() as session:
        merge.merge_subjects(session, actor=ADMIN, host_id=sender.host_id, kind="adapter", old_id=old, new_id=new, reason="card swapped")


def other_adapter(sender: Sender, old: str) -> str:
    return str(
        rows(
            "SELECT subject_id FROM finding WHERE host_id = :id AND subject_kind = 'adapter' AND subject_id <> :old LIMIT 1",
            id=sender.host_id, old=old,
        )[0][0]
    )  # fmt: skip
