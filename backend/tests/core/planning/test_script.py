"""Plans as scripts and playbooks: whole, in order, and safe whatever a host calls itself."""

import re
import shlex
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.facts.configuration import HOST
from plumbline.core.planning.ansible import playbook
from plumbline.core.planning.build import build_plan
from plumbline.core.planning.commands import one_line, quoted
from plumbline.core.planning.inputs import HostFacts, Limits
from plumbline.core.planning.plan import Plan
from plumbline.core.planning.script import plan_script
from tests.core.planning.hosts import MACS, a_rule, esxi_host, facts, on, raw, the_settings, windows_adapter, windows_host

PAUSE = a_rule("adapter.flow_control", "rx_tx")
# What a host might call its adapter to end a string, begin a command, or become a template.
NASTY = (
    "x'; Remove-Item C:\\ -Recurse; '",
    "x\u2019; Stop-Computer; \u2019",
    "$(reboot)",
    "`reboot`",
    "a\nRestart-Computer\n#",
    "a\r\nb",
    "a\u2028b",
    "{{ lookup('pipe', 'id') }}",
    '"; esxcli system shutdown reboot -d 10 -r x; "',
    "#>",
    "a\x00b",
)


class Unsafe(str):
    """Text in which Ansible does not search for templates."""

    __slots__ = ()


class _Loader(yaml.SafeLoader):
    """Reads `!unsafe` text as such."""


_Loader.add_constructor("!unsafe", lambda loader, node: Unsafe(loader.construct_scalar(node)))  # type: ignore[arg-type]


def planned(*hosts: HostFacts) -> Plan:
    """The plan of these hosts."""
    return build_plan(hosts, the_settings(), Limits())


def windows_plan(name: str = "SAN1", host: str = "sql-01") -> Plan:
    """Flow control on two adapters, the first with any name, and a setting of the system."""
    held = windows_host({MACS[0]: windows_adapter(name), MACS[1]: windows_adapter("SAN2")})
    return planned(facts((PAUSE, on(MACS[0])), (PAUSE, on(MACS[1])), (a_rule("host.tcp.rss", "enabled"), HOST), held=held, name=host))


def esxi_plan(name: str = "vmnic2") -> Plan:
    """Flow control on an ESXi adapter with any name."""
    pause = raw("off", "rx false, tx false, auto-negotiation false", "nics")
    held = esxi_host({f"adapter/{MACS[0]}": {"name": name, "role": "san_iscsi", "vswitch": "vSwitch1", "flow_control": pause}})
    return planned(facts((PAUSE, on(MACS[0])), held=held))


def test_a_script_says_what_is_forgotten_at_a_restart() -> None:
    lines = plan_script(esxi_plan()).splitlines()
    at = lines.index("#    Flow control: false,false,false to false,true,true")
    assert lines[at + 1].startswith("#    until the next restart of the host. To keep it,")


def code(text: str) -> list[str]:
    """The lines that are no comments."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def plays(text: str) -> list[dict[str, Any]]:
    """The plays of a playbook."""
    found = yaml.load(text, Loader=_Loader)
    assert isinstance(found, list)
    return found


def texts(value: object) -> list[str]:
    """Every text in a play."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in texts(part)]
    return [value] if isinstance(value, str) else []


def test_a_windows_script_runs_only_on_its_host_and_in_the_order_of_the_steps() -> None:
    assert code(plan_script(windows_plan())) == [
        "$ErrorActionPreference = 'Stop'",
        "if ($env:COMPUTERNAME -ne 'sql-01') { throw 'This part is for sql-01' }",
        "Set-NetOffloadGlobalSetting -ReceiveSideScaling Enabled",
        "Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*FlowControl' -RegistryValue '3' -NoRestart",
        "Restart-NetAdapter -Name 'SAN1'",
        "Set-NetAdapterAdvancedProperty -Name 'SAN2' -RegistryKeyword '*FlowControl' -RegistryValue '3' -NoRestart",
        "Restart-NetAdapter -Name 'SAN2'",
    ]


