"""Each paper's own hosts: as it recommends they score 100 with everything known, as delivered they fail exactly where it differs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration
from plumbline.core.rules.compile import compile_pack
from plumbline.core.rules.peer_questions import gather
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.core.rules.rule import WEIGHTLESS, Outcome, Pack, Verdict
from plumbline.core.rules.score import ScoreExplanation, score
from plumbline.core.rules.weights import Weights, traits_of
from plumbline.packs.files import load_builtin
from tests.core.facts.builders import WINDOWS_SAMPLES, sections_of
from tests.packs.files.lab_hosts import esxi_host, windows_host
from tests.packs.files.paper_tables import BP1057, ESXI55, rules_that_differ

PACKS = {pack.id: pack for pack in load_builtin()}
WINDOWS_PACKS = ("dell-bp1057-2012", "dell-bp1057-2012r2")
RELEASES = ("2012", "2012r2", "2016", "2019", "2022")
HAVE_CHIMNEY = ("2012", "2012r2")


@dataclass(frozen=True)
class Mode:
    """One adapter mode of BP1057: the lab's bed, and the lab's words for what the paper changes on it (its tables: `paper_tables`)."""

    bed: str
    recommended: Mapping[str, Any]
    default_entered: Mapping[str, str] = field(default_factory=dict)
    recommended_entered: Mapping[str, str] = field(default_factory=dict)


MODES = {
    "ndis": Mode("windows-2012-bcm57810", {"SAN*.mtu": 9600, "SAN*.receive_buffers": 3000, "SAN*.transmit_buffers": 5000}),
    "isoe": Mode("windows-2012-isoe", {}, {"mtu": "1500", "flow_control": "auto"}, {"mtu": "9600", "flow_control": "rx_tx"}),
    "x520": Mode("windows-2012-x520", {"SAN*.mtu": 9000, "SAN*.receive_buffers": 4096, "SAN*.transmit_buffers": 16384}),
}
TOE = {"SAN*.tcp_connection_offload": "enabled", "host.tcp.chimney": "Enabled"}
TOE_RULE = "bcm57810.ndis.toe"


def must_fail(mode: str, release: str) -> frozenset[str]:
    """The rules of the rows whose recommendation differs from the default; TOE's only where the release still has Chimney."""
    return rules_that_differ(BP1057[mode]) - (set() if release in HAVE_CHIMNEY else {TOE_RULE})


def readings(host: Configuration, key: str) -> set[Any]:
    """The host's values, on each SAN item that can have the setting."""
    kind, name = key.split(".", 1)
    if kind == "host":
        return {host.value(HOST, name)}
    subjects = [each for each in host.subjects(kind) if kind == "initiator" or host.value(each, "role") == "san_iscsi"]
    return {host.value(each, name) for each in subjects}


def verdicts_of(pack: Pack, host: Configuration, peers: Peers = NO_PEERS) -> list[Verdict]:
    return compile_pack(pack, host.platform).evaluate(host, peers)


def explained(pack: Pack, host: Configuration, peers: Peers = NO_PEERS) -> ScoreExplanation:
    return score(verdicts_of(pack, host, peers), Weights([pack]), traits_of(host))


def rules_that(outcome: Outcome, pack: Pack, host: Configuration, peers: Peers = NO_PEERS, *, weighing: bool = True) -> set[str]:
    """Ids of the rules with a finding of this outcome, without their first word; those that weigh, or those that do not."""
    return {
        verdict.rule.id.split(".", 1)[1]
        for verdict in verdicts_of(pack, host, peers)
        if verdict.outcome == outcome and (verdict.rule.kind not in WEIGHTLESS) is weighing
    }


def is_perfect(shown: ScoreExplanation) -> bool:
    return (shown.score, shown.uncapped, shown.rule_coverage, shown.caps) == (100, 100, 1.0, ())


