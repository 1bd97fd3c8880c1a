"""The differences of the two editions of BP1057 as text, as `plumbline ruleset diff` prints them."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from plumbline.cli import app
from plumbline.core.rules.rule import Check
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.coverage import read_papers
from plumbline.packs.files.editions import difference, pairs_of
from plumbline.packs.files.load import load_builtin

PACKS = {pack.id: pack for pack in load_builtin()}
FIRST, SECOND = PACKS["dell-bp1057-2012"], PACKS["dell-bp1057-2012r2"]
LINES = difference(FIRST, SECOND, read_papers(RULESETS))


def section(head: str) -> list[str]:
    """The lines below a head, up to the next empty one."""
    start = next(number for number, line in enumerate(LINES) if line.startswith(head))
    end = next((number for number, line in enumerate(LINES) if number > start and not line), len(LINES))
    return LINES[start + 1 : end]


def test_both_papers_and_beds_are_named_first() -> None:
    assert LINES[0] == f"dell-bp1057-2012 {FIRST.version} against dell-bp1057-2012r2 {SECOND.version}"
    assert "September 2013" in LINES[1]
    assert "prints no driver versions" in LINES[4]


def test_rules_that_only_the_later_edition_has() -> None:
    assert section("Asked by dell-bp1057-2012r2 alone:") == [
        "  Delayed ACK registry value (2012 R2 and later) (bp1057r2.advice.registry_alone, advisory)",
        "    requires: Delayed ACK for iSCSI disabled",
        "    A.8, Appendix B: 2012 R2 has a procedure of its own",
        "  TCP template of iSCSI sessions (bp1057r2.info.template_in_use, informational)",
        "    requires: TCP template of SAN sessions DatacenterCustom or InternetCustom (tested: DatacenterCustom)",
        "    B.1, B.2: the template DatacenterCustom is tied to iSCSI by transport filters",
        "  Switch port flow control (bp1057r2.switch.flow_control, attestation)",
        "    requires: flow control on the SAN's switch ports is receive on, transmit off",
        "    3.4: S4810 switches: flow control receive on, transmit off",
        "  Switch port MTU (bp1057r2.switch.jumbo, attestation)",
        "    requires: the SAN's switch ports allow 12K frames",
        "    3.4: S4810 switches: jumbo 12K on all ports",
        "  Unrestricted TCP transport filter (bp1057r2.unrestricted_filter, recommended)",
        "    requires: Unrestricted custom filter: no",
        "    B.2: filters are shown for port 3260, for a destination prefix, and one without restriction",
    ]
    assert "Nothing is asked by dell-bp1057-2012 alone." in LINES


def test_the_procedure_for_delayed_ack_differs_by_edition() -> None:
    shown = section("Required by both, differently:")
    start = shown.index("  Delayed ACK for iSCSI")
    steps = [line for line in shown[start:] if "step in" in line]
    assert steps == [
        "    step in dell-bp1057-2012r2: 2012 R2 and later: Set-NetTCPSetting -SettingName DatacenterCustom -DelayedAckFrequency 1",
        "    step in dell-bp1057-2012r2: Then New-NetTransportFilter -SettingName DatacenterCustom -LocalPortStart 0 -LocalPortEnd 65535"
        " -RemotePortStart 3260 -RemotePortEnd 3260",
        "    step in dell-bp1057-2012r2: Never create an unrestricted filter. Log the sessions out and in again, one at a time.",
    ]


def test_the_same_advice_at_other_places() -> None:
    moved = section("Asked by both, at other places of the papers:")
    assert "  Receive buffers on X520: Table 9; 4.1.3; 6 | 5.3, adapter table; 4.1.3; 6" in moved
    assert any(line.startswith("Alike in both: ") and line.endswith(f" of {len(FIRST.rules)} rules that both have.") for line in LINES)


def test_what_is_in_only_one_paper() -> None:
    later = section("In the paper of dell-bp1057-2012r2 and not by the other:")
    assert "  W-D10 (3.4): S4810 switches: jumbo frames of 12K on all ports." in later
    assert "  W-D11 (3.4): S4810 switches: flow control receive on, transmit off." in later
    assert any(line.startswith("  W-B2 (B.2): 2012 R2: transport filters for port 3260") for line in later)
    earlier = section("In the paper of dell-bp1057-2012 and not by the other:")
    assert earlier == ["  W-S7 (Appendix A): Versions of servers, adapters, drivers, toolkit, switches and arrays of the run."]


def test_another_expectation_has_a_text() -> None:
    (jumbo,) = [rule for rule in SECOND.rules if rule.id == "bp1057r2.x520.jumbo"]
    stricter = replace(jumbo, expect=Check("at_least", "adapter.mtu", (9600,)))
    pack = replace(SECOND, rules=tuple(stricter if rule is jumbo else rule for rule in SECOND.rules))
    (pair,) = [pair for pair in pairs_of(FIRST, pack) if pair.second is stricter]
    assert next(pair.differences) == (
        "asks",
        "L3 MTU at least 9000 bytes (tested: Enabled, that is 9014 in the driver, MTU 9000); L3 MTU same as this host's other adapters",
        "L3 MTU at least 9600 bytes",
    )


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["dell-bp1057-2012", "dell-bp1057-2012r2"], 0, "Switch port MTU"),
        (["dell-esxi55", str(RULESETS / "dell-esxi55")], 0, "dell-esxi55: no rule differs"),
        (["dell-esxi55", "nonsense"], 1, "there is no pack 'nonsense'"),
    ],
)
def test_the_command(arguments: list[str], status: int, said: str) -> None:
    done = CliRunner().invoke(app, ["ruleset", "diff", *arguments])
    assert (done.exit_code, said in done.output) == (status, True), done.output
