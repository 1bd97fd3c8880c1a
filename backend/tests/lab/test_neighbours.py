"""The four nodes of the S2D cluster through the real check-in endpoint: a change of one is evaluated on all four, in any order."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import text

from faults.sending import Sender, enrol, sender_of
from lab.checkin import WindowsClient
from lab.host import LabHost
from plumbline.evaluation import peer_changes, reevaluate, tasks
from plumbline.evaluation.rollups import compare_rollups
from plumbline.hosts import lifecycle
from plumbline.infra.database import session_scope
from plumbline.packs.publish import install_builtin
from tests.lab.conftest import Served
from tests.superseded import activate_superseded

Make = Callable[[str], LabHost]
NODES = ("hv-11", "hv-12", "hv-13", "hv-14")
PRIORITY = "chelsio.policy_same_in_cluster"
POLICY = "core.cluster.mpio_policy"
MTU = "core.mtu.fabric_agrees"


@dataclass
class Fleet:
    """Lab hosts enrolled under names of this test alone."""

    served: Served
    token: str
    lab_host: Make
    hosts: dict[str, LabHost] = field(default_factory=dict)
    senders: dict[str, Sender] = field(default_factory=dict)

    def add(self, name: str, *, called: str = "") -> Sender:
        self.hosts[name] = self.lab_host(name)
        answer = enrol(self.served.client, self.token, called or name)
        assert answer.status_code == 200, answer.text
        self.senders[name] = sender_of(answer)
        self.check_in(name)
        return self.senders[name]

    def check_in(self, name: str) -> None:
        sender = self.senders[name]
        bodies = WindowsClient.show(self.hosts[name])[2]
        sender.sections = {section: body.encode() for section, body in bodies.items() if section not in sender.failed}
        answer = sender.send(self.served.client)
        assert answer.status_code == 200, answer.text

    def set(self, name: str, setting: str, value: object) -> None:
        assert self.hosts[name].set(setting, value, cause="test")
        self.check_in(name)

    def said(self, name: str, rule: str) -> list[tuple[str, str]]:
        return said_of(self.senders[name].host_id, rule)


def said_of(host_id: str, rule: str) -> list[tuple[str, str]]:
    """Outcome and reason of every finding of a rule on a host."""
    statement = (
        "SELECT f.outcome, f.reason FROM finding f JOIN rule_number n ON n.no = f.rule_no WHERE f.host_id = :host AND n.rule = :rule"
    )
    with session_scope() as session:
        return [tuple(row) for row in session.execute(text(statement), {"host": host_id, "rule": rule})]


def everything() -> dict[str, list[tuple[object, ...]]]:
    """All that a reader sees of findings and verdicts."""
    findings = (
        "SELECT host_id, rule_no, subject_kind, subject_id, outcome, kind, reason, observed, expected, source::text, expected_hash,"
        " pack_version_id, waiver_id, excluded_by FROM finding ORDER BY 1, 2, 3, 4"
    )
    hosts = "SELECT id, state, score, capped_by, rule_coverage, n_pass, n_fail, n_unknown, n_not_applicable, failing FROM host ORDER BY id"
    with session_scope() as session:
        return {name: [tuple(row) for row in session.execute(text(sql))] for name, sql in (("findings", findings), ("hosts", hosts))}


def judge_all_anew() -> None:
    with session_scope() as session:
        ids = [row[0] for row in session.execute(text("SELECT id FROM host WHERE state = 'active' AND configuration_id IS NOT NULL"))]
        reevaluate.reevaluate_hosts(session, ids, in_full=True)


def assert_settled() -> None:
    """Nothing waits any more, the rollups are exact, and judging everything anew changes nothing."""
    with session_scope() as session:
        assert session.execute(
            text("SELECT (SELECT count(*) FROM peer_domain_change), (SELECT count(*) FROM peer_reevaluation)")
        ).one() == (0, 0)
        assert compare_rollups(session) == {}
    before = everything()
    judge_all_anew()
    assert everything() == before
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM peer_domain_change")).scalar_one() == 0
        assert compare_rollups(session) == {}


@pytest.fixture
def fleet(served: Served, token: str, lab_host: Make) -> Fleet:
    with session_scope() as session:
        install_builtin(session)
        activate_superseded(session)
    return Fleet(served, token, lab_host)


@pytest.fixture
def nodes(fleet: Fleet) -> Fleet:
    for name in NODES:
        fleet.add(name)
    tasks.reevaluate_peers()
    return fleet


def test_nodes_that_agree_pass(nodes: Fleet) -> None:
    for name in NODES:
        assert nodes.said(name, PRIORITY) == [("pass", "as expected")]
    assert_settled()


def test_one_changed_value_is_right_on_all_four(nodes: Fleet) -> None:
    nodes.set("hv-14", "qos_policy.rdma.priority", 3)
    # The node itself is right at once; its neighbours lag, and a row says so.
    assert nodes.said("hv-14", PRIORITY) == [("fail", "Priority is 3 here and 5 on hv-11, hv-12 and hv-13")]
    assert nodes.said("hv-11", PRIORITY)[0][0] == "pass"
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM peer_domain_change")).scalar_one() > 0
    tasks.reevaluate_peers()
    for name in NODES[:3]:
        assert nodes.said(name, PRIORITY) == [("fail", "Priority is 5 here and 3 on hv-14")]
    assert_settled()
    nodes.set("hv-14", "qos_policy.rdma.priority", 5)
    tasks.reevaluate_peers()
    assert {nodes.said(name, PRIORITY)[0][0] for name in NODES} == {"pass"}
    assert_settled()


def test_only_the_words_move_where_the_outcome_stays(nodes: Fleet) -> None:
    nodes.set("hv-14", "qos_policy.rdma.priority", 3)
    tasks.reevaluate_peers()
    nodes.set("hv-13", "qos_policy.rdma.priority", 4)
    tasks.reevaluate_peers()
    assert nodes.said("hv-11", PRIORITY) == [("fail", "Priority is 5 here, 4 on hv-13 and 3 on hv-14")]
    assert_settled()


def test_a_neighbour_that_was_not_read_is_named(nodes: Fleet) -> None:
    nodes.senders["hv-12"].failed["qos"] = "timed out"
    nodes.check_in("hv-12")
    tasks.reevaluate_peers()
    assert nodes.said("hv-11", PRIORITY) == [("unknown", "Priority of hv-12 is unknown")]
    assert_settled()


def test_a_silent_neighbour_is_named_until_it_is_heard_again(nodes: Fleet) -> None:
    silent = nodes.senders["hv-12"].host_id
    with session_scope() as session:
        session.execute(text("UPDATE host SET last_seen_at = now() - interval '3 days' WHERE id = :id"), {"id": silent})
    tasks.mark_silent()
    tasks.reevaluate_peers()
    assert nodes.said("hv-11", PRIORITY) == [("unknown", "Priority of hv-12 is unknown (host not reporting)")]
    nodes.check_in("hv-12")
    tasks.mark_silent()
    tasks.reevaluate_peers()
    assert nodes.said("hv-11", PRIORITY) == [("pass", "as expected")]
    assert_settled()


def test_a_retired_neighbour_is_compared_with_no_longer(nodes: Fleet) -> None:
    nodes.set("hv-14", "qos_policy.rdma.priority", 3)
    tasks.reevaluate_peers()
    with session_scope() as session:
        lifecycle.retire_host(session, actor="test", host_id=nodes.senders["hv-14"].host_id, reason="sold")
    tasks.reevaluate_peers()
    assert {nodes.said(name, PRIORITY)[0][0] for name in NODES[:3]} == {"pass"}
    assert_settled()


def test_a_quarantined_neighbour_is_compared_with_no_longer(nodes: Fleet) -> None:
    nodes.set("hv-14", "qos_policy.rdma.priority", 3)
    with session_scope() as session:
        lifecycle.quarantine_host(session, actor="test", host_id=nodes.senders["hv-14"].host_id, reason="a clone?")
    tasks.mark_silent()
    tasks.reevaluate_peers()
    assert {nodes.said(name, PRIORITY)[0][0] for name in NODES[:3]} == {"pass"}


def test_a_lone_node_has_nobody_to_be_compared_with(fleet: Fleet) -> None:
    fleet.add("hv-11")
    tasks.reevaluate_peers()
    assert fleet.said("hv-11", PRIORITY) == [("not_applicable", "no other host to compare with")]


def test_adapters_are_compared_on_their_fabric(fleet: Fleet) -> None:
    for name in ("sql-01", "sql-02", "sql-03"):
        fleet.add(name)
    tasks.reevaluate_peers()
    before = {name: fleet.said(name, MTU) for name in ("sql-01", "sql-02", "sql-03")}
    assert {outcome for findings in before.values() for outcome, _ in findings} == {"pass"}, before
    fleet.set("sql-03", "SAN2.mtu", 1500)
    tasks.reevaluate_peers()
    outcomes = {name: sorted(outcome for outcome, _ in fleet.said(name, MTU)) for name in before}
    assert outcomes == {"sql-01": ["fail", "fail"], "sql-02": ["fail", "fail"], "sql-03": ["fail", "pass"]}
    assert all("sql-03" in reason for _, reason in fleet.said("sql-01", MTU))
    assert_settled()
    # A person says that the second ports are a fabric of their own: the first ones agree again.
    label_second_ports(fleet, ("sql-01", "sql-02", "sql-03"))
    tasks.reevaluate_peers()
    outcomes = {name: sorted(outcome for outcome, _ in fleet.said(name, MTU)) for name in before}
    assert outcomes == {"sql-01": ["fail", "pass"], "sql-02": ["fail", "pass"], "sql-03": ["fail", "pass"]}
    assert_settled()


def label_second_ports(fleet: Fleet, names: tuple[str, ...]) -> None:
    with session_scope() as session:
        for name in names:
            host_id = fleet.senders[name].host_id
            rows = session.execute(
                text("SELECT subject_id, reason || observed FROM finding f JOIN rule_number n ON n.no = f.rule_no"
                     " WHERE f.host_id = :id AND n.rule = :rule ORDER BY 1"), {"id": host_id, "rule": MTU},
            ).all()  # fmt: skip
            second = sorted(subject for subject, _ in rows)[1]
            session.execute(
                text("INSERT INTO fabric_label (host_id, adapter_id, fabric) VALUES (:id, :adapter, 'B')"),
                {"id": host_id, "adapter": second},
            )
            reevaluate.reevaluate_hosts(session, [host_id])


class PlugPulled(Exception):
    pass


def judge_and_crash() -> None:
    with session_scope() as session:
        assert reevaluate.reevaluate_peers(session) > 0
        raise PlugPulled


def test_a_crash_leaves_the_marks(nodes: Fleet) -> None:
    nodes.set("hv-14", "qos_policy.rdma.priority", 3)
    with session_scope() as session:
        peer_changes.take_changes(reevaluate.raw_connection(session))
    with pytest.raises(PlugPulled):
        judge_and_crash()
    assert nodes.said("hv-11", PRIORITY)[0][0] == "pass"
    tasks.reevaluate_peers()
    assert nodes.said("hv-11", PRIORITY)[0][0] == "fail"
    assert_settled()


def test_a_verdict_beside_an_older_version_is_made_again_under_the_lock(nodes: Fleet, serve: Callable[[], Served]) -> None:
    """Two doors: the second remembers the cluster as it was before the first stored a change."""
    first, second = nodes.served, serve()
    nodes.served = second
    for name in NODES[:2]:
        nodes.set(name, "ch_p0.flow_control", "off")
    nodes.served = first
    nodes.set("hv-14", "qos_policy.rdma.priority", 3)
    tasks.reevaluate_peers()
    nodes.served = second
    nodes.set("hv-11", "qos_policy.rdma.priority", 3)
    assert nodes.said("hv-11", PRIORITY) == [("fail", "Priority is 3 here and 5 on hv-12 and hv-13")]
    tasks.reevaluate_peers()
    assert_settled()


def test_a_change_that_nobody_compares_leaves_the_others_alone(nodes: Fleet) -> None:
    tasks.reevaluate_peers()
    nodes.set("hv-11", "ch_p0.flow_control", "off")
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM peer_domain_change")).scalar_one() == 0


acts_drawn = st.lists(
    st.tuples(
        st.sampled_from(["priority", "priority", "unread", "read", "silent", "heard", "judge", "move", "anew", "quarantine", "release"]),
        st.integers(0, 3),
        st.sampled_from([3, 5]),
    ),
    min_size=4,
    max_size=12,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(acts_drawn)
def test_any_sequence_ends_as_judged_anew(nodes: Fleet, sequence: list[tuple[str, int, int]]) -> None:
    for act, place, value in sequence:
        name = NODES[place]
        host_id = nodes.senders[name].host_id
        state = _state(host_id)
        if act == "judge":
            tasks.reevaluate_peers()
        elif act == "anew":
            judge_all_anew()
        elif act == "move":
            with session_scope() as session:
                lifecycle.move_host(session, actor="test", host_id=host_id, group_id=_other_group(session, host_id))
        elif act == "silent":
            with session_scope() as session:
                session.execute(text("UPDATE host SET last_seen_at = now() - interval '3 days' WHERE id = :id"), {"id": host_id})
            tasks.mark_silent()
        elif act == "quarantine" and state == "active":
            with session_scope() as session:
                lifecycle.quarantine_host(session, actor="test", host_id=host_id, reason="looked odd")
                reevaluate.reevaluate_hosts(session, [host_id])
        elif act == "release" and state == "quarantined":
            with session_scope() as session:
                lifecycle.release_quarantine(session, actor="test", host_id=host_id, reason="was right")
                reevaluate.reevaluate_hosts(session, [host_id])
        elif state == "active":
            if act == "priority":
                nodes.hosts[name].set("qos_policy.rdma.priority", value, cause="test")
            elif act in ("unread", "read"):
                nodes.senders[name].failed = {"qos": "timed out"} if act == "unread" else {}
            nodes.check_in(name)
    for name in NODES:
        if _state(nodes.senders[name].host_id) == "quarantined":
            with session_scope() as session:
                lifecycle.release_quarantine(session, actor="test", host_id=nodes.senders[name].host_id, reason="the end")
                reevaluate.reevaluate_hosts(session, [nodes.senders[name].host_id])
    tasks.mark_silent()
    tasks.reevaluate_peers()
    assert_settled()


def _state(host_id: str) -> str:
    with session_scope() as session:
        return str(session.execute(text("SELECT state FROM host WHERE id = :id"), {"id": host_id}).scalar_one())


def _other_group(session: object, host_id: str) -> int:
    execute = session.execute  # type: ignore[attr-defined]
    found = execute(
        text("SELECT id FROM host_group WHERE id <> (SELECT group_id FROM host WHERE id = :id) LIMIT 1"), {"id": host_id}
    ).first()
    if found is None:
        execute(text("INSERT INTO host_group (parent_id, name, path, is_ticket_required) VALUES (1, 'OTHER', '1/2/', false)"))
        found = execute(text("UPDATE host_group SET path = '1/' || id || '/' WHERE name = 'OTHER' RETURNING id")).first()
    return int(found[0])