# --- BP1057, both editions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pack_id", WINDOWS_PACKS)
def test_windows_as_recommended(tmp_path: Path, pack_id: str, mode: str, release: str) -> None:
    pack, it = PACKS[pack_id], MODES[mode]
    changes = {**it.recommended, **(TOE if mode == "ndis" and release in HAVE_CHIMNEY else {})}
    host = windows_host(tmp_path, it.bed, release, changes, entered=it.recommended_entered)
    assert rules_that("fail", pack, host) == set()
    assert rules_that("unknown", pack, host) == set()
    assert is_perfect(explained(pack, host))
    # Each row that the paper recommends was evaluated, and none was left out for lack of a subject.
    assert must_fail(mode, release) <= rules_that("pass", pack, host)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pack_id", WINDOWS_PACKS)
def test_windows_as_delivered(tmp_path: Path, pack_id: str, mode: str, release: str) -> None:
    pack, it = PACKS[pack_id], MODES[mode]
    host = windows_host(tmp_path, it.bed, release, {}, entered=it.default_entered)
    assert rules_that("fail", pack, host) == must_fail(mode, release)
    assert rules_that("unknown", pack, host) == set()
    shown = explained(pack, host)
    assert shown.score is not None
    assert shown.score < 100
    # The guard-rails hold on an untouched host: nothing caps it.
    assert shown.caps == ()
    assert shown.rule_coverage == 1.0


@pytest.mark.parametrize("mode", MODES)
def test_the_windows_beds_are_those_of_the_paper_s_tables(tmp_path: Path, mode: str) -> None:
    """Both states have, row by row, what the paper prints: otherwise the two tests above could agree with the rules only."""
    it = MODES[mode]
    toe = TOE if mode == "ndis" else {}
    delivered = windows_host(tmp_path / "delivered", it.bed, "2012", {}, entered=it.default_entered)
    asked = windows_host(tmp_path / "asked", it.bed, "2012", {**it.recommended, **toe}, entered=it.recommended_entered)
    for row in BP1057[mode]:
        assert (row, readings(delivered, row.key)) == (row, {row.delivered})
        assert (row, readings(asked, row.key)) == (row, {row.asked})


@pytest.mark.parametrize("release", ["2016", "2019", "2022"])
@pytest.mark.parametrize("pack_id", WINDOWS_PACKS)
def test_toe_never_fails_from_2016_on(tmp_path: Path, pack_id: str, release: str) -> None:
    """Whatever the switches are set to: Microsoft withdrew Chimney, so neither on nor off is required."""
    for name, changes in (("off", {}), ("on", TOE)):
        host = windows_host(tmp_path / name, "windows-2012-bcm57810", release, changes)
        assert "bcm57810.ndis.toe" in rules_that("not_applicable", PACKS[pack_id], host)


@pytest.mark.parametrize("changes", [{"SAN*.tcp_connection_offload": "enabled"}, {"host.tcp.chimney": "Enabled"}])
def test_half_of_toe_has_no_effect(tmp_path: Path, changes: Mapping[str, Any]) -> None:
    from plumbline.core.rules.evaluate import evaluate

    host = windows_host(tmp_path, "windows-2012-bcm57810", "2012", {**MODES["ndis"].recommended, **changes})
    pack = PACKS["dell-bp1057-2012"]
    assert rules_that("fail", pack, host) == {"bcm57810.ndis.toe"}
    reasons = {found.reason for found in evaluate(pack, host) if found.rule.endswith(".toe")}
    assert all(reason.startswith("no effect: both settings are needed") for reason in reasons)
    assert len(reasons) == 1


@pytest.mark.parametrize("pack_id", WINDOWS_PACKS)
def test_isoe_hides_its_adapters_and_their_rules_never_fail(tmp_path: Path, pack_id: str) -> None:
    """Nothing entered by a person: unknown with the reason, never "missing", and the coverage shows it."""
    host = windows_host(tmp_path, "windows-2012-isoe", "2012", {})
    pack = PACKS[pack_id]
    assert rules_that("fail", pack, host) == set()
    assert rules_that("unknown", pack, host) == {"bcm57810.isoe.flow_control", "bcm57810.isoe.mtu"}
    assert {"flow_control", "guard.lso", "guard.checksum", "unused_protocols"} <= rules_that("not_applicable", pack, host) | rules_that(
        "not_applicable", pack, host, weighing=False
    )
    shown = explained(pack, host)
    assert shown.score == 100
    assert shown.rule_coverage is not None
    assert shown.rule_coverage < 1


