"""The last connection to a target: what a step takes is asked by adapter, and what is not known keeps nothing."""

from collections.abc import Sequence

import pytest

from plumbline.core.facts.configuration import Configuration, Subject
from plumbline.core.facts.paths import Path, PathMap, SessionRoute, Volume
from plumbline.core.planning import last_path
from plumbline.core.planning.gates import CONNECTIONS
from plumbline.core.planning.path_floor import Taken
from tests.core.planning.hosts import MACS, a_rule, esxi_host, facts, windows_adapter, windows_host
from tests.core.planning.planned import ATTESTED, plan, refusal

PAUSE = a_rule("adapter.flow_control", "rx_tx")
SAN1, SAN2 = (Subject("adapter", mac) for mac in MACS[:2])
LAST = "iqn.a would keep no connection over another adapter without SAN1"
FIRST = Taken(frozenset({MACS[0]}), words="SAN1")


def route(target: str, mac: str, source: str = "10.1.0.11") -> SessionRoute:
    return SessionRoute(target, source, mac)


def without_link(word: object) -> Configuration:
    adapters = {MACS[0]: windows_adapter("SAN1"), MACS[1]: windows_adapter("SAN2", link_up=word)}
    if word is None:
        del adapters[MACS[1]]["link_up"]
    return windows_host(adapters)


@pytest.mark.parametrize(
    ("routes", "held", "words"),
    [
        ([route("iqn.a", MACS[0]), route("iqn.a", MACS[1])], windows_host(), ""),
        # Two sessions over the adapter that stops are two, and none of them stays.
        ([route("iqn.a", MACS[0]), route("iqn.a", MACS[0])], windows_host(), LAST),
        # Each target for itself: the other one's session is no help.
        ([route("iqn.a", MACS[0]), route("iqn.b", MACS[1])], windows_host(), LAST),
        ([route("iqn.a", MACS[1]), route("iqn.b", MACS[1])], windows_host(), ""),
        ([], windows_host(), ""),
        ([route("iqn.a", MACS[0]), route("iqn.a", "")], windows_host(), LAST),
        ([route("iqn.a", ""), route("iqn.a", MACS[1])], windows_host(), ""),
        # An adapter that the list does not have may be any, the one that stops too.
        ([route("iqn.a", "0000:41:00.0")], windows_host(), LAST),
        ([route("iqn.a", "0000:41:00.0"), route("iqn.a", MACS[1])], windows_host(), ""),
        ([route("iqn.a", MACS[0]), route("iqn.a", MACS[1])], without_link(False), "SAN2 has no link"),
        ([route("iqn.a", MACS[0]), route("iqn.a", MACS[1])], without_link(None), "whether SAN2 has link is not known"),
    ],
)  # fmt: skip
def test_every_target_keeps_a_connection_over_another_adapter(routes: Sequence[SessionRoute], held: Configuration, words: str) -> None:
    found = last_path.refusal(routes, FIRST, held)
    assert (found is None) == (words == "")
    assert found is None or words in found.words


def test_an_interface_that_stops_takes_the_adapter_under_it_for_no_other_one() -> None:
    taken = Taken(addresses=frozenset({"10.1.0.11"}), words="vmk1")
    both = [route("iqn.a", MACS[0]), route("iqn.a", MACS[0], "10.1.0.12")]
    found = last_path.refusal(both, taken, windows_host())
    assert found is not None
    assert found.words == "iqn.a would keep no connection over another adapter without vmk1"
    assert last_path.refusal([both[0], route("iqn.a", MACS[1], "10.1.0.12")], taken, windows_host()) is None


def targets(*paths: Path) -> PathMap:
    volumes = sorted({path.volume for path in paths})
    return PathMap(tuple(Volume(volume, volume, None, "", "") for volume in volumes), paths)


