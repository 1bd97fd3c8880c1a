"""What could be bound to an iSCSI adapter is not bound: lists of candidates name every port of a host, and unused HBAs."""

import json
from collections.abc import Mapping

import pytest

from plumbline.core.facts.configuration import Configuration, Subject, Value
from plumbline.core.planning.build import build_plan
from plumbline.core.planning.inputs import Chosen, HostFacts, Limits
from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.core.rules.rule import Rule
from plumbline.packs.files import load_builtin
from tests.core.facts.esxi.reading import Host, entry, sample
from tests.core.planning.hosts import the_settings

LOGICAL = "esxcli iscsi logicalnetworkportal list"
PHYSICAL = "esxcli iscsi physicalnetworkportal list"
BINDINGS = "esxcli iscsi networkportal list"
CANDIDATES = (LOGICAL, PHYSICAL)
IQN_67, IQN_55 = "iqn.1998-01.com.vmware:esx-b07-3f00aa11", "iqn.1998-01.com.vmware:esx-a01-5c1a2b3d"


def edited(sections: Mapping[str, bytes], section: str, **reads: str | None) -> dict[str, bytes]:
    """The same sections with other reads in one: by command line, the words joined by `_`; None takes the read away."""
    document = json.loads(sections[section])
    for name, output in reads.items():
        line = name.replace("_", " ")
        document.pop(line, None)
        if output is not None:
            document[line] = entry(output)
    return {**sections, section: json.dumps(document).encode()}


def findings(configuration: Configuration) -> dict[tuple[str, Subject], str]:
    """The outcome of every rule for ESXi on each of its subjects."""
    return {(rule.address, finding.subject): finding.outcome for rule in esxi_rules() for finding in evaluate_rule(rule, configuration)}


def esxi_rules() -> list[Rule]:
    return [rule for pack in load_builtin() for rule in pack.rules if rule.applies_to.platform in (None, "esxi")]


def roles(host: Host, kind: str) -> dict[object, object]:
    return {host.read(kind, id, "name"): host.read(kind, id, "role") for id in host.ids(kind)}


def settings_of_the_plan(host: Host) -> set[tuple[str, str]]:
    """(kind, id) of everything that the fixes of all failing findings would set, with every gate that a person can open open."""
    rules = {rule.address: rule for rule in esxi_rules()}
    failing = [Chosen(rules[rule], subject) for (rule, subject), outcome in findings(host.configuration).items() if outcome == "fail"]
    if not failing:
        return set()
    host_id = "0197c1f0-0000-7000-8000-000000000001"
    facts = HostFacts(host_id, "esx", host.configuration, host.path_map, tuple(failing), "", "", load_percent=5, sessions=())
    plan = build_plan((facts,), the_settings(), Limits(frame_attested_by="ana"))
    setting = [element.setting for one in plan.hosts for step in one.steps for element in step.elements]
    return {(kind, id) for kind, id, _ in (text.split("/") for text in setting)}


@pytest.mark.parametrize(
    ("name", "san", "iqn"),
    [("6.7", ("90e2ba0b0740", "90e2ba0b0741"), IQN_67), ("5.5", ("001018aa0140", "001018aa0141"), IQN_55)],
)
def test_a_sample_whose_candidates_are_all_its_ports(name: str, san: tuple[str, str], iqn: str) -> None:
    sections = sample(name)
    listed = json.loads(sections["iscsi"])
    assert all(port in listed[LOGICAL]["output"] for port in ("vmk0", "vmk1", "vmk2"))
    assert all(port in listed[PHYSICAL]["output"] for port in ("vmnic0", "vmnic1", "vmnic4", "vmnic5"))
    host = Host(sections)
    assert roles(host, "adapter") == {"vmnic0": "management", "vmnic1": "management", "vmnic4": "san_iscsi", "vmnic5": "san_iscsi"}
    assert roles(host, "vnic") == {"vmk0": "management", "vmk1": "san_iscsi", "vmk2": "san_iscsi"}
    assert [host.read("vnic", vmk, "bound_to") for vmk in ("vmk0", "vmk1", "vmk2")] == ["", *[host.read("initiator", iqn, "name")] * 2]
    assert host.ids("initiator") == [iqn]
    reading = host.configuration.read(Subject("adapter", san[0]), "role")
    assert isinstance(reading, Value)
    assert (reading.source.command, reading.source.field) == (BINDINGS, "Vmknic")
    assert (
        host.read("adapter", san[0], "role_reason")
        == f"active uplink of vmk1, bound to iSCSI adapter {host.read('initiator', iqn, 'name')}"
    )