@pytest.mark.parametrize("pack_id", WINDOWS_PACKS)
@pytest.mark.parametrize(
    ("mode", "change", "rule"),
    [
        ("ndis", {"SAN1.lso_ipv4": "disabled"}, "guard.lso"),
        ("x520", {"SAN1.lso_ipv4": "disabled"}, "guard.lso"),
        ("ndis", {"SAN1.checksum_tcp_ipv4": "off"}, "guard.checksum"),
        ("x520", {"SAN2.checksum_tcp_ipv4": "rx"}, "guard.checksum"),
        ("ndis", {"host.tcp.auto_tuning": "Disabled"}, "guard.auto_tuning"),
        ("x520", {"host.tcp.auto_tuning": "Disabled"}, "guard.auto_tuning"),
        ("x520", {"SAN1.rss": "disabled"}, "guard.x520_rss"),
        ("x520", {"host.tcp.rss": "Disabled"}, "guard.x520_rss"),
    ],
)
def test_what_the_paper_measured_as_harmful_caps(tmp_path: Path, pack_id: str, mode: str, change: Mapping[str, Any], rule: str) -> None:
    pack, it = PACKS[pack_id], MODES[mode]
    toe = TOE if mode == "ndis" else {}
    host = windows_host(tmp_path, it.bed, "2012", {**it.recommended, **toe, **change})
    assert rules_that("fail", pack, host) == {rule}
    shown = explained(pack, host)
    assert shown.score == 59
    assert {cap.rule.split(".", 1)[1] for cap in shown.caps} == {rule}


def test_rss_off_on_the_bcm57810_is_no_harm_that_the_paper_saw(tmp_path: Path) -> None:
    host = windows_host(tmp_path, "windows-2012-bcm57810", "2012", {**MODES["ndis"].recommended, **TOE, "SAN*.rss": "disabled"})
    assert is_perfect(explained(PACKS["dell-bp1057-2012"], host))


@pytest.mark.parametrize(
    ("mode", "changes", "advice"),
    [
        ("ndis", {"SAN*.interrupt_moderation": "disabled"}, "info.interrupt_moderation"),
        ("ndis", {"SAN*.rsc_ipv4": "disabled"}, "info.rsc"),
        ("x520", {"SAN*.rss_queues": 1}, "info.rss_queues"),
        ("x520", {"SAN*.keyword.*RSSProfile": "5"}, "info.rss_profile"),
    ],
)
def test_what_made_no_difference_is_shown_and_never_counted(tmp_path: Path, mode: str, changes: Mapping[str, Any], advice: str) -> None:
    it = MODES[mode]
    host = windows_host(tmp_path, it.bed, "2012", {**it.recommended, **(TOE if mode == "ndis" else {}), **changes})
    pack = PACKS["dell-bp1057-2012"]
    assert advice in rules_that("fail", pack, host, weighing=False)
    assert is_perfect(explained(pack, host))


def test_the_registry_by_itself_is_no_delayed_ack_from_2012_r2_on(tmp_path: Path) -> None:
    pack = PACKS["dell-bp1057-2012r2"]
    old = windows_host(tmp_path / "2012", "windows-2012-x520", "2012", {"SAN*.ack_frequency": "1"})
    assert "advice.delayed_ack" in rules_that("pass", pack, old, weighing=False)
    assert "advice.registry_alone" in rules_that("not_applicable", pack, old, weighing=False)
    new = windows_host(tmp_path / "2012r2", "windows-2012-x520", "2012r2", {"SAN*.ack_frequency": "1"})
    assert {"advice.delayed_ack", "advice.registry_alone"} <= rules_that("fail", pack, new, weighing=False)
    both = windows_host(
        tmp_path / "both", "windows-2012-x520", "2012r2", {"SAN*.ack_frequency": "1", "host.tcp.delayed_ack_iscsi": "disabled"}
    )
    assert {"advice.delayed_ack", "advice.registry_alone", "info.template_in_use"} <= rules_that("pass", pack, both, weighing=False)


