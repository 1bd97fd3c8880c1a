"""The same facts in other formats, spacings, languages and releases; what a release lacks; what failed."""

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.core.facts import esxi
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.esxi.entries import command_of, split_prompts
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.core.facts.esxi.sources import ALIASES, COMMANDS, SOURCES
from plumbline.core.facts.join import Join
from tests.core.facts.esxi.reading import SAMPLES, Host, body, entry, read_one, sample

NAMES = sorted(path.stem for path in SAMPLES.glob("*.checkin"))
NIC_TABLE = """\
Name    PCI Device    Driver  Admin Status  Link Status  Speed  Duplex  MAC Address         MTU  Description
------  ------------  ------  ------------  -----------  -----  ------  -----------------  ----  -----------
vmnic4  0000:41:00.0  ixgben  Up            Up           10000  Full    90:e2:ba:0b:07:40  9000  Intel(R) 82599 10 Gigabit Dual Port
vmnic5  0000:41:00.1  ixgben  Up            Down             0  Half    90:e2:ba:0b:07:41  9000  Intel(R) 82599 10 Gigabit Dual Port
"""

PAUSE_HEADER = """\
NIC     Pause Params Supported  Pause RX  Pause TX  Auto Negotiation
------  ----------------------  --------  --------  ----------------
"""


def collapsed(text: str) -> str:
    """What is left of a table after it went through a web page: one space between words, no indentation."""
    return "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n"))


@pytest.mark.parametrize("name", NAMES)
def test_samples_use_catalogue_keys_and_values_only(name: str) -> None:
    host = Host(sample(name))
    assert len(host.configuration) > 150
    for subject, key, _ in host.configuration:
        entry_of = BY_KEY[f"{subject.kind}.{key}"]
        value = host.configuration.value(subject, key)
        if value is None:
            continue
        types = {"bool": bool, "int": int, "text": str, "version": str, "enum": str, "list": tuple}
        assert type(value) is types[entry_of.type], (subject, key, value)
        assert not entry_of.values or value in entry_of.values, (subject, key, value)


def test_every_source_and_command_is_known() -> None:
    assert [key for key in SOURCES if key not in BY_KEY] == []
    commands = {command_of(source.command).words for sources in SOURCES.values() for source in sources}
    assert commands - set(COMMANDS) == set()
    assert {source.section for sources in SOURCES.values() for source in sources} <= set(esxi.SECTIONS)
    assert set(COMMANDS.values()) - {"counters"} <= set(esxi.SECTIONS)
    assert [alias for alias, command in ALIASES.items() if command not in COMMANDS] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_key_that_a_sample_yields_names_its_source(name: str) -> None:
    host = Host(sample(name))
    derived_only = {"adapter.receive_buffers_default", "adapter.transmit_buffers_default", "host.cluster", "host.is_clustered"}
    assert {f"{subject.kind}.{key}" for subject, key, _ in host.configuration} - set(SOURCES) == derived_only


def test_collapsed_copy_reads_as_the_table() -> None:
    straight, flat = read_one("esxcli network nic list", NIC_TABLE), read_one("esxcli network nic list", collapsed(NIC_TABLE))
    assert straight.ids("adapter") == ["90e2ba0b0740", "90e2ba0b0741"]
    for id in straight.ids("adapter"):
        assert straight.all("adapter", id) == flat.all("adapter", id)


@pytest.mark.parametrize("prompt", ["~ # ", "[root@esx:~] ", "# ", "/vmfs/volumes # ", "[root@esx:/etc] # "])
def test_prompts_in_front_are_the_command(prompt: str) -> None:
    text = f"{prompt}esxcli iscsi adapter param get -A vmhba64\nName  Current\n----  -------\nDelayedAck  false\n"
    assert split_prompts(text)[0][0] == "esxcli iscsi adapter param get -A vmhba64"
    assert read_one("esxcli iscsi adapter param get", text).read("initiator", "vmhba64", "delayed_ack") == "disabled"


