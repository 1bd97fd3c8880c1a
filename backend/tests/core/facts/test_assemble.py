"""Assembly: failed sections, errors in Plumbline, items that could not be listed, facts parsed before."""

from plumbline.core.facts.assemble import Unread, assemble, parse_section
from plumbline.core.facts.configuration import HOST, Facts, SectionReading, Subject, Unknown
from tests.core.facts.builders import at, iscsi, mac, ok, read, refused, san_adapters, session, system, value, why, windows


def test_a_failed_section_makes_its_settings_unknown_for_the_subjects_that_are_there() -> None:
    assembled = windows(adapters=san_adapters(), properties=SectionReading("failed", error="time limit of 20 s"))
    reason = "section properties failed: time limit of 20 s"
    assert why(assembled.configuration, f"adapter/{mac(1)}/flow_control") == reason
    assert why(assembled.configuration, f"adapter/{mac(1)}/receive_buffers") == reason
    assert Unread("properties", "", reason) in assembled.unread


def test_an_unavailable_section_is_the_reason() -> None:
    assembled = windows(adapters=san_adapters(), qos=SectionReading("unavailable", error="no such feature"))
    assert why(assembled.configuration, "qos.dcbx_willing") == "section qos is not available: no such feature"


def test_subjects_known_before_stay_and_are_unknown_where_their_section_failed() -> None:
    before = [Subject("adapter", mac(1)), Subject("tcp_template", "DatacenterCustom")]
    failed = {"adapters": SectionReading("failed", error="access denied"), "tcp": ok({"Get-NetTCPSetting": read()})}
    assembled = assemble("windows", failed, known_subjects=before)
    assert why(assembled.configuration, f"adapter/{mac(1)}/link_up") == "section adapters failed: access denied"
    # The command that lists templates was read: there is none any more.
    assert Subject("tcp_template", "DatacenterCustom") not in assembled.configuration.all_subjects()
    not_asked = {**failed, "tcp": ok({})}
    assembled = assemble("windows", not_asked, known_subjects=before)
    assert why(assembled.configuration, "tcp_template/DatacenterCustom/auto_tuning") == "Get-NetTCPSetting was not read"


def test_a_subject_stays_only_where_its_kind_was_not_listed_whole() -> None:
    gone, before = Subject("adapter", "ffffffffff01"), san_adapters(Win32_SCSIController=read())
    qos_failed = {"adapters": ok(before), "qos": SectionReading("failed", error="x")}
    assembled = assemble("windows", qos_failed, known_subjects=[gone])
    assert gone not in assembled.configuration.all_subjects()
    read_failed = {"adapters": ok({**before, "Get-NetAdapter": refused("RPC")}), "qos": ok({})}
    assembled = assemble("windows", read_failed, known_subjects=[gone])
    assert why(assembled.configuration, "adapter/ffffffffff01/flow_control") == "Get-NetAdapter failed: RPC"
    half = {"status": "failed", "error": "RPC", "rows": before["Get-NetAdapter"]["rows"][:2]}
    half_read = {"adapters": ok({**before, "Get-NetAdapter": half}), "qos": ok({})}
    assembled = assemble("windows", half_read, known_subjects=[gone])
    assert why(assembled.configuration, "adapter/ffffffffff01/flow_control") == "Get-NetAdapter failed: RPC"
    assert value(assembled.configuration, f"adapter/{mac(2)}/link_up") is True
    no_command = {"adapters": ok({**before, "Get-NetLbfoTeam": refused("no such command", "unavailable")})}
    assembled = assemble("windows", no_command, known_subjects=[Subject("team", "Team")])
    assert assembled.configuration.subjects("team") == ()


def test_a_persons_role_outlives_a_failed_inventory() -> None:
    known = Subject("adapter", mac(1))
    failed = {"adapters": SectionReading("failed", error="x")}
    assembled = assemble("windows", failed, {f"adapter/{mac(1)}/role": "san_iscsi"}, known_subjects=[known])
    assert value(assembled.configuration, f"adapter/{mac(1)}/role") == "san_iscsi"
    assert why(assembled.configuration, f"adapter/{mac(1)}/mtu") == "section adapters failed: x"
    assembled = assemble("windows", failed, {f"adapter/{mac(1)}/role": "storage"}, known_subjects=[known])
    assert why(assembled.configuration, f"adapter/{mac(1)}/role") == "section adapters failed: x"


def test_a_fault_of_the_join_makes_its_settings_unknown() -> None:
    sections = {"system": ok(system()), "adapters": ok(san_adapters()), "offload": ok({})}
    # Facts that no parser makes: the join stumbles over them.
    parsed = {"offload": Facts(observations={"by_interface": 5})}
    assembled = assemble("windows", sections, parsed=parsed, agent_version="1.0")
    (error,) = assembled.internal_errors
    assert error.startswith("joining the sections: AttributeError")
    assert value(assembled.configuration, f"adapter/{mac(1)}/link_up") is True
    assert why(assembled.configuration, f"adapter/{mac(1)}/flow_control") == "internal error while combining sections"
    assert assembled.path_map.problem == "internal error while combining sections"


def test_a_failed_inventory_makes_no_adapters_of_guids() -> None:
    offload = {
        "Get-NetAdapterRss": {
            "status": "ok",
            "rows": [{"Name": "SAN1", "InstanceID": "{00000000-0000-0000-0000-000000000001}", "Enabled": True}],
        }
    }
    assembled = windows(adapters=SectionReading("failed", error="x"), offload=offload)
    assert assembled.configuration.subjects("adapter") == ()


def test_a_failed_read_leaves_the_others_of_its_section() -> None:
    adapters = san_adapters(**{"Get-NetLbfoTeam": refused("RPC server unavailable")})
    assembled = windows(adapters=adapters)
    assert value(assembled.configuration, f"adapter/{mac(1)}/link_up") is True
    assert why(assembled.configuration, f"adapter/{mac(1)}/team") == "Get-NetLbfoTeam failed: RPC server unavailable"
    assert Unread("adapters", "Get-NetLbfoTeam", "Get-NetLbfoTeam failed: RPC server unavailable") in assembled.unread


def test_a_fault_of_ours_costs_one_section_and_is_reported() -> None:
    # No body makes a parser raise (test_junk.py); what is no body at all does.
    broken = SectionReading("ok", None)  # type: ignore[arg-type]
    assembled = windows(system=system(), adapters=san_adapters(), iscsi=broken)
    (error,) = assembled.internal_errors
    assert error.startswith("section iscsi: TypeError")
    assert value(assembled.configuration, "os_release") == "2019"
    assert "internal error in section iscsi" in why(assembled.configuration, f"adapter/{mac(1)}/role")
    assert why(assembled.configuration, "san_sessions_spread") == "internal error in section iscsi"


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
    assert assembled.configuration.subjects("adapter") == ()
    assert at(assembled.configuration, "tcp.rss") == Unknown("not collected")
    assert assembled.configuration.read(HOST, "mpio.policy") == Unknown("not collected")


def test_a_section_of_no_known_name_is_reported() -> None:
    assembled = assemble("windows", {"nics": ok({})})
    assert assembled.problems == ("section nics is not known on Windows",)