def test_an_undo_script_goes_backwards_to_the_values_that_were_seen() -> None:
    assert code(plan_script(windows_plan(), undo=True))[2:] == [
        "Set-NetAdapterAdvancedProperty -Name 'SAN2' -RegistryKeyword '*FlowControl' -RegistryValue '0' -NoRestart",
        "Restart-NetAdapter -Name 'SAN2'",
        "Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*FlowControl' -RegistryValue '0' -NoRestart",
        "Restart-NetAdapter -Name 'SAN1'",
        "Set-NetOffloadGlobalSetting -ReceiveSideScaling Disabled",
    ]


def test_comments_explain_what_each_step_needs_and_does() -> None:
    text = plan_script(windows_plan())
    assert "# 2. SAN1: flow control off → Rx & Tx" in text
    assert "#    needed: vol-a has 2 healthy paths and keeps 1" in text
    assert text.count("# Continue only when all paths are back: mpclaim -s -d") == 1


def test_what_was_left_out_is_at_the_head() -> None:
    made = planned(facts((PAUSE, on(MACS[0]))), facts((PAUSE, on(MACS[0])), host="other", name="esx-b07", stale="silent"))
    assert "# left out: esx-b07: data is too old: silent" in plan_script(made)
    assert "# left out: esx-b07" in playbook(made)


@pytest.mark.parametrize("name", NASTY)
def test_no_name_becomes_a_command_in_powershell(name: str) -> None:
    lines = code(plan_script(windows_plan(name)))
    assert len(lines) == 7
    # Outside of quotes there are only our own words: remove every quoted text, with doubled quotes in it.
    quotes = "'\u2018\u2019\u201a\u201b"
    bare = [re.sub(f"[{quotes}](?:[^{quotes}]|[{quotes}]{{2}})*[{quotes}]", "Q", line) for line in lines]
    assert bare == [re.sub("'[^']*'", "Q", line) for line in code(plan_script(windows_plan()))]


@pytest.mark.parametrize("name", NASTY)
def test_no_name_becomes_a_command_in_the_esxi_shell(name: str) -> None:
    (line,) = (line for line in code(plan_script(esxi_plan(name))) if line.startswith("esxcli"))
    words = shlex.split(line)
    assert words[:6] == ["esxcli", "network", "nic", "pauseParams", "set", "-n"]
    assert words[7:] == ["-a", "false", "-r", "true", "-t", "true"]
    assert words[6] == one_line(name)


@given(st.text())
def test_a_quoted_text_is_one_word_on_one_line(text: str) -> None:
    for platform in ("windows", "esxi"):
        assert len(quoted(platform, text).splitlines()) <= 1
    assert shlex.split(quoted("esxi", text)) == [one_line(text)]


def test_a_playbook_changes_one_host_at_a_time_and_stops_at_the_first_failure() -> None:
    (play,) = plays(playbook(windows_plan()))
    assert (play["hosts"], play["any_errors_fatal"], play["gather_facts"]) == ("sql-01", True, False)
    scripts = [task["ansible.windows.win_powershell"]["script"] for task in play["tasks"] if "ansible.windows.win_powershell" in task]
    assert scripts[1].splitlines()[1:] == [
        "Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*FlowControl' -RegistryValue '3' -NoRestart",
        "Restart-NetAdapter -Name 'SAN1'",
    ]
    assert [task for task in play["tasks"] if "ansible.builtin.pause" in task]
    (esxi,) = plays(playbook(esxi_plan()))
    assert esxi["tasks"][0]["ansible.builtin.raw"].startswith("esxcli network nic pauseParams set -n vmnic2 ")


@pytest.mark.parametrize("name", NASTY)
def test_no_name_becomes_a_template_or_yaml(name: str) -> None:
    for made in (windows_plan(name, host=name), esxi_plan(name)):
        text = playbook(made)
        (play,) = plays(text)
        assert re.fullmatch(r"[A-Za-z0-9._-]+", play["hosts"].replace("host_", ""))
        for task in play["tasks"]:
            assert set(task) <= {"name", "ansible.windows.win_powershell", "ansible.builtin.raw", "ansible.builtin.pause"}
        for shown in texts(play):
            assert isinstance(shown, Unsafe) or ("{{" not in shown and "{%" not in shown), shown


def test_the_undo_playbook_is_the_plan_backwards() -> None:
    (play,) = plays(playbook(windows_plan(), undo=True))
    assert [task["name"][:7] for task in play["tasks"] if "win_powershell" in str(list(task))] == ["Undo 3.", "Undo 2.", "Undo 1."]