def test_a_dpu_column_of_8_0_moves_nothing() -> None:
    text = NIC_TABLE.replace("Description\n", "DPU Id  Description\n").replace("-----------\n", "------  -----------\n", 1)
    text = text.replace("9000  Intel", "9000  N/A     Intel")
    assert read_one("esxcli network nic list", text).all("adapter", "90e2ba0b0740") == read_one("esxcli network nic list", NIC_TABLE).all(
        "adapter", "90e2ba0b0740"
    )


def test_a_usb_adapter_has_no_pci_device() -> None:
    text = NIC_TABLE + "vusb0   Pseudo        cdce    Up            Up            1000  Full    00:e0:4c:68:00:01  1500  USB\n"
    host = read_one("esxcli network nic list", text)
    assert host.read("adapter", "00e04c680001", "pci") == "not offered: no PCI device: Pseudo"
    assert host.read("adapter", "00e04c680001", "name") == "vusb0"


def test_trailing_space_in_an_xml_value() -> None:
    xml = (
        '<output xmlns="http://www.vmware.com/Products/ESX/5.0/esxcli"><root><structure typeName="NicInfo">'
        '<field name="LinkStatus"><string>Up </string></field><field name="Name"><string>vmnic0</string></field>'
        '<field name="DriverInfo"><structure typeName="DriverInfo"><field name="Driver"><string>bnx2x</string></field></structure></field>'
        "</structure></root></output>"
    )
    host = read_one("esxcli network nic get -n vmnic0", xml, "xml")
    assert (host.read("adapter", "vmnic0", "link_up"), host.read("adapter", "vmnic0", "driver")) == (True, "bnx2x")


def test_port_bindings_are_keyed_by_interface_not_by_heading() -> None:
    block = "vmhba36:\n   Adapter: vmhba36\n   Vmknic: {}\n   IPv4: 10.0.0.{}\n   MTU: 9000\n   Compliant Status: {}\n\n"
    text = block.format("vmk1", 1, "compliant") + block.format("vmk2", 2, "noncompliant")
    host = read_one("esxcli iscsi networkportal list", text)
    assert {id: host.read("vnic", id, "binding_compliant") for id in host.ids("vnic")} == {"vmk1": True, "vmk2": False}


def test_policy_iops_is_read_like_policy_rr() -> None:
    text = (
        "naa.1:\n   Device Display Name: X (naa.1)\n   Storage Array Type: VMW_SATP_EQL\n   Path Selection Policy: VMW_PSP_RR\n"
        "   Path Selection Policy Device Config: {policy=iops,iops=3,bytes=10485760,useANO=0;lastPathIndex=?: NumIOsPending=?}\n"
        "   Working Paths: vmhba64:C0:T0:L0\n"
    )
    host = read_one("esxcli storage nmp device list", text)
    assert host.read("volume", "naa.1", "round_robin_iops") == 3
    assert host.read("volume", "naa.1", "paths_healthy") == 1


@pytest.mark.parametrize(
    ("receive", "transmit", "auto", "expected"),
    [
        (True, True, True, "rx_tx"),
        (True, False, False, "rx"),
        (False, True, False, "tx"),
        (False, False, False, "off"),
        (False, False, True, "auto"),
    ],
)
def test_pause_flags(receive: bool, transmit: bool, auto: bool, expected: str) -> None:
    flags = [str(flag).lower() for flag in (receive, transmit, auto)]
    text = PAUSE_HEADER
    host = read_one("esxcli network nic pauseParams list", text + f"vmnic4  true  {flags[0]}  {flags[1]}  {flags[2]}\n")
    assert host.read("adapter", "vmnic4", "flow_control") == expected
    words = ["on" if flag else "off" for flag in (auto, receive, transmit)]
    old = f"Pause parameters for vmnic4:\nAutonegotiate:\t{words[0]}\nRX:\t\t{words[1]}\nTX:\t\t{words[2]}\n"
    assert read_one("ethtool -a vmnic4", old).read("adapter", "vmnic4", "flow_control") == expected