@pytest.mark.parametrize("name", ["6.7", "5.5", "5.5-isoe", "6.7-german", "7.0", "8.0"])
def test_verdicts_do_not_depend_on_candidates(name: str) -> None:
    sections = sample(name)
    without = edited(sections, "iscsi", **{line.replace(" ", "_"): None for line in CANDIDATES})
    assert findings(Host(sections).configuration) == findings(Host(without).configuration)


def test_the_verdicts_of_the_hosts_of_the_paper() -> None:
    # As they were before the samples listed candidates: at the paper's values all pass, at the defaults these fail.
    def failing(name: str) -> set[str]:
        return {rule for (rule, _), outcome in findings(Host(sample(name)).configuration).items() if outcome == "fail"}

    assert failing("6.7") == set()
    at_defaults = {"esxi55.delayed_ack", "esxi55.login_timeout", "esxi55.mem", "esxi55.isoe.in_use"}
    assert failing("5.5") == {f"dell-esxi55/{rule}" for rule in at_defaults}


@pytest.mark.parametrize(("name", "iqn"), [("6.7", IQN_67), ("5.5", IQN_55)])
def test_no_fix_is_offered_outside_the_san(name: str, iqn: str) -> None:
    # Small frames and defaults everywhere, so that as much fails as can; in maintenance mode one path at a time may be taken.
    sections = sample(name)
    for section, old, new in (("vmkernel", b"9000", b"1500"), ("system", b">Disabled<", b">Enabled<")):
        assert old in sections[section]
        sections[section] = sections[section].replace(old, new)
    reads = json.loads(sections["iscsi"])
    for line, read in reads.items():
        if "param get" in line:
            read["output"] = read["output"].replace("<string>60</string>", "<string>5</string>")
    host = Host({**sections, "iscsi": json.dumps(reads).encode()})
    expected = {("vnic", "vmk1"), ("vnic", "vmk2"), ("initiator", iqn)}
    assert {one for one in settings_of_the_plan(host) if one[0] != "target"} == expected
    # With small frames on the switches as well its fix is refused for the paths; what fails is still within the SAN.
    small = Host({section: body.replace(b"9000", b"1500") for section, body in sections.items()})
    failing = {subject for (_, subject), outcome in findings(small.configuration).items() if outcome == "fail"}
    san = {subject for subject in failing if subject.kind in ("adapter", "vnic")}
    assert san
    assert {small.configuration.value(subject, "role") for subject in san} == {"san_iscsi"}


# --- A host with ports for management, vMotion, iSCSI, and one that carries nothing, in text ------------------------------------------

NICS = """\
Name    PCI Device    Driver  Admin Status  Link Status  Speed  Duplex  MAC Address         MTU  Description
------  ------------  ------  ------------  -----------  -----  ------  -----------------  ----  -----------
vmnic0  0000:01:00.0  ntg3    Up            Up            1000  Full    02:00:00:00:00:10  1500  On board
vmnic1  0000:01:00.1  ntg3    Up            Up            1000  Full    02:00:00:00:00:11  1500  On board
vmnic2  0000:41:00.0  ixgben  Up            Up           10000  Full    02:00:00:00:00:12  1500  Ten gigabit
vmnic3  0000:41:00.1  ixgben  Up            Up           10000  Full    02:00:00:00:00:13  1500  Ten gigabit
vmnic4  0000:42:00.0  ixgben  Up            Up           10000  Full    02:00:00:00:00:14  1500  Ten gigabit
"""
LSPCI = "\n".join(
    f"{place} {ids} 1028:0001 255/   /     A V {driver} {name}"
    for place, ids, driver, name in (
        ("0000:01:00.0", "14e4:165f", "ntg3", "vmnic0"),
        ("0000:01:00.1", "14e4:165f", "ntg3", "vmnic1"),
        ("0000:41:00.0", "8086:10fb", "ixgben", "vmnic2"),
        ("0000:41:00.1", "8086:10fb", "ixgben", "vmnic3"),
        ("0000:42:00.0", "8086:10fb", "ixgben", "vmnic4"),
    )
)


