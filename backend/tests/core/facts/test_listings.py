"""Which kinds were listed whole: the one table that evaluation, vanished subjects and `plumbline evaluate` use."""

from typing import Any

import pytest

from plumbline.core.facts import esxi, windows
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.catalogue import KINDS
from plumbline.core.facts.configuration import HOST, Configuration, SectionReading, Subject, Unknown
from plumbline.core.facts.document import Document, decode, encode
from plumbline.core.facts.listings import HARDWARE_INITIATORS, LISTINGS
from plumbline.core.facts.paths import PathMap
from plumbline.core.rules.compile import compile_packs
from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.core.rules.unlisted_kinds import unlisted_kinds
from plumbline.packs.files import load_builtin
from tests.core.facts.builders import body, card, iscsi, ok, read, refused, san_adapters, session
from tests.core.rules.builders import UNKNOWN, configuration, san_host

RULES = {rule.id: rule for pack in load_builtin() for rule in pack.rules}


def unlisted(**sections: Any) -> dict[str, str]:
    readings = {name: reads if isinstance(reads, SectionReading) else ok(reads) for name, reads in sections.items()}
    return dict(assemble("windows", readings).configuration.unlisted)


def on_esxi(section: str, **reads: dict[str, Any]) -> dict[str, str]:
    return dict(assemble("esxi", {section: SectionReading("ok", body({name.replace("_", " "): each for name, each in reads.items()}))})
                .configuration.unlisted)  # fmt: skip


def test_the_table_names_kinds_and_sections_that_exist() -> None:
    for platform, sections in (("windows", windows.SECTIONS), ("esxi", esxi.SECTIONS)):
        for kind, listings in LISTINGS[platform].items():  # type: ignore[index]
            assert kind in KINDS or kind == HARDWARE_INITIATORS
            assert {listing.section for listing in listings} <= set(sections)


def test_a_list_that_was_read_whole_proves_that_something_is_not_there() -> None:
    whole = san_adapters(Win32_SCSIController=read())
    assert not {"adapter", "vnic", "team", HARDWARE_INITIATORS} & unlisted(adapters=whole).keys()


@pytest.mark.parametrize("rows", [[], [card(1, "SAN1")]])
def test_a_list_that_failed_names_its_command_with_rows_or_without(rows: list[dict[str, Any]]) -> None:
    failed = {"status": "failed", "error": "RPC", "rows": rows}
    found = unlisted(adapters={**san_adapters(), "Get-NetAdapter": failed})
    assert found["adapter"] == found["vnic"] == "Get-NetAdapter failed: RPC"
    assert "team" not in found


def test_a_command_that_the_host_does_not_have_lists_nothing_only_where_a_feature_brings_it() -> None:
    adapters = {**san_adapters(), "Get-NetLbfoTeam": refused("no such command", "unavailable")}
    assert "team" not in unlisted(adapters=adapters)
    adapters = {**san_adapters(), "Get-NetAdapter": refused("no such command", "unavailable")}
    assert unlisted(adapters=adapters)["adapter"] == "Get-NetAdapter is not available here: no such command"


def test_with_the_initiators_service_stopped_there_is_nothing_to_list() -> None:
    stopped = {name: refused("the service is not running") for name in ("Get-InitiatorPort", "Get-IscsiSession", "Get-IscsiTarget")}
    running = unlisted(adapters=san_adapters(), iscsi=iscsi(**stopped))
    assert {"initiator", "target"} <= running.keys()
    service = read({"Name": "MSiSCSI", "Status": "Stopped", "StartType": "Manual"})
    assert not {"initiator", "target"} & unlisted(adapters=san_adapters(), iscsi=iscsi(**stopped, **{"Get-Service": service})).keys()


def test_nobody_asks_for_offload_engines_where_no_initiator_hints_at_one() -> None:
    assert "adapter" not in unlisted(adapters=san_adapters(), iscsi=iscsi(session("10.10.5.1")))
    engine = read({"InstanceName": "B06BDRV\\BXOIS&...", "NodeAddress": "iqn.1995-05.com.broadcom:a", "ConnectionType": "iSCSI"})
    found = unlisted(adapters=san_adapters(), iscsi=iscsi(session("10.10.5.1"), **{"Get-InitiatorPort": engine}))
    assert found["adapter"] == "Win32_SCSIController was not read"


def test_an_output_of_esxi_that_is_not_understood_is_no_list() -> None:
    volumes = "esxcli storage core path list"
    good = {"status": "ok", "format": "text", "exit": 0, "output": ""}
    assert "volume" not in on_esxi("paths", **{volumes: good})
    assert on_esxi("paths", **{volumes: {**good, "output": "garbage"}})["volume"] == f"{volumes}: no row of it could be read"
    cut = {**good, "format": "xml", "output": "<output><root><list"}
    assert on_esxi("paths", **{volumes: cut})["volume"] == f"{volumes}: no row of it could be read"
    failed = {"status": "failed", "error": "no answer within 20 s", "format": "text", "exit": None, "output": ""}
    assert on_esxi("paths", **{volumes: failed})["volume"] == f"{volumes}: no answer within 20 s"
    assert on_esxi("paths")["volume"] == f"{volumes} was not read"


