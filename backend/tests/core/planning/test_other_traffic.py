"""What an adapter, port or switch carries besides storage keeps Plumbline from interrupting it: a person makes that change."""

from dataclasses import replace
from typing import Any

import pytest

from plumbline.core.facts.assemble import Assembled
from plumbline.core.facts.configuration import Subject
from plumbline.core.planning.build import build_plan
from plumbline.core.planning.inputs import Chosen, HostFacts, Limits
from plumbline.core.planning.other_traffic import other_traffic
from plumbline.core.planning.plan import Plan
from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.packs.files import load_builtin
from tests.core.facts.builders import GUID, card, dsm_path, ip, iscsi, mac, mpio, read, refused, san_adapters, session, system, windows
from tests.core.planning.converged import MACS, MANAGEMENT, SAN, VMOTION, Converged, Port
from tests.core.planning.hosts import a_rule, the_settings

FIRST, SECOND = (Subject("adapter", each) for each in MACS)
SWITCH, VMK2 = Subject("vswitch", "vSwitch0"), Subject("vnic", "vmk2")
PAUSE = a_rule("adapter.flow_control", "rx_tx")
BUFFERS = a_rule("adapter.receive_buffers", 512)
FRAME, PORT_FRAME = a_rule("adapter.mtu", 9000), a_rule("vnic.mtu", 9000)
MANAGED = "vmk0 of port group Management Network (management)"
MOVING = "vmk1 of port group vMotion (not known to carry storage)"
# Each iSCSI port on a switch of its own, management and vMotion on another: nothing is shared.
APART = Converged(
    {
        **{name: replace(port, switch="vSwitch9") for name, port in {"vmk0": MANAGEMENT, "vmk1": VMOTION}.items()},
        **{name: replace(port, switch=f"v{name}") for name, port in SAN.items()},
    },
    {"vSwitch9": (1500, ""), "vvmk2": (1500, "vmnic2"), "vvmk3": (1500, "vmnic3")},
)  # fmt: skip


def plan_of(host: Assembled, *chosen: tuple[Any, Subject], reached_at: str = "") -> Plan:
    """The plan of these findings, with every gate that a person can open open."""
    found = HostFacts(
        "0197c1f0-0000-7000-8000-000000000001", "h-1", host.configuration, host.path_map,
        tuple(Chosen(rule, subject) for rule, subject in chosen), "", "", load_percent=5, reached_at=reached_at, sessions=host.routes,
    )  # fmt: skip
    return build_plan((found,), the_settings(), Limits(frame_attested_by="ana", floor_mtu=1))


def because(plan: Plan) -> str:
    """The reason of the one checklist of a plan without steps and refusals."""
    assert plan.is_empty
    assert plan.refusals == ()
    (one,) = plan.checklists
    return one.because


# --- ESXi -------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "subject"), [(PAUSE, FIRST), (FRAME, FIRST), (PORT_FRAME, VMK2)])
def test_a_converged_uplink_or_switch_is_left_to_a_person(rule: Any, subject: Subject) -> None:
    plan = plan_of(Converged().read(), (rule, subject))
    what = "vmnic2" if rule is PAUSE else "the virtual switch vSwitch0"
    words = f"changing {what} would interrupt {MANAGED} and {MOVING} too: Plumbline interrupts only what carries storage alone"
    assert because(plan) == words
    steps = plan.checklists[0].steps
    assert steps[1] == "Put the host into maintenance mode, and open its own console (out-of-band controller)."
    typed = "pauseParams set -n vmnic2" if rule is PAUSE else "vswitch standard set -v vSwitch0 -m 9000"
    assert sum(typed in step for step in steps) == 1
    assert steps[-1].endswith("esxcli storage core path list")


def test_the_sans_own_port_on_a_converged_uplink_is_still_set() -> None:
    host = Converged(switches={"vSwitch0": (9000, "vmnic2, vmnic3")}).read()
    plan = plan_of(host, (PORT_FRAME, VMK2), (PAUSE, FIRST), (PAUSE, SECOND))
    assert [element.setting for one in plan.hosts for step in one.steps for element in step.elements] == ["vnic/vmk2/mtu"]
    assert {ref.subject_id for one in plan.checklists for ref in one.findings} == set(MACS)


def test_what_only_storage_uses_is_planned() -> None:
    plan = plan_of(APART.read(), (PAUSE, FIRST), (FRAME, FIRST), (PORT_FRAME, VMK2))
    assert plan.checklists == plan.refusals == ()
    assert {element.setting for one in plan.hosts for step in one.steps for element in step.elements} == {
        f"adapter/{MACS[0]}/flow_control",
        "vswitch/vvmk2/mtu",
        "vnic/vmk2/mtu",
    }