def switch(name: str, uplinks: str, groups: str) -> str:
    return f"{name}\n   Name: {name}\n   Class: cswitch\n   MTU: 1500\n   Uplinks: {uplinks}\n   Portgroups: {groups}\n"


def port(name: str, group: str, of: str) -> str:
    return f"{name}\n   Name: {name}\n   Enabled: true\n   Portset: {of}\n   Portgroup: {group}\n   VDS Name: N/A\n   MTU: 1500\n"


PORTS = {"vmk0": ("Management", "vSwitch0", "192.0.2.10"), "vmk1": ("vMotion", "vSwitch1", "198.51.100.10")}
PORTS |= {"vmk2": ("SAN", "vSwitch2", "203.0.113.10"), "vmk3": ("Spare", "vSwitch3", "203.0.113.11")}
HBA = "Adapter  Driver     State   UID            Description\n-------  ---------  ------  -------------  -----------\n"
SOFTWARE = HBA + "vmhba64  iscsi_vmk  online  iscsi.vmhba64  iSCSI Software Adapter\n"
NO_BINDING = ""
BOUND = "vmhba64\n   Adapter: vmhba64\n   Vmknic: vmk2\n   MAC Address: 02:00:00:00:00:12\n   MTU: 1500\n   Compliant Status: compliant\n"
TARGET = "iqn.2001-05.com.equallogic:0-1cb196-test"


def session(vmhba: str = "vmhba64", local: str = "203.0.113.10") -> dict[str, str]:
    """A session and its connection, by the words of its command."""
    head = f"   Adapter: {vmhba}\n   Target: {TARGET}\n   ISID: 00023d000001\n"
    return {
        "esxcli_iscsi_session_list": f"{vmhba},{TARGET},00023d000001\n{head}",
        "esxcli_iscsi_session_connection_list": f"{vmhba},{TARGET},00023d000001,0\n{head}   LocalAddress: {local}\n   State: logged_in\n",
    }


def text_host(adapters: str = SOFTWARE, bindings: str = NO_BINDING, **reads: str | None) -> Host:
    """The host; every port is a candidate of every HBA. `reads`: reads of the section iscsi."""
    hbas = [line.split()[0] for line in adapters.split("\n")[2:] if line]
    logical = "Adapter  Vmknic  MAC Address        MAC Address Valid  Compliant\n"
    logical += "-------  ------  -----------------  -----------------  ---------\n"
    logical += "".join(f"{hba}  {vmk}    00:50:56:00:00:01  true               true\n" for hba in hbas for vmk in PORTS)
    titles = "Adapter  Vmnic   MAC Address        MAC Address Valid  Current Speed  Max Speed  Max Frame Size\n"
    physical = titles + "-------  ------  -----------------  -----------------  -------------  ---------  --------------\n"
    physical += "".join(
        f"{hba}  vmnic{n}  02:00:00:00:00:1{n}  true               10000          10000      1500\n" for hba in hbas for n in range(5)
    )
    addresses = "Name  IPv4 Address  IPv4 Netmask   Address Type\n----  ------------  -------------  ------------\n"
    addresses += "".join(f"{vmk}  {address}  255.255.255.0  STATIC\n" for vmk, (_, _, address) in PORTS.items())
    iscsi: dict[str, str | None] = {
        "esxcli_iscsi_adapter_list": adapters,
        "esxcli_iscsi_networkportal_list": bindings,
        LOGICAL.replace(" ", "_"): logical,
        PHYSICAL.replace(" ", "_"): physical,
        "esxcli_iscsi_session_list": "",
        "esxcli_iscsi_session_connection_list": "",
        **reads,
    }
    sections = {
        "nics": {"esxcli network nic list": entry(NICS), "lspci -p": entry(LSPCI)},
        "vswitch": {
            "esxcli network vswitch standard list": entry(
                "\n".join(switch(f"vSwitch{n}", uplink, group) for n, (uplink, group) in enumerate(UPLINKS))
            )
        },
        "vmkernel": {
            "esxcli network ip interface list": entry("\n".join(port(vmk, group, of) for vmk, (group, of, _) in PORTS.items())),
            "esxcli network ip interface ipv4 get": entry(addresses),
        },
        "iscsi": {
            name.replace("_", " ").replace("iscsi vmk", "iscsi_vmk"): entry(text) for name, text in iscsi.items() if text is not None
        },
    }
    return Host({name: json.dumps(reads_of).encode() for name, reads_of in sections.items()})