def test_a_stored_configuration_keeps_what_was_not_listed_and_is_the_same_bytes_where_all_was() -> None:
    readings = {HOST: {"os_release": Unknown("x")}}
    partly = Document(Configuration("windows", readings, {"adapter": "Get-NetAdapter failed"}), PathMap())
    assert decode(encode(partly)) == partly
    assert decode(encode(partly)).configuration.unlisted == {"adapter": "Get-NetAdapter failed"}
    whole = Document(Configuration("windows", readings), PathMap())
    assert encode(whole) == encode(Document(Configuration("windows", readings, {}), PathMap())) != encode(partly)
    assert encode(whole).endswith(b",[]]")


# --- what rules make of it --------------------------------------------------------------------------------------------------------------


def outcomes(rule: str, host: Configuration) -> dict[Subject, str]:
    found = {finding.subject: finding.outcome for finding in evaluate_rule(RULES[rule], host)}
    verdicts = compile_packs(load_builtin(), host.platform).evaluate(host)
    assert found == {verdict.subject: verdict.outcome for verdict in verdicts if verdict.rule.id == rule}
    return found


A1 = Subject("adapter", "a1")
FAILED = {"adapter": "Get-NetAdapter failed: RPC"}


def test_adapters_that_all_pass_are_not_all_that_there_are() -> None:
    host = san_host(a1={})
    assert outcomes("bp1057.no_lbfo", host) == {A1: "pass"}
    assert outcomes("bp1057.no_lbfo", host.with_unlisted(FAILED)) == {A1: "pass", HOST: "unknown"}
    # One item that fails is enough.
    assert outcomes("bp1057.no_lbfo", san_host(a1={"team": "Team"}).with_unlisted(FAILED)) == {A1: "fail"}
    (reason,) = (each.reason for each in evaluate_rule(RULES["qle3142.jumbo"], host.with_unlisted(FAILED)))
    assert reason == "adapters could not be read: Get-NetAdapter failed: RPC"


def test_agreement_with_adapters_that_nobody_saw_is_not_known() -> None:
    assert outcomes("core.mtu.adapters_agree", san_host(a1={}, a2={})) == {A1: "pass", Subject("adapter", "a2"): "pass"}
    assert outcomes("core.mtu.adapters_agree", san_host(a1={}).with_unlisted(FAILED)) == {A1: "unknown"}
    assert set(outcomes("core.mtu.adapters_agree", san_host(a1={}, a2={"mtu": 1500}).with_unlisted(FAILED)).values()) == {"fail"}


def test_a_different_adapter_that_may_not_carry_the_san_is_no_failure() -> None:
    lan = {"role": UNKNOWN, "mtu": 1500}
    a2, a3 = Subject("adapter", "a2"), Subject("adapter", "a3")
    assert outcomes("core.mtu.adapters_agree", san_host(a1={}, a2=lan)) == {A1: "unknown", a2: "unknown"}
    (reason,) = (each.reason for each in evaluate_rule(RULES["core.mtu.adapters_agree"], san_host(a1={}, a2=lan)) if each.subject == A1)
    assert reason == "L3 MTU is 9000 bytes here and 1500 bytes on a2, where it is unknown whether Role is iSCSI SAN (the section failed)"
    # One that surely carries it decides, and one that is alike leaves no doubt.
    assert outcomes("core.mtu.adapters_agree", san_host(a1={}, a2=lan, a3={"mtu": 1500})) == {A1: "fail", a2: "unknown", a3: "fail"}
    assert outcomes("core.mtu.adapters_agree", san_host(a1={}, a2={"role": UNKNOWN})) == {A1: "pass", a2: "unknown"}


def test_only_an_adapter_that_may_be_an_offload_engine_waits_for_their_list() -> None:
    engines = {HARDWARE_INITIATORS: "Win32_SCSIController failed: RPC"}
    assert outcomes("bp1057.flow_control", san_host(a1={}).with_unlisted(engines)) == {A1: "pass"}
    assert outcomes("bp1057.flow_control", san_host(a1={"family": "bcm57810"}).with_unlisted(engines)) == {A1: "unknown"}


def test_a_host_that_a_rule_is_not_about_needs_no_look() -> None:
    host = configuration({"host": {"os_release": "2022", "os_build": 20348}}).with_unlisted(FAILED)
    assert outcomes("bp1057.bcm57810.ndis.toe", host) == {HOST: "not_applicable"}


def test_sections_and_commands_are_told_by_the_same_table() -> None:
    sections = {name: SectionReading("ok", b"{}") for name in windows.SECTIONS}
    assert unlisted_kinds("windows", sections) == {}
    sections["adapters"] = SectionReading("failed", error="x")
    assert unlisted_kinds("windows", sections)["initiator"] == "section adapters failed: x"
