"""A host of the fleet beside what a support bundle of it showed: recognised by name and adapters, and compared with its host of today."""

from typing import Any

import pytest

from plumbline.infra.database import session_scope
from plumbline.models.counters import CounterSeries
from tests.api.conftest import Ask
from tests.api.test_assessments import begin, finished, upload
from tests.api.test_counts import counted
from tests.api.world import SAMPLES, World, add_host
from tests.bundles import esxi_bundle
from tests.bundles.archives import tgz

FILES = esxi_bundle.files_of("6.7")
VMKNICS, NICS = "commands/esxcfg-vmknic_-l.txt", "commands/nicinfo.sh.txt"
# As the host was: the VMkernel ports of the SAN did not carry jumbo frames.
THEN = tgz(FILES | {VMKNICS: FILES[VMKNICS].replace(b" 9000 ", b" 1500 ")}, top="esx-esx-b07-2026-01-12--13.56-1")
SAMPLE = SAMPLES / "esxi" / "6.7.checkin"


def assess(ask: Ask, login: str, content: bytes = THEN, name: str = "esx-b07.tgz") -> tuple[int, int]:
    """The numbers of the assessment and of its first host."""
    number = begin(ask, login, content, name)
    upload(ask, login, number, content)
    told = finished(ask, login, number)
    assert told["state"] == "ready", told["error"]
    return number, int(told["hosts"][0]["id"])