UPLINKS = (("vmnic0", "Management, VM Network"), ("vmnic1", "vMotion"), ("vmnic2, vmnic3", "SAN"), ("vmnic4", "Spare"))


def test_nothing_is_of_the_san_without_binding_and_session() -> None:
    host = text_host()
    assert set(roles(host, "adapter").values()) == {"management", "other"}
    assert set(roles(host, "vnic").values()) == {"management", "other"}
    assert {host.read("vnic", vmk, "bound_to") for vmk in PORTS} == {""}
    assert not any(kind in ("adapter", "vnic", "vswitch") for kind, _ in settings_of_the_plan(host))


def test_a_binding_makes_its_interface_and_the_adapter_of_its_mac() -> None:
    # vSwitch2 has two uplinks; the binding shows the address of the one that it uses.
    host = text_host(bindings=BOUND)
    assert [name for name, role in roles(host, "vnic").items() if role == "san_iscsi"] == ["vmk2"]
    assert [name for name, role in roles(host, "adapter").items() if role == "san_iscsi"] == ["vmnic2"]


def test_a_session_makes_the_interface_that_it_runs_from() -> None:
    host = text_host(**session())
    assert [name for name, role in roles(host, "vnic").items() if role == "san_iscsi"] == ["vmk2"]
    reading = host.configuration.read(Subject("vnic", "vmk2"), "role")
    assert isinstance(reading, Value)
    assert (reading.source.command, reading.source.field) == ("esxcli iscsi session connection list", "LocalAddress")
    assert host.read("adapter", "020000000014", "role") == "other"
    assert {id for kind, id in settings_of_the_plan(host) if kind in ("vnic", "vswitch")} <= {"vmk2", "vSwitch2"}


@pytest.mark.parametrize("lost", ["esxcli_iscsi_networkportal_list", "esxcli_iscsi_session_connection_list", "esxcli_iscsi_adapter_list"])
def test_what_a_port_is_for_is_unknown_where_bindings_or_sessions_were_not_read(lost: str) -> None:
    host = text_host(**{lost: None})
    words = lost.replace("_", " ")
    assert host.read("adapter", "020000000011", "role") == f"unknown: {words} was not read"
    assert host.read("vnic", "vmk1", "role") == f"unknown: {words} was not read"


def test_what_a_port_is_for_is_unknown_where_a_session_leads_to_none() -> None:
    host = text_host(**session(local="203.0.113.99"))
    why = "unknown: no VMkernel interface has the address 203.0.113.99"
    assert {host.read("adapter", id, "role") for id in host.ids("adapter")} == {why}
    # A bound port whose switch was not read: any adapter could be its uplink.
    bound = text_host(bindings=BOUND.replace("   MAC Address: 02:00:00:00:00:12\n", ""))
    bound.parts["vswitch"] = Host({"vswitch": b"{}"}).parts["vswitch"]
    host = Host.of_parts(bound.parts)
    (why,) = {str(host.read("adapter", id, "role")) for id in host.ids("adapter")}
    # Whether the uplink or the list of switches is named: none of them is called `other`.
    assert why.startswith("unknown: ")
    assert host.read("vnic", "vmk2", "role") == "san_iscsi"


