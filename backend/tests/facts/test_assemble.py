"""Assembly: failed sections, faults of our own, subjects that nobody could look at, facts parsed before."""

import pytest

from plumbline.facts import windows as windows_facts
from plumbline.facts.assemble import Unread, assemble, parse_section
from plumbline.facts.configuration import HOST, Facts, SectionReading, Subject, Unknown
from tests.facts.builders import at, iscsi, mac, ok, refused, san_adapters, session, system, value, why, windows


def test_a_failed_section_makes_its_settings_unknown_for_the_subjects_that_are_there() -> None:
    assembled = windows(adapters=san_adapters(), properties=SectionReading("failed", error="time limit of 20 s"))
    reason = "section properties failed: time limit of 20 s"
    assert why(assembled.configuration, f"adapter/{mac(1)}/flow_control") == reason
    assert why(assembled.configuration, f"adapter/{mac(1)}/receive_buffers") == reason
    assert Unread("properties", "", reason) in assembled.unread


def test_an_unavailable_section_says_so() -> None:
    assembled = windows(adapters=san_adapters(), qos=SectionReading("unavailable", error="no such feature"))
    assert why(assembled.configuration, "qos.dcbx_willing") == "section qos is not available: no such feature"


def test_subjects_known_before_stay_and_are_unknown_where_their_section_failed() -> None:
    before = [Subject("adapter", mac(1)), Subject("tcp_template", "DatacenterCustom")]
    failed = {"adapters": SectionReading("failed", error="access denied"), "tcp": ok({})}
    assembled = assemble("windows", failed, known_subjects=before)
    assert why(assembled.configuration, f"adapter/{mac(1)}/link_up") == "section adapters failed: access denied"
    # The section that tells of templates answered: there is none any more.
    assert Subject("tcp_template", "DatacenterCustom") not in assembled.configuration.all_subjects()


def test_a_failed_inventory_makes_no_adapters_of_guids() -> None:
    offload = {
        "Get-NetAdapterRss": {
            "status": "ok",
            "rows": [{"Name": "SAN1", "InstanceID": "{00000000-0000-0000-0000-000000000001}", "Enabled": True}],
        }
    }
    assembled = windows(adapters=SectionReading("failed", error="x"), offload=offload)
    assert assembled.configuration.subjects("adapter") == []


def test_a_failed_read_leaves_the_others_of_its_section() -> None:
    adapters = san_adapters(**{"Get-NetLbfoTeam": refused("RPC server unavailable")})
    assembled = windows(adapters=adapters)
    assert value(assembled.configuration, f"adapter/{mac(1)}/link_up") is True
    assert why(assembled.configuration, f"adapter/{mac(1)}/team") == "Get-NetLbfoTeam failed: RPC server unavailable"
    assert Unread("adapters", "Get-NetLbfoTeam", "Get-NetLbfoTeam failed: RPC server unavailable") in assembled.unread


def test_a_fault_of_ours_costs_one_section_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(body: object) -> Facts:
        raise ZeroDivisionError("division by zero")

    # A parser that is broken cannot be had otherwise; the guard around it is what is tested.
    monkeypatch.setitem(windows_facts._PARSERS, "iscsi", broken)
    assembled = windows(system=system(), adapters=san_adapters(), iscsi=iscsi(session("10.10.5.1")))
    assert assembled.internal_errors == ("section iscsi: ZeroDivisionError: division by zero",)
    assert value(assembled.configuration, "os_release") == "2019"
    assert "internal error while reading section iscsi" in why(assembled.configuration, f"adapter/{mac(1)}/role")
    assert why(assembled.configuration, "san_sessions_spread") == "internal error while reading section iscsi"


def test_facts_parsed_before_give_the_same() -> None:
    sections = {"system": ok(system()), "adapters": ok(san_adapters()), "iscsi": ok(iscsi(session("10.10.5.1")))}
    parsed = {name: parse_section("windows", name, reading.body) for name, reading in sections.items()}
    fresh, first, second = (assemble("windows", sections, parsed=given) for given in (None, parsed, parsed))
    assert fresh.configuration == first.configuration == second.configuration
    assert fresh.path_map == first.path_map == second.path_map


def test_the_agents_version_comes_from_the_envelope() -> None:
    assembled = assemble("windows", {"system": ok(system())}, agent_version="1.2.0")
    assert value(assembled.configuration, "agent_version") == "1.2.0"


def test_nothing_at_all_is_an_empty_configuration() -> None:
    assembled = assemble("windows", {})
    assert assembled.internal_errors == ()
    assert assembled.configuration.subjects("adapter") == []
    assert at(assembled.configuration, "tcp.rss") == Unknown("not collected")
    assert assembled.configuration.read(HOST, "mpio.policy") == Unknown("not collected")


def test_a_section_of_no_known_name_is_told() -> None:
    assembled = assemble("windows", {"nics": ok({})})
    assert assembled.problems == ("section nics is not known on Windows",)
