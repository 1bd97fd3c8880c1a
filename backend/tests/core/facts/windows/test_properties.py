"""Advanced properties: frame sizes and index lists (papers.yaml, T1 and T14), buffers and their maxima, combined and unknown keywords."""

from typing import Any

import pytest

from plumbline.core.facts.configuration import NotOffered, Unknown, Value
from plumbline.core.facts.windows import properties
from tests.core.facts.builders import GUID, mac, not_there, read, san_adapters, value, why, windows


def readings(held: dict[str, str], offers: dict[str, Any] | None = None) -> dict[str, Any]:
    lists = None if offers is None else {name.lower(): properties.offer_of(name, offer) for name, offer in offers.items()}
    return properties.readings(
        properties.held_by({name.lower(): (name, text) for name, text in held.items()}), lists, "the list was not sent"
    )


NUMERIC = {"DisplayParameterType": 4, "NumericParameterBaseValue": 10, "NumericParameterMinValue": 1514, "NumericParameterMaxValue": 9614}
CHOICES = {
    "DisplayParameterType": 5,
    "ValidRegistryValues": ["1514", "4088", "9014"],
    "ValidDisplayValues": ["Deaktiviert", "4088 Byte", "9014 Byte"],
}


@pytest.mark.parametrize(
    ("keyword", "text", "offer", "mtu"),
    [
        ("*JumboPacket", "1514", NUMERIC, 1500),  # untouched host
        ("*JumboPacket", "9614", NUMERIC, 9600),  # BCM57810, Table 6
        ("*JumboPacket", "9614", None, 9600),  # the same without a list
        ("*JumboPacket", "9014", CHOICES, 9000),  # X520 "Enabled", Table 9
        ("*JumboPacket", "4088", CHOICES, 4074),
        ("*jumbopacket", "9014", CHOICES, 9000),  # the keyword's case is the driver's own
        ("MaxFrameSize", "9600", None, 9600),  # QLogic 3100 series counts without the header
        ("MaxFrameSize", "1500", None, 1500),
        ("*JumboPacket", "1500", None, 1500),  # less than the standard's smallest: this driver counts without the header
        ("*JumboPacket", "9000", {"ValidRegistryValues": ["1500", "9000"]}, 9000),
        ("*JumboPacket", "9000", {"NumericParameterMinValue": 1500, "NumericParameterMaxValue": 9000}, 9000),
        ("*JumboPacket", "2", {"ValidRegistryValues": ["0", "1", "2"], "ValidDisplayValues": ["Off", "4088 Bytes", "9014 Bytes"]}, 9000),
        (
            "*JumboPacket",
            "0",
            {"ValidRegistryValues": ["0", "1"], "ValidDisplayValues": ["無効", "9014"], "DefaultRegistryValue": "0"},
            1500,
        ),
        ("*JumboPacket", "2586", {**NUMERIC, "NumericParameterBaseValue": 16}, 0x2586 - 14),  # a driver that counts in hexadecimal
    ],
)
def test_frame_size_is_one_layer_3_figure(keyword: str, text: str, offer: dict[str, Any] | None, mtu: int) -> None:
    found = readings({keyword: text}, None if offer is None else {keyword: offer})
    assert found["mtu"] == Value(mtu, found["mtu"].source)
    assert found["mtu"].source.raw == text


@pytest.mark.parametrize("text", ["", "viel", "-5", "99999999999999999999"])
def test_nonsense_for_a_frame_size_is_unknown(text: str) -> None:
    assert isinstance(readings({"*JumboPacket": text})["mtu"], Unknown)


def test_largest_frame_from_either_kind_of_list() -> None:
    assert readings({"*JumboPacket": "1514"}, {"*JumboPacket": NUMERIC})["mtu_maximum"].value == 9600
    assert readings({"*JumboPacket": "1514"}, {"*JumboPacket": CHOICES})["mtu_maximum"].value == 9000
    assert readings({"*JumboPacket": "1514"})["mtu_maximum"].reason == "the list was not sent"


def test_buffers_with_the_drivers_own_maximum_and_default() -> None:
    offer = {"NumericParameterMinValue": 0, "NumericParameterMaxValue": 3000, "DefaultRegistryValue": "0"}
    found = readings({"*ReceiveBuffers": "0"}, {"*ReceiveBuffers": offer})
    assert (found["receive_buffers"].value, found["receive_buffers_maximum"].value, found["receive_buffers_default"].value) == (0, 3000, 0)


def test_buffers_offered_as_a_list_have_its_largest_as_maximum() -> None:
    offer = {"ValidRegistryValues": ["512", "1024", "16384", "2048"], "ValidDisplayValues": ["512", "1024", "16384", "2048"]}
    found = readings({"*TransmitBuffers": "512"}, {"*TransmitBuffers": offer})
    assert (found["transmit_buffers"].value, found["transmit_buffers_maximum"].value) == (512, 16384)


QLOGIC = {
    "ValidRegistryValues": ["0", "1", "2", "3", "4", "5"],
    "ValidDisplayValues": ["1024", "2048", "4096", "8192", "16384", "32768"],
    "DefaultRegistryValue": "4",
}


def test_an_index_into_a_list_becomes_its_count() -> None:
    found = readings({"ReceiveBuffers": "4"}, {"ReceiveBuffers": QLOGIC})
    assert (found["receive_buffers"].value, found["receive_buffers_maximum"].value, found["receive_buffers_default"].value) == (
        16384,
        32768,
        16384,
    )


def test_an_index_without_its_list_is_unknown_and_never_taken_for_a_count() -> None:
    found = readings({"ReceiveBuffers": "4"})
    assert found["receive_buffers"].reason == "ReceiveBuffers is an index into the driver's list, and the list was not sent"


