"""The commands that people copy, for every setting of the closed list: complete, valid on the platform, and with the undo."""

import shlex
from collections.abc import Iterator

import pytest
import tree_sitter_powershell
import yaml
from tree_sitter import Language, Node, Parser

from plumbline.core.facts.configuration import Platform, Source, Value
from plumbline.core.planning.commands import write_commands
from tests.agents.windows import powershell
from tests.core.planning.hosts import MACS, a_rule, facts, on, the_settings, windows_adapter, windows_host
from tests.core.planning.test_script import _Loader, planned, playbook

_PARSER = Parser(Language(tree_sitter_powershell.language()))
# Two texts of the host's own for settings without words.
_EXAMPLES = {
    "adapter.delayed_ack_registry": ("absent", "1"),
    "adapter.nagle_registry": ("absent", "1"),
    "transport_filter.template": ("absent", "DatacenterCustom"),
    "qos_policy.rule": ("445:5", "445:3"),
    "qos_class.share": ("ets:80:5", "strict:0:3,5"),
    "vnic.mtu": ("1500", "9000"),
    "vswitch.mtu": ("1500", "9000"),
    "volume.policy": ("VMW_PSP_MRU", "VMW_PSP_RR"),
}
_NUMBERS = {"frame": ("1514", "9014"), "plain": ("60", "120")}
# cmdlet -> the parameters that we use, by the pages of each cmdlet.
_CMDLETS = {
    "Set-NetAdapterAdvancedProperty": {"Name", "RegistryKeyword", "RegistryValue", "NoRestart"},
    "Set-NetAdapterBinding": {"Name", "ComponentID", "Enabled"},
    "Set-ItemProperty": {"LiteralPath", "Name", "Type", "Value"},
    "Remove-ItemProperty": {"LiteralPath", "Name"},
    "Invoke-CimMethod": {"InputObject", "MethodName", "Arguments"},
    "Get-CimInstance": {"Filter"},
    "Set-NetOffloadGlobalSetting": {
        "ReceiveSideScaling", "ReceiveSegmentCoalescing", "TaskOffload", "NetworkDirect", "Chimney",
    },
    "Set-NetTCPSetting": {"SettingName", "AutoTuningLevelLocal", "DelayedAckFrequency"},
    "New-NetTransportFilter": {
        "SettingName", "Protocol", "LocalPortStart", "LocalPortEnd", "RemotePortStart", "RemotePortEnd", "DestinationPrefix",
    },
    "Get-NetTransportFilter": {"Protocol"},
    "Where-Object": set(),
    "Remove-NetTransportFilter": {"Confirm"},
    "Set-NetQosDcbxSetting": {"Willing", "Confirm"},
    "New-NetQosPolicy": {"Name", "NetDirectPortMatchCondition", "PriorityValue"},
    "Remove-NetQosPolicy": {"Name", "Confirm"},
    "New-NetQosTrafficClass": {"Name", "Algorithm", "BandwidthPercentage", "Priority"},
    "Remove-NetQosTrafficClass": {"Name", "Confirm"},
    "Set-MSDSMGlobalDefaultLoadBalancePolicy": {"Policy"},
    "netsh": set(),
}  # fmt: skip
_ESXCLI = {
    "network ip interface set", "network vswitch standard set", "network nic pauseParams set", "network nic ring current set",
    "iscsi adapter param set", "iscsi adapter target portal param set", "system settings advanced set", "storage nmp device set",
    "storage nmp psp roundrobin deviceconfig set",
}  # fmt: skip


def _both_ways(platform: Platform, key: str) -> list[str]:
    setting = the_settings().get(platform, key)
    assert setting is not None
    one, other = _EXAMPLES.get(key) or _NUMBERS.get(setting.number) or list(setting.words.values())[:2]
    assert setting.allows(one)
    assert setting.allows(other)
    names = {
        "name": "SAN 1",
        "id": "TCP,0-65535,3260-3260,*" if key == "transport_filter.template" else "x",
        "guid": "{0a1b2c3d-0000-0000-0000-000000000000}",
        "portals": "10.0.0.1:3260 10.0.0.2:3260",
        "target": "iqn.2001-05.com.equallogic:vol",
    }
    component = key.partition(".binding.")[2]
    pairs = [(one, other), (other, one)] + ([(one, "inherit")] if setting.inherit else [])
    return [command.text for seen, target in pairs for command in write_commands(platform, setting, names, seen, target, component)]


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _parameters(command: Node) -> Iterator[str]:
    """The parameters of a command, without those of commands within it."""
    for child in command.children:
        if child.type == "command_parameter":
            yield (child.text or b"").decode().lstrip("-").partition(":")[0]
        elif child.type != "command":
            yield from _parameters(child)


@pytest.mark.parametrize("key", the_settings().keys("windows"))
def test_windows_commands_are_powershell_of_known_cmdlets(key: str) -> None:
    texts = _both_ways("windows", key)
    assert texts
    for line in texts:
        assert powershell.parse_faults(line.encode()) == [], line
        for node in _walk(_PARSER.parse(line.encode()).root_node):
            if node.type != "command":
                continue
            name = node.children[0].text
            assert name is not None
            assert set(_parameters(node)) <= _CMDLETS[name.decode()], line


@pytest.mark.parametrize("key", the_settings().keys("esxi"))
def test_esxi_commands_are_esxcli_of_known_namespaces(key: str) -> None:
    for line in _both_ways("esxi", key):
        words = shlex.split(line)
        named = words[1 : next(at for at, word in enumerate(words) if word.startswith("-"))]
        assert words[0] == "esxcli"
        assert " ".join(named) in _ESXCLI, line
        assert "SAN 1" in words or named[0] == "system"


def test_a_class_that_becomes_strict_is_given_no_share() -> None:
    texts = _both_ways("windows", "qos_class.share")
    assert "New-NetQosTrafficClass -Name 'SAN 1' -Algorithm Strict -Priority 3,5" in texts
    assert "New-NetQosTrafficClass -Name 'SAN 1' -Algorithm ETS -BandwidthPercentage 80 -Priority 5" in texts


def test_what_a_program_refuses_stops_the_script() -> None:
    assert all(
        text.endswith("; if ($LASTEXITCODE -ne 0) { throw 'netsh refused it' }") for text in _both_ways("windows", "host.tcp.auto_tuning")
    )


def test_the_keyword_that_is_written_is_the_one_that_the_driver_has() -> None:
    shown = Value(9000, Source("properties", "Get-NetAdapterAdvancedProperty", "MaxFrameSize", "9000"))
    held = windows_host({MACS[0]: windows_adapter("SAN1", mtu=shown), MACS[1]: windows_adapter("SAN2")})
    smaller = facts((a_rule("adapter.mtu", 1500), on(MACS[0])), held=held)
    (part,) = planned(smaller).hosts
    assert "-RegistryKeyword 'MaxFrameSize' -RegistryValue '1500'" in part.steps[0].commands[0].text


def test_every_windows_setting_is_whole_in_a_playbook() -> None:
    text = "\n".join(line for key in the_settings().keys("windows") for line in _both_ways("windows", key))
    loaded = yaml.load(yaml.dump({"script": text}), Loader=_Loader)
    assert loaded["script"] == text
    assert playbook(planned(facts((a_rule("adapter.rss", "enabled"), on(MACS[0]))))).count("hosts:") == 1