def test_a_distributed_switch_tells_no_port_group_and_the_mac_finds_the_uplink() -> None:
    bound = BOUND + "   Vswitch: dvs-san\n   PortGroup: N/A\n"
    host = text_host(bindings=bound.replace("02:00:00:00:00:12", "02:00:00:00:00:13"))
    assert [name for name, role in roles(host, "adapter").items() if role == "san_iscsi"] == ["vmnic3"]


# --- HBAs that are there because a card has them ---------------------------------------------------------------------------------------

UNBOUND = "".join(f"vmhba{n}  bnx2i      unbound  iscsi.vmhba{n}  Broadcom iSCSI Adapter\n" for n in (32, 33))


def detail(vmhba: str, iqn: str, driver: str = "", serial: str = "") -> str:
    return f"{vmhba}\n   Name: {iqn}\n   Alias:\n   Vendor: VMware\n   Serial Number: {serial}\n   Driver Name: {driver}\n"


def test_an_hba_that_nobody_uses_is_no_initiator() -> None:
    host = text_host(SOFTWARE + UNBOUND, BOUND)
    assert host.ids("initiator") == ["vmhba64"]
    assert host.parts["iscsi"].observations["unused"] == ("vmhba32", "vmhba33")
    # The ports of the card are evaluated as ordinary adapters.
    assert host.read("adapter", "020000000013", "role") == "other"


@pytest.mark.parametrize("driver", ["bnx2i", "qfle3i", "qedil", "qla4xxx"])
def test_an_hba_counts_when_it_is_bound_or_in_a_session(driver: str) -> None:
    card = f"vmhba2   {driver:<9}  online  iscsi.vmhba2  QLogic iSCSI Adapter\n"
    assert text_host(SOFTWARE + card, BOUND).ids("initiator") == ["vmhba64"]
    assert text_host(HBA + card, BOUND.replace("vmhba64", "vmhba2")).ids("initiator") == ["vmhba2"]
    assert text_host(HBA + card, **session("vmhba2")).ids("initiator") == ["vmhba2"]
    # Whether it has a session is not known: it may be in use.
    assert "vmhba2" in text_host(SOFTWARE + card, BOUND, esxcli_iscsi_session_list=None).ids("initiator")


@pytest.mark.parametrize(("driver", "boots"), [("qfle3i", False), ("qla4xxx", "unknown: vmhba2 can boot the host on its own")])
def test_an_unused_hba_with_a_bios_of_its_own_may_still_boot_the_host(driver: str, boots: object) -> None:
    host = text_host(SOFTWARE + f"vmhba2   {driver:<9}  online  iscsi.vmhba2  HBA\n", BOUND)
    host.parts["system"] = Host({"system": json.dumps({"esxcli iscsi ibftboot get": entry("")}).encode()}).parts["system"]
    assert str(Host.of_parts(host.parts).read("host", "", "boot_from_san")).startswith(str(boots))


def test_an_unbound_hba_is_no_initiator_even_where_bindings_were_not_read() -> None:
    host = text_host(SOFTWARE + UNBOUND.replace("unbound", "online "), esxcli_iscsi_networkportal_list=None)
    assert host.ids("initiator") == ["vmhba32", "vmhba33", "vmhba64"]
    assert text_host(SOFTWARE + UNBOUND, esxcli_iscsi_networkportal_list=None).ids("initiator") == ["vmhba64"]


SHARED = "iqn.1998-01.com.vmware:one.lab.example:77:35"


