"""The fleet as data: what it must hold, that every host can be made, and that its settings have the intended effect."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from lab import fleet
from lab.host import LabHost, NoSuchSetting

Make = Callable[[str], LabHost]


def test_the_fleet_covers_the_test_beds() -> None:
    specs = fleet.load()
    releases = {(spec.platform, spec.data["release"]) for spec in specs}
    windows = {("windows", release) for release in ("2012", "2012r2", "2016", "2019", "2022")}
    assert len(specs) >= 24
    assert windows | {("esxi", release) for release in ("5.5", "6.7", "7.0", "8.0")} <= releases
    cards = {
        (port["card"], spec.data["initiator"])
        for spec in specs
        for port in (spec.data.get("adapters") or spec.data["nics"]).values()
        if port.get("use")
    }
    assert {
        ("bcm57810", "ndis"),
        ("bcm57810", "isoe"),
        ("bcm57810", "software"),
        ("x520", "software"),
        ("t520", "none"),
        ("qle3142", "software"),
    } <= cards
    assert Counter(spec.cluster for spec in specs if spec.data.get("s2d"))["S2DCL1"] == 4
    assert {spec.data.get("language") for spec in specs} >= {"de", "ja"}
    assert sum(spec.behaviour.silent_after_first for spec in specs) == 1
    assert sum(bool(spec.behaviour.failing) for spec in specs) == 1
    assert sum(spec.behaviour.waits_for_approval for spec in specs) == 1


@pytest.mark.parametrize("name", [spec.name for spec in fleet.load()])
def test_every_host_can_be_made(name: str, lab_host: Make) -> None:
    host = lab_host(name)
    assert host.state["ports"]


def test_events_name_hosts_and_settings_that_exist(lab_host: Make) -> None:
    for event in fleet.events():
        for name in event.hosts:
            host = lab_host(name)
            assert any(host.set(setting, value, cause=event.what) for setting, value in event.settings.items())


def test_a_host_without_a_base_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hosts").mkdir()
    (tmp_path / "hosts" / "lost.yaml").write_text("group: TEST\n")
    with pytest.raises(fleet.FleetInvalid, match=r"lost\.yaml"):
        fleet.load(tmp_path)


def test_a_setting_is_journalled_and_survives_a_restart(lab_host: Make) -> None:
    host = lab_host("sql-03")
    assert host.set("SAN*.flow_control", "off", cause="test") == ["SAN1.flow_control: rx_tx -> off", "SAN2.flow_control: rx_tx -> off"]
    assert host.set("SAN*.flow_control", "off", cause="test") == []
    again = LabHost(host.spec, host.folder)
    assert again.state["ports"]["SAN1"]["flow_control"] == "off"
    assert [row["setting"] for row in again.read_journal()] == ["SAN1.flow_control: rx_tx -> off", "SAN2.flow_control: rx_tx -> off"]


@pytest.mark.parametrize(("name", "value"), [("SAN9.mtu", "9000"), ("SAN1.nonsense", "1"), ("SAN1", "1"), ("SAN1.mtu", "many")])
def test_an_unknown_setting_is_refused_and_changes_nothing(lab_host: Make, name: str, value: str) -> None:
    host = lab_host("sql-03")
    before = json.dumps(host.state)
    with pytest.raises(NoSuchSetting):
        host.set(name, value, cause="test")
    assert json.dumps(host.state) == before


def test_a_dead_link_kills_its_paths_and_a_cut_one_path(lab_host: Make) -> None:
    host = lab_host("sql-01")
    assert [path["alive"] for path in host.sessions()].count(True) == 12
    host.set("SAN2.link", "down", cause="test")
    assert [path["alive"] for path in host.sessions()].count(True) == 6
    host.set("SAN2.link", "up", cause="test")
    host.set("path.SAN1/vol-erp", "dead", cause="test")
    assert [path["alive"] for path in host.sessions()].count(True) == 10
    host.set("path.SAN1/vol-erp", "healthy", cause="test")
    assert all(path["alive"] for path in host.sessions())


def test_retransmits_follow_flow_control(lab_host: Make) -> None:
    def share(host: LabHost) -> float:
        before = dict(host.state["counters"])
        host.state["counters"]["at"] -= 600
        host.tick()
        counters = host.state["counters"]
        sent = counters["tcp_segments_sent"] - before["tcp_segments_sent"]
        assert sent > 100_000
        return (counters["tcp_segments_retransmitted"] - before["tcp_segments_retransmitted"]) / sent

    host = lab_host("sql-03")
    assert share(host) < 0.0001
    host.set("SAN1.flow_control", "off", cause="test")
    # The paper's congested figure is 0.11 %.
    assert share(host) > 0.0011


def test_counters_of_a_port_without_link_stand_still(lab_host: Make) -> None:
    host = lab_host("sql-03")
    host.set("SAN2.link", "down", cause="test")
    host.tick()
    before = dict(host.state["counters"]["ports"].get("SAN2", {}))
    host.state["counters"]["at"] -= 600
    host.tick()
    assert host.state["counters"]["ports"]["SAN2"] == before
    assert host.state["counters"]["ports"]["SAN1"]["bytes_received"] > 0
