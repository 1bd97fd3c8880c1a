"""The plan preview of a bundle's host: the planner's own steps, with what each interrupts; what cannot be known is said."""

from dataclasses import replace

import msgspec
import pytest

from plumbline.bundles.assess import assess_and_keep, found_on
from plumbline.bundles.plan_preview import LIMITS, NO_JOB, preview_plan
from plumbline.bundles.schemas import PlanPreview
from plumbline.core.facts.bundles.kept import KeptHost
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.core.planning.build import build_plan
from plumbline.core.planning.inputs import Chosen, HostFacts
from plumbline.core.planning.open_steps import open_steps
from plumbline.core.planning.plan import GateName, Refusal
from plumbline.packs.runner_settings import runner_settings
from tests.bundles import esxi_bundle
from tests.bundles import windows_bundle as windows
from tests.bundles.archives import zipped
from tests.bundles.test_windows_bundles import hosts_of


def of_vm_support(host: str) -> KeptHost:
    files = {f"esx-{host}/{path}": content for path, content in esxi_bundle.files_of(host).items()}
    (found,) = recognise(files, "bundle.tgz").hosts
    return assess_and_keep(found, "bundle.tgz")[1]


def of_net_view(name: str) -> KeptHost:
    (host,) = hosts_of(zipped(windows.net_view(windows.Host(name))))
    return assess_and_keep(host, "bundle.zip")[1]


def previewed(kept: KeptHost) -> PlanPreview:
    return preview_plan(kept, name="esx-muc03", captured_at="2026-01-12T13:56:02Z", bundle="site.zip")


def facts_of(kept: KeptHost) -> HostFacts:
    configuration = kept.document.configuration
    found, _ = found_on(configuration, kept.unread)
    chosen = tuple(Chosen(rule, finding.subject) for rule, finding in found if finding.outcome == "fail")
    return HostFacts("x", "x", configuration, kept.document.path_map, chosen, "", "", sessions=kept.routes, without_job=NO_JOB)


def test_steps_are_those_of_the_planner_with_their_commands_and_impact() -> None:
    preview = previewed(of_vm_support("6.7-german"))
    assert [(step.number, step.impact) for step in preview.steps] == [(1, "new_sessions"), (2, "reboot")]
    first, second = preview.steps
    assert "esxcli iscsi adapter param set -A vmhba64 -k LoginTimeout -v 60" in first.commands
    assert "esxcli iscsi adapter param set -A vmhba64 -k LoginTimeout -v 5" in first.undo
    assert first.words == "no interruption; applies to new sessions"
    assert second.commands == ["esxcli system settings advanced set -o /Net/TcpipDefLROEnabled -i 1"]
    assert second.words == "no interruption now; applies after the next host restart (manual)"
    assert {finding.title for finding in second.findings} != set()
    assert [each.because for each in preview.manual] == ["vendor software; needs maintenance mode"]


def test_the_script_says_that_it_is_a_preview_and_runs_on_its_host_alone() -> None:
    lines = previewed(of_vm_support("6.7-german")).script.splitlines()
    assert lines[0] == "# ==== esx-muc03 (preview from site.zip: not approved, check each value on the host first) ===="
    assert lines[1].startswith("# facts of 2026-01-12T13:56:02Z")
    assert lines[3].startswith('[ "$(hostname -s)" = esx-muc03 ] ||')
    assert "esxcli iscsi adapter param set -A vmhba64 -k LoginTimeout -v 60" in lines


def test_a_name_from_a_bundle_cannot_become_a_command() -> None:
    hostile = preview_plan(of_vm_support("6.7-german"), name="a'; reboot\n#", captured_at="2026", bundle="b\nreboot")
    for line in hostile.script.splitlines():
        assert not line.strip().startswith("reboot")


def test_what_the_bundle_cannot_answer_is_asked_and_its_commands_are_shown_with_the_restart() -> None:
    preview = previewed(of_net_view("x520-2019-german"))
    assert (preview.steps, preview.script) == ([], "")
    (asked,) = preview.left_out
    assert asked.words.startswith("can't tell if the host boots from SAN: ")
    assert asked.command == "Get-Disk | Where-Object IsBoot"
    restarts = [step for step in asked.steps if step.impact == "adapter_restart"]
    assert [step.title for step in restarts] == [f"Ethernet SAN {number}: 3 settings, one restart" for number in (1, 2)]
    first = restarts[0]
    assert first.commands[-1] == "Restart-NetAdapter -Name 'Ethernet SAN 1'"
    assert first.words == "one restart of Ethernet SAN 1; the paths that it takes are not known"
    assert first.needed == ["every volume keeps a healthy path over another adapter without Ethernet SAN 1"]