def hardware_host(ids: str = "14e4:168e", bound: str = "vmk2", **reads: str | None) -> Host:
    """A host of two bnx2i HBAs with one IQN, the first of them bound."""
    adapters = HBA + UNBOUND.replace("unbound", "online ", 1)
    bindings = BOUND.replace("vmhba64", "vmhba32").replace("vmk2", bound)
    details = {
        "esxcli_iscsi_adapter_get_-A_vmhba32": detail("vmhba32", SHARED, "bnx2i-vmnic2", "020000000012"),
        "esxcli_iscsi_adapter_get_-A_vmhba33": detail("vmhba33", SHARED, "bnx2i-vmnic3", "020000000013"),
    }
    host = text_host(adapters, bindings, **{**details, **session("vmhba32"), **reads})
    nics = {"esxcli network nic list": entry(NICS), "lspci -p": entry(LSPCI.replace("8086:10fb", ids))}
    host.parts["nics"] = Host({"nics": json.dumps(nics).encode()}).parts["nics"]
    return Host.of_parts(host.parts)


def test_two_hbas_with_one_iqn_are_told_apart_by_their_own_names() -> None:
    host = hardware_host()
    # Only the one in use is an initiator, and its id does not change when the other is used too.
    assert host.ids("initiator") == ["vmhba32"]
    assert (host.read("initiator", "vmhba32", "mode"), host.read("initiator", "vmhba32", "adapter")) == ("isoe", "020000000012")
    assert host.ids("target") == [f"vmhba32>{TARGET}"]


def test_the_port_of_an_hba_is_told_by_its_own_words_and_they_are_cited() -> None:
    def said(**reads: str | None) -> tuple[object, str]:
        reading = hardware_host(**reads).configuration.read(Subject("initiator", "vmhba32"), "adapter")
        assert isinstance(reading, Value)
        return reading.value, f"{reading.source.command}, {reading.source.field}"

    get = "esxcli iscsi adapter get -A vmhba32"
    # The list of physical ports names every adapter here, which proves nothing.
    assert said() == ("020000000012", f"{get}, Driver Name")
    key = "esxcli_iscsi_adapter_get_-A_vmhba32"
    assert said(**{key: detail("vmhba32", SHARED, "bnx2i", "020000000012")}) == ("020000000012", f"{get}, Serial Number")
    assert said(**{key: detail("vmhba32", SHARED)}) == ("020000000012", f"{BINDINGS}, Vmknic")
    own = "Adapter  Vmnic   MAC Address        MAC Address Valid\n-------  ------  -----------------  -----------------\n"
    own += "vmhba32  vmnic2  02:00:00:00:00:12  true\nvmhba33  vmnic3  02:00:00:00:00:13  true\n"
    assert said(**{PHYSICAL.replace(" ", "_"): own}) == ("020000000012", f"{PHYSICAL}, Vmnic")


@pytest.mark.parametrize(("ids", "mode"), [("14e4:168e", "isoe"), ("14e4:1662", "hardware")])
def test_isoe_is_the_drivers_work_on_a_bcm57810_only(ids: str, mode: str) -> None:
    assert hardware_host(ids).read("initiator", "vmhba32", "mode") == mode


@pytest.mark.parametrize("driver", ["qla4xxx", "qedil", "be2iscsi", "iser"])
def test_other_hbas_are_hardware_and_not_isoe(driver: str) -> None:
    host = text_host(HBA + f"vmhba2   {driver:<9}  online  iscsi.vmhba2  iSCSI HBA\n", **session("vmhba2"))
    assert host.read("initiator", "vmhba2", "mode") == "hardware"


def test_a_port_is_not_known_where_nothing_tells_it() -> None:
    host = text_host(HBA + "vmhba2   qla4xxx    online  iscsi.vmhba2  iSCSI HBA\n", **session("vmhba2", "192.0.2.99"))
    assert host.read("initiator", "vmhba2", "adapter") == "unknown: which port vmhba2 is on was not reported"
    assert "san_iscsi" not in roles(host, "adapter").values()