def test_a_plan_names_the_target_whose_last_path_it_would_take() -> None:
    """A volume with one target for each port of its array: as a volume it keeps a path, one of its targets does not."""
    paths = targets(
        Path("vol-a", "iqn.host", "iqn.host>iqn.port-1", "", "10.1.0.1", MACS[0], "healthy"),
        Path("vol-a", "iqn.host", "iqn.host>iqn.port-2", "", "10.2.0.1", MACS[1], "healthy"),
    )
    one = refusal(facts((PAUSE, SAN1), paths=paths))
    assert (one.gate, one.about) == ("path_floor", "target/iqn.port-1")
    assert one.words == "iqn.port-1 would keep no connection over another adapter without SAN1"
    assert one.command == "Get-IscsiConnection"


@pytest.mark.parametrize(
    ("sessions", "words"),
    [
        ((), ""),
        # A target without a volume, as one for the array's own control, or one whose volumes are offline.
        ((route("iqn.control", MACS[0]),), "iqn.control would keep no connection over another adapter without SAN1"),
        ((route("iqn.control", MACS[0]), route("iqn.control", MACS[1], "10.1.0.12")), ""),
        ((route("iqn.control", MACS[1], "10.1.0.12"),), ""),
        ((route("iqn.control", "", ""),), "iqn.control would keep no connection over another adapter without SAN1"),
        (None, "the list of its iSCSI sessions could not be read"),
    ],
)
def test_a_plan_asks_for_sessions_that_carry_no_path(sessions: tuple[SessionRoute, ...] | None, words: str) -> None:
    host = facts((PAUSE, SAN1), sessions=sessions)
    if not words:
        assert [step.adapters for step in plan(host).hosts[0].steps] == [(MACS[0],)]
        return
    one = refusal(host)
    assert (one.words, one.command) == (words, "Get-IscsiConnection")


def test_an_adapter_without_link_is_planned_though_the_sessions_were_not_read() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", link_up=False), MACS[1]: windows_adapter("SAN2")})
    over_the_other = targets(Path("vol-a", "i", "i>iqn.t", "10.9.0.1:3260", "10.2.0.1", MACS[1], "healthy"))
    assert not plan(facts((PAUSE, SAN1), held=held, paths=over_the_other, sessions=None)).is_empty


def test_a_switch_or_interface_over_the_same_uplink_is_refused_too() -> None:
    vmk = (a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1"))
    wide = {"vswitch/vSwitch1": {"mtu": 9000, "type": "standard"}}
    same = targets(
        *(Path("vol-a", "iqn.host", "iqn.host>iqn.t", f"10.9.0.{at}:3260", f"10.{at}.0.1", MACS[0], "healthy") for at in (1, 2, 3))
    )
    one = refusal(facts(vmk, held=esxi_host(wide, maintenance_mode=True), paths=same), ATTESTED)
    assert one.words == "iqn.t would keep no connection over another adapter without vmk1"
    assert one.command == "esxcli iscsi session connection list"


def test_what_each_target_was_connected_over_is_part_of_the_plan() -> None:
    (host,) = plan(facts((PAUSE, SAN1))).hosts
    (gate,) = (gate for gate in host.gates if gate.fact == CONNECTIONS)
    assert gate.value == f"volume vol-a={MACS[0]},{MACS[1]}"
    now = [route("volume vol-a", MACS[0]), route("volume vol-a", MACS[1]), route("iqn.new", MACS[0])]
    assert last_path.moved(gate.value, now) == ""
    assert last_path.moved(gate.value, now[:1]) == f"volume vol-a had a connection over {MACS[1]} when planned, and has none there now"
    assert last_path.moved(gate.value, []) != ""
    assert last_path.moved("", now) == ""


def test_a_session_that_carries_no_path_is_part_of_the_plan_too() -> None:
    both = (route("iqn.control", MACS[0]), route("iqn.control", MACS[1], "10.1.0.12"))
    (host,) = plan(facts((PAUSE, SAN1), sessions=both)).hosts
    (gate,) = (gate for gate in host.gates if gate.fact == CONNECTIONS)
    assert gate.value == f"iqn.control={MACS[0]},{MACS[1]};volume vol-a={MACS[0]},{MACS[1]}"