def report(ask: Ask, login: str, number: int, assessed: int) -> dict[str, Any]:
    answer = ask(login, "GET", f"/assessments/{number}/hosts/{assessed}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def live(world: World) -> str:
    with session_scope() as session:
        return add_host(session, "esx-b07", group_id=world.groups["prod"], sample=SAMPLE)


@pytest.fixture(scope="module")
def then(ask: Ask, live: str) -> tuple[int, int]:
    return assess(ask, "viewer")


def compared(ask: Ask, host: str, assessed: int, more: str = "") -> dict[str, Any]:
    answer = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=bundle&assessed={assessed}{more}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_report_names_the_host_of_the_fleet(ask: Ask, live: str, then: tuple[int, int]) -> None:
    (found,) = report(ask, "viewer", *then)["fleet"]
    assert (found["id"], found["name"], found["likeness"]) == (live, "esx-b07", "same")
    assert found["identity"] == "same name, and 4 of 4 adapters have the same MAC address"


def test_settings_that_changed_since_the_bundle_are_listed_with_their_file(ask: Ask, live: str, then: tuple[int, int]) -> None:
    found = compared(ask, live, then[1])
    assert (found["problem"], found["right_label"], found["right_at"]) == ("", "esx-b07 in esx-b07.tgz", "2026-01-12T13:56:02Z")
    rows = {(row["subject"]["id"], row["key"]): row for row in found["items"]}
    assert set(rows) == {("vmk1", "vnic.mtu"), ("vmk2", "vnic.mtu")}
    row = rows["vmk1", "vnic.mtu"]
    assert (row["left"], row["right"], row["what"], row["member"]) == ("9000 bytes", "1500 bytes", "differs", VMKNICS)
    every = compared(ask, live, then[1], "&same=true")["items"]
    assert {row["member"].partition("/")[0] for row in every if row["what"] == "same" and row["right"] != "not offered"} <= {
        "commands",
        "bootbank",
        "",
    }
    assert sum(1 for row in every if row["member"]) > 90


def test_nothing_of_a_bundle_can_be_planned_back(ask: Ask, live: str, then: tuple[int, int]) -> None:
    rows = compared(ask, live, then[1], "&same=true")["items"]
    assert len(rows) > 100
    for row in rows:
        assert (row["restore_to"], row["why_not_restore"]) == (None, "")


def test_findings_that_changed_are_listed_under_the_rules_of_today(ask: Ask, live: str, then: tuple[int, int]) -> None:
    found = compared(ask, live, then[1])
    fixed = {(each["rule"], each["subject"]["id"]): each for each in found["findings"]}
    assert {each["what"] for each in found["findings"]} == {"fixed"}
    each = fixed["esxi55.jumbo.vmkernel", "vmk1"]
    assert (each["left"]["status"], each["right"]["status"]) == ("pass", "fail")
    assert (each["left"]["observed"], each["right"]["observed"], each["right"]["member"]) == (
        "L3 MTU 9000 bytes",
        "L3 MTU 1500 bytes",
        VMKNICS,
    )
    assert found["bundle"]["identity"] == "same name, and 4 of 4 adapters have the same MAC address"
    assert (found["bundle"]["bundle"], found["bundle"]["captured_at"]) == ("esx-b07.tgz", "2026-01-12T13:56:02Z")


def test_another_reference_has_neither_bundle_nor_findings(ask: Ask, live: str) -> None:
    found = ask("viewer", "GET", f"/hosts/{live}/comparison?reference=peers").json()
    assert (found["bundle"], found["findings"], found["findings_not_known"]) == (None, [], 0)


def test_the_download_names_the_file_of_each_value(ask: Ask, live: str, then: tuple[int, int]) -> None:
    lines = ask("viewer", "GET", f"/exports/hosts/{live}/comparison.csv?reference=bundle&assessed={then[1]}").text.strip().splitlines()
    assert '"member"' in lines[0].split(",")
    assert len(lines) == 3
    assert all(VMKNICS in line for line in lines[1:])


def test_only_its_person_compares_with_it(ask: Ask, live: str, then: tuple[int, int]) -> None:
    answer = ask("admin", "GET", f"/hosts/{live}/comparison?reference=bundle&assessed={then[1]}")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Host not found in your assessments.")
    assert ask("viewer", "GET", f"/hosts/{live}/comparison?reference=bundle").status_code == 422
    assert ask("viewer", "GET", f"/hosts/{live}/comparison?reference=bundle&assessed=999999").status_code == 404


def test_another_platform_is_not_comparable(ask: Ask, world: World, then: tuple[int, int]) -> None:
    found = compared(ask, world.hosts["sql-01"], then[1])
    assert found["problem"] == "esx-b07 in esx-b07.tgz runs another operating system, so its settings are not comparable"
    assert found["items"] == []


def test_hosts_out_of_scope_are_not_named(ask: Ask, live: str, world: World) -> None:
    with session_scope() as session:
        other = add_host(session, "esx-b07", group_id=world.groups["lab"], sample=SAMPLE)
    try:
        number, assessed = assess(ask, "prod-viewer")
        assert [each["id"] for each in report(ask, "prod-viewer", number, assessed)["fleet"]] == [live]
        number, assessed = assess(ask, "viewer")
        # Two hosts with one name and the same adapters: which of them it is is not guessed.
        found = report(ask, "viewer", number, assessed)["fleet"]
        assert {(each["id"], each["likeness"]) for each in found} == {(live, "same"), (other, "same")}
    finally:
        retire(other)


def test_a_host_of_the_same_name_with_other_adapters_is_another(ask: Ask, live: str) -> None:
    nics = FILES[NICS].replace(b"90:e2:ba:0b:07", b"90:e2:ba:99:99")
    assert nics != FILES[NICS]
    content = tgz(FILES | {NICS: nics}, top="esx-esx-b07-2026-01-12--13.56-1")
    number, assessed = assess(ask, "viewer", content)
    (found,) = report(ask, "viewer", number, assessed)["fleet"]
    assert (found["id"], found["likeness"]) == (live, "other")
    assert found["identity"] == "same name, but no adapter in the bundle has a MAC address of this host"
    assert compared(ask, live, assessed)["bundle"]["likeness"] == "other"


def test_a_renamed_host_is_found_by_its_adapters(ask: Ask, world: World) -> None:
    with session_scope() as session:
        renamed = add_host(session, "esx-new-name", group_id=world.groups["prod"], sample=SAMPLES / "esxi" / "8.0.checkin")
        session.add(CounterSeries(host_id=renamed, no=1, subject="adapter/a0369f800140", name="bytes_received", kind="total"))
    try:
        content = tgz(esxi_bundle.files_of("8.0"), top="esx-esx-d01-2026-01-12--13.56-1")
        number, assessed = assess(ask, "viewer", content, "esx-d01.tgz")
        (found,) = report(ask, "viewer", number, assessed)["fleet"]
        assert (found["id"], found["likeness"]) == (renamed, "same")
        assert found["identity"] == "another name, but 4 of 4 adapters have the same MAC address"
    finally:
        retire(renamed)


def test_a_host_that_was_assessed_before_settings_were_kept_says_so(ask: Ask, live: str) -> None:
    from plumbline.models.assessments import AssessmentHost

    number, assessed = assess(ask, "viewer")
    with session_scope() as session:
        row = session.get_one(AssessmentHost, assessed)
        row.kept = None
        session.add(row)
    found = report(ask, "viewer", number, assessed)
    assert (found["has_settings"], found["fleet"]) == (False, [])
    problem = compared(ask, live, assessed)["problem"]
    assert problem == "esx-b07.tgz was read by an earlier version, which kept no settings. Upload it again"


def test_the_number_of_queries_does_not_grow_with_the_fleet(ask: Ask, world: World, live: str, then: tuple[int, int]) -> None:
    with counted() as before:
        report(ask, "viewer", *then)
        compared(ask, live, then[1])
    with session_scope() as session:
        more = [add_host(session, f"esx-b07.site{number}.example", group_id=world.groups["prod"], sample=SAMPLE) for number in range(5)]
    try:
        with counted() as after:
            assert len(report(ask, "viewer", *then)["fleet"]) == 6
            compared(ask, live, then[1])
    finally:
        for each in more:
            retire(each)
    assert len(after) == len(before)


def retire(host_id: str) -> None:
    from plumbline.models.hosts import Host, HostState

    with session_scope() as session:
        host = session.get_one(Host, host_id)
        host.state = HostState.RETIRED
        session.add(host)


# --- Plan preview ---------------------------------------------------------------------------------------------------------------------


def test_the_plan_preview_is_text_that_nobody_can_approve(ask: Ask, world: World) -> None:
    content = tgz(esxi_bundle.files_of("6.7-german"), top="esx-esx-muc03-2026-01-12--13.56-1")
    number, assessed = assess(ask, "viewer", content, "esx-muc03.tgz")
    before = ask("viewer", "GET", "/plans").json()
    answer = ask("viewer", "GET", f"/assessments/{number}/hosts/{assessed}/plan-preview")
    assert answer.status_code == 200, answer.text
    preview = answer.json()
    assert [step["impact"] for step in preview["steps"]] == ["new_sessions", "reboot"]
    assert "preview from esx-muc03.tgz: not approved" in preview["script"]
    assert not {"id", "state", "digest"} & set(preview)
    assert ask("viewer", "GET", "/plans").json() == before
    assert ask("admin", "GET", f"/assessments/{number}/hosts/{assessed}/plan-preview").status_code == 404
    assert ask("viewer", "GET", f"/assessments/{number}/hosts/999999/plan-preview").status_code == 404


def test_a_preview_costs_a_fixed_number_of_queries(ask: Ask, then: tuple[int, int]) -> None:
    with counted() as seen:
        assert ask("viewer", "GET", f"/assessments/{then[0]}/hosts/{then[1]}/plan-preview").status_code == 200
    # Two find the person.
    assert len(seen) <= 4