def test_a_step_that_several_questions_hold_back_is_shown_once() -> None:
    (host,) = hosts_of(zipped(windows.sddc(windows.Host("bcm57810-2012-default"))))
    preview = previewed(assess_and_keep(host, "bundle.zip")[1])
    commands = [tuple(step.commands) for one in preview.left_out for step in one.steps]
    assert len(preview.left_out) == 2
    assert len(commands) == len(set(commands)) == 3


def test_no_commands_are_shown_where_something_known_stands_against_a_step() -> None:
    facts = facts_of(of_net_view("x520-2019-german"))
    refusal = next(one for one in build_plan([facts], runner_settings(), LIMITS).refusals if one.gate == "boot_from_san")
    assert open_steps(facts, refusal, runner_settings(), LIMITS)
    gates: tuple[GateName, ...] = ("path_floor", "path_dead", "heavy_load", "driver_limit", "group_policy", "failure_domain", "frame_size")
    for gate in gates:
        known = Refusal(refusal.host, refusal.host_name, gate, "", "", "", refusal.findings)
        assert open_steps(facts, known, runner_settings(), LIMITS) == ()


def test_the_last_path_is_never_offered() -> None:
    """Every path over one adapter, which a restart would take: no question is left whose answer could allow it."""
    facts = facts_of(of_net_view("x520-2019-german"))
    held = facts.configuration
    san = next(each.id for each in held.subjects("adapter") if held.value(each, "name") == "Ethernet SAN 1")
    known = of_vm_support("6.7").document.path_map
    over_one = msgspec.structs.replace(known, paths=tuple(msgspec.structs.replace(path, adapter=san) for path in known.paths))
    assert len(over_one.paths) >= 2

    def offered(host: HostFacts) -> set[str]:
        refusals = build_plan([host], runner_settings(), LIMITS).refusals
        steps = [step for refusal in refusals for step in open_steps(host, refusal, runner_settings(), LIMITS)]
        return {step.title.partition(":")[0] for step in steps}

    assert offered(facts) == {"Ethernet SAN 1", "Ethernet SAN 2"}
    assert offered(replace(facts, path_map=over_one)) == {"Ethernet SAN 2"}


@pytest.mark.parametrize("host", ["6.7", "5.5-isoe"])
def test_where_nothing_fails_the_preview_is_empty(host: str) -> None:
    preview = previewed(of_vm_support(host))
    assert (preview.steps, preview.left_out, preview.manual, preview.script) == ([], [], [], "")


@pytest.mark.parametrize("host", esxi_bundle.HOSTS)
def test_every_failing_finding_is_in_a_step_or_said_to_be_left_out(host: str) -> None:
    kept = of_vm_support(host)
    preview = previewed(kept)
    parts = [part.findings for part in preview.steps] + [part.findings for part in preview.left_out]
    parts += [part.findings for part in preview.manual]
    told = {(each.pack, each.rule) for findings in parts for each in findings}
    (found,) = recognise({f"esx/{path}": content for path, content in esxi_bundle.files_of(host).items()}, "b").hosts
    failing = {(line["pack"], line["rule"]) for line in assess_and_keep(found, "b")[0]["failing"] if line["status"] == "fail"}
    assert failing <= told


def test_paths_that_cannot_be_placed_are_left_to_the_person() -> None:
    """Of these paths the adapters are not known: the fix of an adapter is shown with the question, and without a forecast of paths."""
    (asked,) = previewed(of_vm_support("6.7-german")).left_out
    assert asked.words == "path state unknown: session 00023d000003 of vmhba64 has no listed connection"
    assert [(step.title, step.words) for step in asked.steps] == [
        (f"vmnic{number}: flow control auto → Rx & Tx", f"one interruption of vmnic{number}; the paths that it takes are not known")
        for number in (4, 5)
    ]
    assert asked.steps[0].commands == ["esxcli network nic pauseParams set -n vmnic4 -a false -r true -t true"]