# --- ESXi 5.5 ------------------------------------------------------------------------------------------------------------------------

ESXI = PACKS["dell-esxi55"]
ESXI_RECOMMENDED = {
    "vSwitch1.mtu": 9000,
    "vmk1.mtu": 9000,
    "vmk2.mtu": 9000,
    "initiator.delayed_ack": "disabled",
    "initiator.login_timeout_seconds": 60,
}


@pytest.mark.parametrize(
    "base", ["esxi-5.5-bcm57810", "esxi-5.5-isoe", "esxi-5.5-x520", "esxi-6.7-isoe", "esxi-7.0-x520", "esxi-8.0-bcm57810"]
)
def test_esxi_as_recommended(tmp_path: Path, base: str) -> None:
    host = esxi_host(tmp_path, base, ESXI_RECOMMENDED, mem="1.2.0.365964")
    # The packages of the paper's MEM were never seen: their versions do not show which version of the MEM is installed.
    rows = tuple(row for row in ESXI55.get(base, ()) if row.key != "host.mem")
    assert {row: readings(host, row.key) for row in rows} == {row: {row.asked} for row in rows}
    assert rules_that("fail", ESXI, host) == set()
    assert rules_that("unknown", ESXI, host) == {"mem"}
    assert rules_that_differ(rows) <= rules_that("pass", ESXI, host)
    shown = explained(ESXI, host)
    assert (shown.score, shown.uncapped, shown.caps) == (100, 100, ())


@pytest.mark.parametrize("base", ESXI55)
def test_esxi_as_delivered(tmp_path: Path, base: str) -> None:
    host = esxi_host(tmp_path, base, {})
    assert {row: readings(host, row.key) for row in ESXI55[base]} == {row: {row.delivered} for row in ESXI55[base]}
    assert rules_that("fail", ESXI, host) == rules_that_differ(ESXI55[base])
    assert rules_that("unknown", ESXI, host) == set()
    shown = explained(ESXI, host)
    assert shown.caps == ()
    assert shown.rule_coverage == 1.0


def test_each_hba_has_its_own_delayed_ack(tmp_path: Path) -> None:
    """Tables 4's note: with iSOE it is configured for each initiator separately."""
    host = esxi_host(tmp_path, "esxi-5.5-isoe", {**ESXI_RECOMMENDED, "vmhba35.delayed_ack": "enabled"}, mem="1.2.0.365964")
    failing = {verdict.subject.id for verdict in verdicts_of(ESXI, host) if verdict.outcome == "fail" and verdict.rule.weighs}
    assert failing == {"vmhba35"}


@pytest.mark.parametrize(
    ("change", "rule"), [({"host.net.lro": "disabled"}, "guard.lro"), ({"vmnic2.checksum_rx": "disabled"}, "guard.rx_checksum")]
)
def test_what_the_esxi_paper_draws_as_harmful_counts_and_caps_nothing(tmp_path: Path, change: Mapping[str, Any], rule: str) -> None:
    host = esxi_host(tmp_path, "esxi-5.5-x520", {**ESXI_RECOMMENDED, **change}, mem="1.2.0.365964")
    assert rules_that("fail", ESXI, host) == {rule}
    shown = explained(ESXI, host)
    assert shown.caps == ()
    assert shown.score is not None
    assert 59 < shown.score < 100


def test_no_cap_rests_on_evidence_that_is_only_a_chart() -> None:
    guarding = [rule for pack in PACKS.values() for rule in pack.rules if rule.kind == "guard_rail"]
    assert len(guarding) > 8
    for rule in guarding:
        assert rule.caps
        assert not rule.evidence or {each.strength for each in rule.evidence} - {"chart"}, rule.address


# --- Chelsio -------------------------------------------------------------------------------------------------------------------------

CHELSIO = PACKS["chelsio-s2d-qos"]
QOS = {"qos_policy.rdma.priority": 5, "qos_class.rdma.bandwidth_percent": 80}