@pytest.mark.parametrize(
    ("ports", "words"),
    [
        # Each port group names the uplinks that it uses: management leaves this one alone, or has it in reserve.
        ({"vmk0": replace(MANAGEMENT, active="vmnic3")}, ""),
        ({"vmk0": replace(MANAGEMENT, active="vmnic3", standby="vmnic2")}, MANAGED),
        ({"vmk1": VMOTION}, MOVING),
        ({"vmk1": replace(VMOTION, stack="vmotion")}, "vmk1 of port group vMotion (vMotion)"),
        ({"vmk5": Port("Spare", "192.0.2.99", "vmnic2")}, "vmk5 of port group Spare (not known to carry storage)"),
    ],
)
def test_a_port_counts_where_it_may_use_the_uplink(ports: dict[str, Port], words: str) -> None:
    away = {"vmk0": replace(MANAGEMENT, switch="vSwitch9", active="")}
    host = Converged({**away, **SAN, **ports}, {"vSwitch0": (1500, "vmnic2, vmnic3"), "vSwitch9": (1500, "")}).read()
    assert other_traffic(host.configuration, FIRST).words == words


def test_a_port_that_is_both_san_and_management_is_left_to_a_person() -> None:
    # One port for everything: sessions run from it, and the default route leaves over it.
    ports = {"vmk2": replace(SAN["vmk2"], switch="vvmk2"), "vmk3": replace(SAN["vmk3"], switch="vvmk3")}
    switches = {"vvmk2": (9000, "vmnic2"), "vvmk3": (9000, "vmnic3")}
    host = Converged(ports, switches, manager="vmk2").read()
    assert host.configuration.value(VMK2, "role") == "san_iscsi"
    words = "would interrupt the management traffic of vmk2 of port group iSCSI-1 too"
    assert words in because(plan_of(host, (PORT_FRAME, VMK2)))
    assert words in because(plan_of(host, (PAUSE, FIRST)))
    assert not plan_of(host, (PORT_FRAME, Subject("vnic", "vmk3"))).is_empty


def test_the_port_that_plumbline_reaches_the_host_by_is_left_to_a_person() -> None:
    words = "would interrupt the connection over which Plumbline reaches the host (203.0.113.21) too"
    assert words in because(plan_of(APART.read(), (PAUSE, FIRST), reached_at="203.0.113.21"))
    assert not plan_of(APART.read(), (PAUSE, FIRST), reached_at="203.0.113.22").is_empty


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        ("esxcli network ip interface list", "what vmnic2 is used for"),
        ("esxcli network ip route ipv4 list", "whether the default route leaves over vmk2"),
        ("esxcli network vswitch standard list", "which virtual switch vmnic2 belongs to"),
    ],
)
def test_what_was_not_read_is_refused_with_the_command(lost: str, words: str) -> None:
    host = replace(APART, lost=frozenset({lost})).read()
    plan = plan_of(host, (PAUSE, FIRST))
    assert plan.is_empty
    (one,) = plan.refusals
    assert (one.gate, words in one.words) == ("management_path", True), one.words
    assert lost in f"{one.words} {one.command}"


def test_a_port_group_without_its_policy_may_use_every_uplink() -> None:
    policy = 'esxcli network vswitch standard portgroup policy failover get -p "Management Network"'
    ports = {"vmk0": replace(MANAGEMENT, active="vmnic3"), **SAN}
    assert other_traffic(Converged(ports).read().configuration, FIRST).words == ""
    assert other_traffic(Converged(ports, lost=frozenset({policy})).read().configuration, FIRST).words == MANAGED


def test_no_rule_of_any_pack_plans_a_change_of_a_converged_uplink() -> None:
    """Whatever fails on the host, with every gate open: nothing is set but what belongs to the SAN alone."""
    host = Converged().read()
    rules = [rule for pack in load_builtin() for rule in pack.rules if rule.applies_to.platform in (None, "esxi")]
    failing = [(rule, one.subject) for rule in rules for one in evaluate_rule(rule, host.configuration) if one.outcome == "fail"]
    assert {(rule.id, subject.kind) for rule, subject in failing} >= {("esxi55.flow_control", "adapter"), ("esxi55.jumbo.vmkernel", "vnic")}
    plan = plan_of(host, *failing)
    set_by_it = {element.setting.partition("/")[0] for one in plan.hosts for step in one.steps for element in step.elements}
    assert not set_by_it & {"adapter", "vswitch", "vnic"}
    assert len({ref.subject_id for one in plan.checklists for ref in one.findings if ref.rule == "esxi55.flow_control"}) == 2


# --- Windows ----------------------------------------------------------------------------------------------------------------------------


NO_SWITCH = {"Get-VMSwitch": read(), "Get-VMNetworkAdapter": read()}


def on_windows(**adapters: Any) -> Assembled:
    """Two SAN adapters with a session over each to one volume, and a third with the default route."""
    keywords = {"*FlowControl": ["0"], "*ReceiveBuffers": ["256"]}
    return windows(
        system=system(),
        adapters=san_adapters(**adapters),
        properties={
            "Get-NetAdapterAdvancedProperty": read(*({"InterfaceGuid": GUID.format(n), "properties": keywords} for n in (1, 2, 3)))
        },
        iscsi=iscsi(session("10.10.5.1"), session("10.10.5.2")),
        mpio=mpio(dsm_path(), dsm_path()),
        storage={"Get-Disk": read({"Number": 1, "UniqueId": "6090A09850C4C5DB3F0A01001A0B0010", "BusType": "iSCSI", "IsBoot": False})},
        vswitch=NO_SWITCH,
    )