def test_a_driver_without_pause_is_not_offered() -> None:
    text = PAUSE_HEADER + "vmnic4  false  false  false  false\n"
    assert (
        read_one("esxcli network nic pauseParams list", text).read("adapter", "vmnic4", "flow_control")
        == "not offered: driver does not offer it"
    )


def test_rings_of_ethtool_and_of_ens() -> None:
    text = "Ring parameters for vmnic4:\nPre-set maximums:\nRX:\t\t4078\nTX:\t\t4070\nCurrent hardware settings:\nRX:\t\t600\nTX:\t\t500\n"
    shown = read_one("ethtool -g vmnic4", text).all("adapter", "vmnic4")
    assert (shown["receive_buffers"], shown["receive_buffers_maximum"]) == (600, 4078)
    assert (shown["transmit_buffers"], shown["transmit_buffers_maximum"]) == (500, 4070)
    ens = read_one("nsxdp-cli ens uplink ring get -n vmnic4", "Rx Ring Size: 2048\nTx Ring Size: 1024\n").all("adapter", "vmnic4")
    assert (ens["receive_buffers"], ens["transmit_buffers"]) == (2048, 1024)


def test_a_release_without_the_command_leaves_the_setting_unknown_with_its_words() -> None:
    sections = sample("6.7")
    document = json.loads(sections["nic_tuning"])
    for line in list(document):
        if "pauseParams" in line:
            document[line] = entry("", status="unavailable", error="Error: Unknown command or namespace", code=1)
        if "coalesce" in line:
            document[line] = entry("", status="failed", error="no answer within 8 s", code=None)
    host = Host({**sections, "nic_tuning": json.dumps(document).encode()})
    # `nic get` of the same section still has pause; no other output has coalescing.
    assert host.read("adapter", "90e2ba0b0740", "flow_control") == "rx_tx"
    assert host.read("adapter", "90e2ba0b0740", "coalesce_rx_us") == "unknown: esxcli network nic coalesce get: no answer within 8 s"


def test_a_failed_iscsi_section_never_makes_an_adapter_other() -> None:
    sections = sample("7.0")
    del sections["iscsi"]
    host = Host(sections, {"iscsi": "section iscsi failed: esxcli hung"})
    assert host.read("adapter", "f4e9d4700140", "role") == "unknown: section iscsi failed: esxcli hung"
    assert host.path_map.problem == "section iscsi failed: esxcli hung"
    assert host.read("volume", "naa.6090a038f0cd6e5bdaa8248e6856d4fe", "paths_healthy") == 2


def test_a_failed_list_of_adapters_makes_no_adapters_of_names() -> None:
    sections = sample("7.0")
    del sections["nics"]
    assert Host(sections, {"nics": "section nics failed"}).ids("adapter") == []


def test_the_dead_path_of_7_0() -> None:
    host = Host(sample("7.0"))
    assert host.read("volume", "naa.6090a038f0cd4e5bdaa8248e6856d4a1", "paths_healthy") == 1
    assert host.read("volume", "naa.6090a038f0cd4e5bdaa8248e6856d4a1", "paths_total") == 2
    assert host.read("volume", "naa.6090a038f0cd4e5bdaa8248e6856d4a1", "adapters") == 1
    assert host.read("host", "", "san_sessions_spread") == 1
    assert (host.read("vnic", "vmk1", "frame_probe"), host.read("vnic", "vmk2", "frame_probe")) == ("ok", "too_big")
    assert host.read("adapter", "f4e9d4700141", "frame_probe_size") == 1500
    assert host.read("adapter", "f4e9d4700140", "frame_probe_size") == 9000
    assert host.path_map.without_adapter("naa.6090a038f0cd6e5bdaa8248e6856d4fe", "f4e9d4700140") == 1
    assert host.path_map.problem == ""