def _node(folder: Path, changes: Mapping[str, Any]) -> Configuration:
    return windows_host(folder, "windows-2016-s2d", "2016", changes)


def _beside(*others: Configuration) -> Peers:
    return gather([CHELSIO], cluster={f"node-{number}": other for number, other in enumerate(others, start=2)})


@pytest.mark.parametrize("share", [80, 10])
def test_s2d_as_shown(tmp_path: Path, share: int) -> None:
    """The paper shows 80 and 10 percent and recommends neither: both are right. That RDMA works SMB's own connections show."""
    changes = {**QOS, "qos_class.rdma.bandwidth_percent": share}
    host, other = _node(tmp_path / "a", changes), _node(tmp_path / "b", changes)
    peers = _beside(other, other, other)
    assert rules_that("fail", CHELSIO, host, peers) == set()
    assert rules_that("unknown", CHELSIO, host, peers) == set()
    assert explained(CHELSIO, host, peers).score == 100
    assert rules_that("pass", CHELSIO, host, peers) == {
        "qos_enabled", "smb_direct_policy", "policy_in_class", "policy_same_in_cluster", "class_priorities_distinct", "class_sum", "rdma",
    }  # fmt: skip


def test_s2d_as_shown_with_embedded_teaming() -> None:
    host = assemble("windows", sections_of(WINDOWS_SAMPLES / "t520-2016-s2d.checkin")).configuration
    peers = _beside(host, host, host)
    assert is_perfect(explained(CHELSIO, host, peers))
    assert {"vnic_rdma", "qos_enabled", "policy_in_class"} <= rules_that("pass", CHELSIO, host, peers)
    assert {"set_mode", "set_management"} <= rules_that("pass", CHELSIO, host, peers, weighing=False)


def test_s2d_as_delivered(tmp_path: Path) -> None:
    """Nothing set: no QoS on the adapter and no policy. Without a policy no class can be its own, so that row does not apply."""
    host = _node(tmp_path, {"ch_p0.qos": "disabled"})
    assert rules_that("fail", CHELSIO, host, _beside(host)) == {"qos_enabled", "smb_direct_policy"}
    assert rules_that("unknown", CHELSIO, host, _beside(host)) == set()


@pytest.mark.parametrize("priority", [3, 4])
def test_policy_and_class_must_meet_in_one_priority(tmp_path: Path, priority: int) -> None:
    """Windows' default class holds what no other does: a policy that ends there has no share of its own."""
    host = _node(tmp_path, {**QOS, "qos_policy.rdma.priority": priority})
    assert rules_that("fail", CHELSIO, host, _beside(host)) == {"policy_in_class"}


def test_no_iscsi_rule_touches_an_s2d_node(tmp_path: Path) -> None:
    """Frames of 1500, protocols bound, no pause frames wanted: the iSCSI packs require nothing of these adapters."""
    host = _node(tmp_path, QOS)
    for pack_id in (*WINDOWS_PACKS, "dell-esxi55", "qlogic-qle3142"):
        outcomes = {
            (verdict.rule.id, verdict.outcome) for verdict in verdicts_of(PACKS[pack_id], host) if verdict.outcome != "not_applicable"
        }
        assert outcomes <= {("bp1057r2.unrestricted_filter", "pass")}, pack_id


# --- QLogic --------------------------------------------------------------------------------------------------------------------------


def test_the_qlogic_article_advises_and_never_counts(tmp_path: Path) -> None:
    pack = PACKS["qlogic-qle3142"]
    delivered = windows_host(tmp_path / "a", "windows-2012-qle3142", "2012", {})
    assert rules_that("fail", pack, delivered, weighing=False) == {"jumbo"}
    advised = windows_host(tmp_path / "b", "windows-2012-qle3142", "2012", {"SAN*.mtu": 9600})
    assert rules_that("fail", pack, advised, weighing=False) == set()
    for host in (delivered, advised):
        shown = explained(pack, host)
        assert (shown.score, shown.rule_coverage, shown.caps) == (None, None, ())