SAN1 = Subject("adapter", mac(1))


def test_a_san_adapter_with_the_default_route_is_left_to_a_person() -> None:
    host = on_windows(**{"Get-NetRoute": read({"InterfaceIndex": 1, "DestinationPrefix": "0.0.0.0/0", "NextHop": "10.10.5.254"})})
    assert host.configuration.value(SAN1, "role") == "san_iscsi"
    plan = plan_of(host, (PAUSE, SAN1))
    assert "changing SAN1 would interrupt the management traffic of SAN1 too" in because(plan)
    assert "Restart-NetAdapter -Name 'SAN1'" in plan.checklists[0].steps
    assert other_traffic(on_windows().configuration, SAN1).is_none


def test_an_adapter_that_is_not_of_the_san_is_left_to_a_person() -> None:
    lan = Subject("adapter", mac(3))
    assert other_traffic(on_windows().configuration, lan).words == "LAN (management)"


def test_routes_that_were_not_read_are_refused() -> None:
    host = on_windows(**{"Get-NetRoute": refused("The RPC server is unavailable")})
    (one,) = plan_of(host, (PAUSE, SAN1)).refusals
    assert (one.gate, one.about, one.command) == ("management_path", SAN1.address("management"), "Get-NetRoute")
    assert "The RPC server is unavailable" in one.words


def team(*nics: tuple[str, int, str]) -> dict[str, Any]:
    """A team of SAN1 and SAN2 with these interfaces: name, index, address."""
    virtual = {"Virtual": True, "PnPDeviceID": "COMPOSITEBUS\\MS_IMPLAT_MP\\1"}
    cards = [card(1, "SAN1"), card(2, "SAN2"), *(card(index, name, PermanentAddress="", **virtual) for name, index, _ in nics)]
    return {
        "Get-NetAdapter": read(*cards),
        "Get-NetIPAddress": read(*(ip(index, address) for _, index, address in nics if address)),
        "Get-NetRoute": read({"InterfaceIndex": 9, "DestinationPrefix": "0.0.0.0/0"}),
        "Get-NetLbfoTeam": read({"Name": "T1", "Members": ["SAN1", "SAN2"], "TeamNics": [name for name, _, _ in nics]}),
    }


@pytest.mark.parametrize(
    ("nics", "words", "unknown"),
    [
        ([("T1", 8, "10.10.5.1"), ("T1 - VLAN 20", 9, "192.168.1.1")], "T1 - VLAN 20 (management)", ""),
        ([("T1", 8, "10.10.5.1")], "", ""),
        # A team whose interface has no address of its own: a virtual switch may be on it.
        ([("T1", 8, "")], "", "what runs over team"),
    ],
)
def test_what_a_team_carries(nics: list[tuple[str, int, str]], words: str, unknown: str) -> None:
    reads = {**team(*nics), "Get-NetIPInterface": read()}
    by_person = {SAN1.address("role"): "san_iscsi"}
    host = windows(by_person, system=system(), adapters=san_adapters(**reads), iscsi=iscsi(session("10.10.5.1")), vswitch=NO_SWITCH)
    found = other_traffic(host.configuration, SAN1)
    assert found.words == words
    assert found.unknown == (f"{unknown} T1, which SAN1 is a part of" if unknown else "")


@pytest.mark.parametrize(("management", "words"), [("vEthernet (Management)", "vEthernet (Management) (management)"), ("", "")])
def test_a_switch_with_a_management_interface_on_it(management: str, words: str) -> None:
    virtual = {"Virtual": True, "PnPDeviceID": "ROOT\\VMS_MP\\0001", "PermanentAddress": ""}
    cards = [card(1, "SAN1"), card(2, "SAN2"), card(8, "vEthernet (SMB1)", **virtual)]
    names = ["SMB1"]
    if management:
        cards.append(card(9, management, **virtual))
        names.append("Management")
    adapters = san_adapters(
        **{
            "Get-NetAdapter": read(*cards),
            "Get-NetIPAddress": read(ip(8, "10.10.5.1"), ip(9, "192.168.1.1")),
            "Get-NetRoute": read({"InterfaceIndex": 9, "DestinationPrefix": "0.0.0.0/0"}),
        }
    )
    switches = {
        "Get-VMSwitch": read(
            {"Name": "SET", "EmbeddedTeamingEnabled": True, "NetAdapterInterfaceDescriptions": ["Adapter 1", "Adapter 2"]}
        ),
        "Get-VMNetworkAdapter": read(*({"Name": name, "SwitchName": "SET", "IsManagementOs": True} for name in names)),
    }
    host = windows(system=system(), adapters=adapters, iscsi=iscsi(session("10.10.5.1")), vswitch=switches)
    assert host.configuration.value(SAN1, "role") == "san_iscsi"
    found = other_traffic(host.configuration, SAN1)
    assert (found.words, found.unknown) == (words, "")
    own = Subject("vnic", GUID.format(8).strip("{}"))
    assert other_traffic(host.configuration, own).is_none