@pytest.mark.parametrize(("text", "pause"), [("0", "off"), ("1", "tx"), ("2", "rx"), ("3", "rx_tx"), ("4", "auto")])
def test_flow_control_by_number(text: str, pause: str) -> None:
    assert readings({"*FlowControl": text})["flow_control"].value == pause


def test_a_value_outside_the_standard_is_unknown_with_its_text() -> None:
    assert readings({"*FlowControl": "9"})["flow_control"].reason == "*FlowControl has an unrecognised value: '9'"


def test_the_combined_checksum_keyword_sets_both_protocols() -> None:
    found = readings({"*TCPUDPChecksumOffloadIPv4": "3", "*UDPChecksumOffloadIPv4": "1"})
    assert (found["checksum_tcp_ipv4"].value, found["checksum_udp_ipv4"].value) == ("rx_tx", "tx")


def test_keyword_case_of_rsc_does_not_matter() -> None:
    assert readings({"*RSCIPv4": "1"})["rsc_ipv4"].value == "enabled"
    assert readings({"*RscIPv4": "0"})["rsc_ipv4"].value == "disabled"


def test_version_two_of_lso_wins_over_version_one() -> None:
    assert readings({"*LsoV1IPv4": "1", "*LsoV2IPv4": "0"})["lso_ipv4"].value == "disabled"
    assert readings({"*LsoV1IPv4": "1"})["lso_ipv4"].value == "enabled"


def test_every_setting_names_the_keyword_it_is_missing() -> None:
    for key in properties.KEYS:
        missing = properties.not_offered(key)
        assert isinstance(missing, NotOffered)
        assert missing.source is not None
        assert missing.source.field


def rows(**held: str) -> dict[str, Any]:
    return {
        "Get-NetAdapterAdvancedProperty": read(
            {"InterfaceGuid": GUID.format(1), "properties": {name: [text] for name, text in held.items()}}
        )
    }


def test_a_keyword_that_the_driver_lacks_is_not_offered() -> None:
    host = windows(adapters=san_adapters(), properties=rows(**{"*FlowControl": "3"})).configuration
    assert not_there(host, f"adapter/{mac(1)}/receive_buffers") == "driver does not offer it"
    assert value(host, f"adapter/{mac(1)}/flow_control") == "rx_tx"


def test_an_adapter_without_a_row_is_unknown() -> None:
    host = windows(adapters=san_adapters(), properties=rows(**{"*FlowControl": "3"})).configuration
    assert why(host, f"adapter/{mac(2)}/flow_control") == "Get-NetAdapterAdvancedProperty gave nothing for this adapter"


def test_the_typed_cmdlet_wins_and_the_keyword_fills_its_gaps() -> None:
    offload = {
        "Get-NetAdapterRss": read(
            {"Name": "SAN1", "InstanceID": GUID.format(1), "Enabled": False, "NumberOfReceiveQueues": 16, "Profile": 3}
        )
    }
    held = {"*RSS": "1", "*NumRssQueues": "8", "*RSSProfile": "4", "*InterruptModeration": "1", "*LsoV2IPv4": "1"}
    host = windows(adapters=san_adapters(), properties=rows(**held), offload=offload).configuration
    assert value(host, f"adapter/{mac(1)}/rss") == "disabled"
    assert value(host, f"adapter/{mac(1)}/rss_queues") == 16
    assert value(host, f"adapter/{mac(1)}/rss_profile") == "numa_scaling"
    assert value(host, f"adapter/{mac(1)}/lso_ipv4") == "enabled"
    assert not_there(host, f"adapter/{mac(2)}/rss") == "driver does not offer it"


def test_the_drivers_list_is_found_by_component_and_version() -> None:
    offer = {"*ReceiveBuffers": {"NumericParameterMaxValue": 4096, "DefaultRegistryValue": "512"}}
    catalogue = {
        "Get-NetAdapterAdvancedProperty": read({"ComponentID": "PCI\\VEN_8086&DEV_10FB", "DriverVersion": "3.1.65.0", "keywords": offer})
    }
    host = windows(adapters=san_adapters(), properties=rows(**{"*ReceiveBuffers": "512"}), property_catalogue=catalogue).configuration
    assert value(host, f"adapter/{mac(1)}/receive_buffers_maximum") == 4096
    other = {"Get-NetAdapterAdvancedProperty": read({"ComponentID": "x", "DriverVersion": "1", "keywords": offer})}
    host = windows(adapters=san_adapters(), properties=rows(**{"*ReceiveBuffers": "512"}), property_catalogue=other).configuration
    assert why(host, f"adapter/{mac(1)}/receive_buffers_maximum") == "the driver's list of values was not sent"


def test_flow_control_is_off_under_a_kernel_debugger() -> None:
    debugger = {"registry:KernelDebugger": read({"DebuggerEnabled": {"state": "present", "kind": "DWord", "value": 1}})}
    host = windows(system=debugger, adapters=san_adapters(), properties=rows(**{"*FlowControl": "3"})).configuration
    assert value(host, "kernel_debugger") is True
    assert value(host, f"adapter/{mac(1)}/flow_control_operational") == "off"
    allowed = {"registry:KernelDebugger": read({"DebuggerEnabled": 1, "AllowFlowControlUnderDebugger": 1})}
    host = windows(system=allowed, adapters=san_adapters(), properties=rows(**{"*FlowControl": "3"})).configuration
    assert "vendor tools" in why(host, f"adapter/{mac(1)}/flow_control_operational")