def test_hardware_initiators_of_one_host_that_share_an_iqn() -> None:
    host = Host(sample("5.5-isoe"))
    assert host.ids("initiator") == ["vmhba32", "vmhba33"]
    shown = host.all("initiator", "vmhba32")
    assert (shown["mode"], shown["driver"], shown["adapter"], shown["mtu"], shown["flow_control"]) == (
        "isoe",
        "bnx2i",
        "001018aa0240",
        9000,
        "rx_tx",
    )
    assert (shown["delayed_ack"], shown["login_timeout_seconds"]) == ("disabled", 60)
    # A package's version is not that of the bundle it came in.
    assert host.read("host", "", "mem") == (
        "unknown: which version of MEM these packages belong to is not known: "
        "dell-eql-host-connection-mgr 1.2.0-364021, dell-eql-hostprofile 1.2.0-363380, dell-eql-routed-psp 1.2.0-363902"
    )
    assert host.read("adapter", "001018aa0240", "role_reason") == "active uplink of vmk1, bound to iSCSI adapter vmhba32"
    assert host.path_map.problem == ""


def test_the_paper_defaults_on_5_5() -> None:
    host = Host(sample("5.5"))
    iqn = "iqn.1998-01.com.vmware:esx-a01-5c1a2b3d"
    assert host.ids("initiator") == [iqn]
    shown = host.all("initiator", iqn)
    assert (shown["delayed_ack"], shown["login_timeout_seconds"], shown["mode"]) == ("enabled", 5, "software")
    adapter = host.all("adapter", "001018aa0140")
    assert (adapter["family"], adapter["flow_control"], adapter["mtu"]) == ("bcm57810", "rx_tx", 9000)
    # `ethtool -k` of ESXi has no line for LRO, and the driver's option is not set.
    assert adapter["lro"] == "unknown: driver option disable_tpa not set; ESXi doesn't report its default"
    assert (adapter["receive_buffers"], adapter["receive_buffers_maximum"]) == (0, 4078)
    assert (adapter["checksum_offload_rx"], adapter["tso"]) == ("enabled", "enabled")
    assert (host.read("host", "", "net.lro"), host.read("host", "", "mem"), host.read("host", "", "os_release")) == ("enabled", "", "5.5")
    assert (
        host.read("volume", "naa.6090a038f0cd6e5bdaa8248e6856d4fe", "round_robin_iops") == "not offered: VMW_PSP_FIXED is not round robin"
    )


def test_names_in_other_languages_are_taken_over_and_never_matched() -> None:
    german, japanese = Host(sample("6.7-german")), Host(sample("8.0"))
    assert german.read("vnic", "vmk1", "portgroup") == "iSCSI-Netz Süd (größer)"
    assert german.read("portgroup", "iSCSI-Netz Süd (größer)", "active_uplinks") == ("vmnic4",)
    assert german.read("adapter", "90e2ba0c0340", "role") == "san_iscsi"
    assert german.read("adapter", "90e2ba0c0340", "flow_control") == "auto"
    assert german.read("host", "", "net.lro") == "disabled"
    assert japanese.read("vnic", "vmk2", "portgroup") == "ストレージ2"
    assert japanese.read("adapter", "a0369f800141", "role") == "san_iscsi"
    # The local NVMe disk of HPP is no SAN volume.
    assert japanese.ids("volume") == ["naa.6090a038f0cd4e5bdaa8248e6856d4a1", "naa.6090a038f0cd6e5bdaa8248e6856d4fe"]


def test_targets_that_do_not_inherit_have_their_own_values() -> None:
    host = Host(sample("6.7-german"))
    assert {host.read("target", id, "delayed_ack_inherited") for id in host.ids("target")} == {False}


def test_witnesses_that_disagree_make_paths_unknown() -> None:
    sections = sample("6.7")
    document = json.loads(sections["paths"])
    read = document["esxcli storage core path list"]
    read["output"] = read["output"].replace("<string>active</string>", "<string>dead</string>", 1)
    host = Host({**sections, "paths": json.dumps(document).encode()})
    assert "down in the other" in host.path_map.problem
    disputed = [id for id in host.ids("volume") if str(host.read("volume", id, "paths_healthy")).startswith("unknown")]
    assert len(disputed) == 1
    assert {path.state for path in host.path_map.paths if path.volume == disputed[0]} == {"unknown"}


