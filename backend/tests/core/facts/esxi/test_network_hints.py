"""What switches announce on the uplinks: outputs that are public, outputs of LLDP by the fields that scripts of the field read."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from plumbline.core.facts.esxi.network_hints import HINTS, LINK_DOWN, NOT_HEARD, hints_of
from plumbline.infra import resources
from tests.core.facts.esxi.reading import Host, body, entry, sample

# The form that a public test suite of a vendor quotes of ESX 4 and 5 (a 2960G), fields and values changed.
CDP = """(vim.host.PhysicalNic.NetworkHint) [
   (vim.host.PhysicalNic.NetworkHint) {
      dynamicType = <unset>,
      device = "vmnic4",
      subnet = (vim.host.PhysicalNic.NetworkHint.IpNetwork) [
         (vim.host.PhysicalNic.NetworkHint.IpNetwork) {
            dynamicType = <unset>,
            vlanId = 243,
            ipSubnet = "10.112.24.1-10.112.24.127",
         }
      ],
      network = <unset>,
      connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) {
         dynamicType = <unset>,
         cdpVersion = 2,
         timeout = 0,
         ttl = 129,
         samples = 75216,
         devId = "san-2.example.com(FOC1634X0AB)",
         address = "10.112.24.57",
         portId = "GigabitEthernet0/15",
         deviceCapability = (vim.host.PhysicalNic.CdpDeviceCapability) {
            dynamicType = <unset>,
            router = false,
            networkSwitch = true,
         },
         softwareVersion = "Cisco IOS Software, C2960 Software
Copyright (c) 1986-2010 by Cisco Systems, Inc.",
         hardwarePlatform = "cisco WS-C2960G-24TC-L",
         ipPrefix = "0.0.0.0",
         ipPrefixLen = 0,
         vlan = 243,
         fullDuplex = true,
         mtu = 0,
         systemName = "",
         systemOID = "",
         mgmtAddr = "0.0.0.0",
         location = "",
      },
      lldpInfo = <unset>,
   },
   (vim.host.PhysicalNic.NetworkHint) {
      device = "vmnic5",
      connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) null,
      lldpInfo = (vim.host.PhysicalNic.LldpInfo) {
         chassisId = "00:01:E8:8B:11:22",
         portId = "TenGigabitEthernet 0/7",
         timeToLive = 105,
         parameter = (vmodl.KeyAnyValue) [
            (vmodl.KeyAnyValue) {
               key = "Aggregation Status",
               value = (int) 1
            },
            (vmodl.KeyAnyValue) {
               key = "MTU",
               value = (int) 12000
            },
            (vmodl.KeyAnyValue) {
               key = "Samples",
               value = (int) 4711
            },
            (vmodl.KeyAnyValue) {
               key = "Management Address",
               value = (string) "10.0.250.12"
            },
            (vmodl.KeyAnyValue) {
               key = "System Name",
               value = (string) "s4810-b"
            },
            (vmodl.KeyAnyValue) {
               key = "System Description",
               value = (string) "Dell Force10 Networks Real Time Operating System Software
Dell Force10 Operating System Version: 1.0"
            },
            (vmodl.KeyAnyValue) {
               key = "Vlan ID",
               value = (int) 110
            }
         ]
      }
   }
]
"""
NICS = """\
Name    PCI Device    Driver  Link  Speed  Duplex  MAC Address         MTU  Description
------  ------------  ------  ----  -----  ------  -----------------  ----  -----------
vmnic4  0000:041:00.0  bnx2x   Up    10000  Full    00:0a:f7:00:00:04  9000  BCM57810
vmnic5  0000:041:00.1  bnx2x   Up    10000  Full    00:0a:f7:00:00:05  9000  BCM57810
vmnic6  0000:041:00.2  bnx2x   Down      0  Half    00:0a:f7:00:00:06  9000  BCM57810
"""


def read(output: str, status: str = "ok", error: str = "") -> Host:
    """A host whose uplinks heard this."""
    return Host({"nics": body(**{"esxcli network nic list": entry(NICS), HINTS: entry(output, status=status, error=error)})})


def of(host: Host, number: int, key: str) -> object:
    """What the uplink with this number has."""
    return host.read("adapter", f"000af700000{number}", key)


def test_cdp_names_switch_and_port() -> None:
    found = read(CDP)
    assert of(found, 4, "switch") == "san-2.example.com"
    assert of(found, 4, "switch_id") == "san-2.example.com(foc1634x0ab)"
    assert of(found, 4, "switch_port") == "GigabitEthernet0/15"
    assert of(found, 4, "switch_platform") == "cisco WS-C2960G-24TC-L"
    assert of(found, 4, "switch_address") == "10.112.24.57"
    assert of(found, 4, "switch_native_vlan") == 243
    assert of(found, 4, "switch_protocol") == "cdp"
    assert of(found, 4, "switch_mtu") == "unknown: the switch does not announce it over CDP"


def test_lldp_names_switch_and_port() -> None:
    found = read(CDP)
    assert of(found, 5, "switch") == "s4810-b"
    assert of(found, 5, "switch_id") == "00:01:e8:8b:11:22"
    assert of(found, 5, "switch_port") == "TenGigabitEthernet 0/7"
    assert of(found, 5, "switch_platform") == "Dell Force10 Networks Real Time Operating System Software"
    assert of(found, 5, "switch_address") == "10.0.250.12"
    assert of(found, 5, "switch_mtu") == 12000
    assert of(found, 5, "switch_native_vlan") == 110
    assert of(found, 5, "switch_protocol") == "lldp"


def test_a_port_that_only_has_a_number_is_named_by_its_description() -> None:
    output = CDP.replace('"TenGigabitEthernet 0/7"', '"517"').replace('"System Name"', '"Port Description"').replace("s4810-b", "xe-0/0/7")
    assert (of(read(output), 5, "switch_port"), of(read(output), 5, "switch")) == ("xe-0/0/7", "00:01:E8:8B:11:22")


def test_what_was_not_heard_is_unknown_with_the_way_to_turn_it_on() -> None:
    silent = 'device = "vmnic4",\nconnectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) null,\nlldpInfo = <unset>\n'
    found = read(silent + silent.replace("vmnic4", "vmnic6"))
    assert (of(found, 4, "switch"), of(found, 6, "switch")) == (f"unknown: {NOT_HEARD}", f"unknown: {LINK_DOWN}")
    assert of(found, 5, "switch_port") == f"unknown: {HINTS} does not name vmnic5"
    refused = read("", status="failed", error="timed out")
    assert of(refused, 4, "switch") == f"unknown: {HINTS}: timed out"


@pytest.mark.parametrize(
    "output", ["", "(vim.host.PhysicalNic.NetworkHint) []", 'device = "vmnic4"', 'portId = "1"', 'value = 1\nkey = "x"']
)
def test_odd_outputs_name_no_switch(output: str) -> None:
    assert str(of(read(output), 4, "switch")).startswith("unknown: ")


def test_the_agent_keeps_what_stays_the_same_and_the_reader_reads_it_alike() -> None:
    spec = importlib.util.spec_from_file_location("host_agent_hints", Path(resources.AGENTS) / "esxi" / "host_agent.py")
    assert spec is not None
    assert spec.loader is not None
    agent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agent)
    kept = agent.steady_hints(CDP)
    later = CDP.replace("ttl = 129", "ttl = 17").replace("75216", "75217").replace("4711", "4712").replace("10.112.24.1-", "10.112.24.9-")
    assert agent.steady_hints(later) == kept
    assert not {"samples", "ttl", "ipsubnet"} & set(re.findall(r"\w+", kept.lower()))
    for whole, short in zip(hints_of(CDP), hints_of(kept), strict=True):
        assert whole.device == short.device
        assert short.cdp.items() <= whole.cdp.items()
        assert short.lldp.items() <= whole.lldp.items()
    for key in ("switch", "switch_id", "switch_port", "switch_platform", "switch_address", "switch_native_vlan", "switch_protocol"):
        assert [of(read(kept), each, key) for each in (4, 5)] == [of(read(CDP), each, key) for each in (4, 5)]


# --- How many switches ----------------------------------------------------------------------------------------------------------------


def cabled(first: str, second: str) -> object:
    """How many switches the SAN adapters of the recorded 8.0 host are on, by what vmnic4 and vmnic5 hear."""
    sections = sample("8.0")
    reads = json.loads(sections["nics"])
    reads[HINTS]["output"] = "".join(f'device = "{name}"\n{heard}' for name, heard in (("vmnic4", first), ("vmnic5", second)))
    return Host({**sections, "nics": json.dumps(reads).encode()}).read("host", "", "san_switches")


def cdp(device: str) -> str:
    return f'connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) {{\ndevId = "{device}"\nportId = "Eth1/1"\nlldpInfo = <unset>\n'


def lldp(chassis: str) -> str:
    return f'connectedSwitchPort = <unset>\nlldpInfo = (vim.host.PhysicalNic.LldpInfo) {{\nchassisId = "{chassis}"\nportId = "Te 0/1"\n'


SILENT = "connectedSwitchPort = <unset>\nlldpInfo = <unset>\n"


def test_two_ids_are_two_switches_and_one_id_is_one() -> None:
    assert (cabled(cdp("a"), cdp("b")), cabled(cdp("a"), cdp("A")), cabled(lldp("1"), lldp("1"))) == (2, 1, 1)


def test_one_switch_is_not_said_before_every_adapter_heard_one() -> None:
    assert cabled(cdp("a"), SILENT) == f"unknown: vmnic5: {NOT_HEARD}"
    assert "cannot be compared" in str(cabled(cdp("a"), lldp("1")))


def test_an_agent_that_did_not_ask_says_nothing() -> None:
    sections = sample("8.0")
    reads = json.loads(sections["nics"])
    del reads[HINTS]
    host = Host({**sections, "nics": json.dumps(reads).encode()})
    assert host.read("host", "", "san_switches") == "unknown: not collected"
    assert {host.read("adapter", each, "switch") for each in host.ids("adapter")} == {"unknown: not collected"}