def test_several_active_uplinks_leave_the_adapter_of_a_path_unknown() -> None:
    sections = sample("6.7")
    document = json.loads(sections["vswitch"])
    for line in list(document):
        if "failover" in line:
            del document[line]
    iscsi = json.loads(sections["iscsi"])
    for line, read in iscsi.items():
        if line == "esxcli iscsi networkportal list":
            read["output"] = read["output"].replace("90:e2:ba", "00:00:5e")
    host = Host({**sections, "vswitch": json.dumps(document).encode(), "iscsi": json.dumps(iscsi).encode()})
    assert "2 active uplinks (vmnic4, vmnic5)" in host.path_map.problem
    volume = host.ids("volume")[0]
    assert host.read("volume", volume, "paths_healthy") == 2
    assert host.read("volume", volume, "adapters") == "unknown: adapter of a path unknown"
    assert host.path_map.without_adapter(volume, "90e2ba0b0740") == 0


def test_boot_from_san_by_either_witness() -> None:
    sections = sample("6.7")
    assert Host(sections).read("host", "", "boot_from_san") is False
    document = json.loads(sections["system"])
    document["esxcli iscsi ibftboot get"] = entry("iBFT: Target Name: iqn.2001-05.com.equallogic:0-8a0906-boot\n")
    assert Host({**sections, "system": json.dumps(document).encode()}).read("host", "", "boot_from_san") is True
    paths = json.loads(sections["paths"])
    read = paths["esxcli storage core device list"]
    before = '<field name="IsBootDevice">\n            <boolean>false'
    assert before in read["output"]
    read["output"] = read["output"].replace(before, before.replace("false", "true"))
    assert Host({**sections, "paths": json.dumps(paths).encode()}).read("host", "", "boot_from_san") is True


def test_csv_reads_like_the_others() -> None:
    records = rows_of("AdminStatus,Driver,MACAddress,Name,\nUp,ixgben,90:e2:ba:0b:07:40,vmnic4,\n")
    assert [(record.get("Name"), record.get("Admin Status"), record.get("MAC Address")) for record in records] == [
        ("vmnic4", "Up", "90:e2:ba:0b:07:40")
    ]


def test_a_billion_laughs_is_refused() -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><output><root><string>&b;</string></root></output>'
    assert rows_of(bomb) == []


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(section=st.sampled_from(esxi.SECTIONS), data=st.binary(max_size=200) | ANY_JSON.map(lambda value: json.dumps(value).encode()))
def test_junk_bodies_never_raise(section: str, data: bytes) -> None:
    esxi.join_sections(Join({section: esxi.parse_section(section, data)}))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(
    command=st.sampled_from(sorted(name for name, section in COMMANDS.items() if section != "counters")),
    output=st.text(max_size=300) | st.lists(st.text(alphabet="ab:- ,.=<>{}[]\n\t0129vmnichbak", max_size=30), max_size=12).map("\n".join),
    options=st.sampled_from(
        ["", " -n vmnic4", " -A vmhba64 -a 10.0.0.1:3260 -n iqn.2001-05.x:y", " -p x", " -m ixgben", " -d naa.1", " vmnic4"]
    ),
)
def test_junk_outputs_never_raise(command: str, output: str, options: str) -> None:
    section = COMMANDS[command]
    host = Host({section: body(**{command + options: entry(output)})})
    assert all(f"{subject.kind}.{key}" in BY_KEY for subject, key, _ in host.configuration)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(data=st.data())
def test_samples_with_torn_outputs_never_raise(data: st.DataObject) -> None:
    sections = sample(data.draw(st.sampled_from(NAMES)))
    name = data.draw(st.sampled_from(sorted(sections)))
    document = json.loads(sections[name])
    line = data.draw(st.sampled_from(sorted(document)))
    output = document[line]["output"]
    start = data.draw(st.integers(0, len(output)))
    stop = data.draw(st.integers(start, len(output)))
    document[line]["output"] = output[:start] + data.draw(st.text(max_size=5)) + output[stop:]
    host = Host({**sections, name: json.dumps(document).encode()})
    assert all(isinstance(subject, Subject) for subject, _, _ in host.configuration)
