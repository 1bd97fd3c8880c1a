"""Hosts of an assessment that somebody adds to the fleet: evaluated as any other, known from their bundle, and never called silent."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlmodel import Session, col, select, text

from plumbline.checkin.reread import reread_hosts
from plumbline.hosts.enrol import enrol
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from plumbline.models.plans import Plan
from plumbline.ops import doctor
from plumbline.remediation.plans.build import build
from tests.api.conftest import Ask
from tests.api.test_bundle_comparison import FILES, SAMPLE, VMKNICS, assess
from tests.api.world import World, add_host
from tests.bundles import esxi_bundle
from tests.bundles import windows_bundle as windows
from tests.bundles.archives import tgz, zipped
from tests.bundles.test_rvtools import csv_files

THEN = tgz(FILES | {VMKNICS: FILES[VMKNICS].replace(b" 9000 ", b" 1500 ")}, top="esx-esx-b07-2026-01-12--13.56-1")
LATER = tgz(FILES | {"README": FILES["README"].replace(b"2026-01-12 13:56", b"2026-02-20 09:00")}, top="esx-esx-b07-2026-02-20--09.00-1")

# What the first check-in of its agent leaves behind for a view of the past.
_CHECKED_IN = text("""
INSERT INTO host_configuration (host_id, epoch, seq, received_at, document, dictionary_id, sections)
SELECT host_id, epoch, seq + 1, clock_timestamp(), document, dictionary_id, sections
FROM host_configuration WHERE host_id = :id ORDER BY id DESC LIMIT 1
""")


def join(ask: Ask, login: str, number: int, assessed: int, group: int, **more: Any) -> dict[str, Any]:
    answer = ask(login, "POST", f"/assessments/{number}/join", json={"group_id": group, "assessed_ids": [assessed], **more})
    assert answer.status_code == 200, answer.text
    (told,) = answer.json()
    found: dict[str, Any] = told
    return found


def named(session: Session, name: str) -> Host:
    return session.exec(select(Host).where(col(Host.name) == name)).one()


@pytest.fixture(scope="module")
def joined(ask: Ask, world: World) -> dict[str, Any]:
    """The bundle of January, added to the fleet by an admin."""
    number, assessed = assess(ask, "admin", THEN)
    told = join(ask, "admin", number, assessed, world.groups["lab"])
    assert (told["outcome"], told["words"]) == ("added", "")
    return {**told, "number": number}


def get(ask: Ask, path: str, login: str = "viewer") -> Any:
    answer = ask(login, "GET", path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_it_is_a_host_of_its_group_as_of_the_day_of_its_bundle(ask: Ask, world: World, joined: dict[str, Any]) -> None:
    page = get(ask, f"/hosts/{joined['host_id']}")
    assert (page["name"], page["group_id"], page["state"], page["source"]) == ("esx-b07", world.groups["lab"], "active", "bundle")
    assert (page["freshness"], page["last_seen_at"]) == ("bundle", "2026-01-12T13:56:02Z")
    known = page["from_bundle"]
    assert (known["bundle"], known["as_of"], known["tells_time"]) == ("esx-b07.tgz", "2026-01-12T13:56:02Z", True)
    assert known["kind_label"] == "vm-support bundle of ESXi"
    row = next(each for each in get(ask, "/hosts?freshness=bundle")["items"] if each["id"] == joined["host_id"])
    assert row["score"] == page["score"] is not None


def test_its_findings_are_those_of_the_assessment(ask: Ask, joined: dict[str, Any]) -> None:
    told = ask("admin", "GET", f"/assessments/{joined['number']}/hosts/{joined['assessed_id']}").json()
    found = get(ask, f"/hosts/{joined['host_id']}/findings")["items"]
    by_rule: dict[tuple[str, str], set[str]] = {}
    for each in found:
        by_rule.setdefault((each["pack"], each["rule"]), set()).add(each["standing"])
    failing = {(each["pack"], each["rule"]) for each in told["fails"]}
    assert failing == {("dell-esxi55", "esxi55.jumbo.vmkernel")}
    assert {rule for rule, statuses in by_rule.items() if "fail" in statuses} == failing
    for part, status in (("passes", "pass"), ("unknowns", "unknown")):
        assessed = {(each["pack"], each["rule"]) for each in told[part]}
        shown = {rule for rule, statuses in by_rule.items() if status in statuses}
        assert len(shown) > 5
        assert shown <= assessed, status


def test_each_value_names_the_file_of_the_bundle_and_its_day(ask: Ask, joined: dict[str, Any]) -> None:
    settings = get(ask, f"/hosts/{joined['host_id']}/settings")
    assert settings["as_of"] == "2026-01-12T13:56:02Z"
    (mtu,) = [each for each in settings["items"] if (each["subject"]["id"], each["key"]) == ("vmk1", "vnic.mtu")]
    assert (mtu["value"], mtu["source"]["member"], mtu["source"]["read_at"]) == (1500, VMKNICS, "2026-01-12T13:56:02Z")
    finding = next(each for each in get(ask, f"/hosts/{joined['host_id']}/findings")["items"] if each["rule"] == "esxi55.jumbo.vmkernel")
    assert finding["source"]["member"] == VMKNICS
    collected = get(ask, f"/hosts/{joined['host_id']}/collection", "admin")
    assert collected["words"].startswith("Known from a support bundle only.")


def test_it_is_not_silent_and_wakes_nobody(ask: Ask, joined: dict[str, Any]) -> None:
    overview = get(ask, "/overview")
    assert joined["host_id"] not in {each["id"] for each in overview["silent"]}
    assert joined["host_id"] not in {each["host"]["id"] for each in get(ask, "/on-call")["problems"]}
    with session_scope() as session:
        assert not [line for line in doctor._silent(session) if "esx-b07" in line]


def test_hosts_that_check_in_are_judged_as_before(ask: Ask, world: World, joined: dict[str, Any]) -> None:
    """It is nobody's peer: what it showed in January says nothing about the frames that its fabric carries today."""
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM peer_answer WHERE host_id = :id"), {"id": joined["host_id"]}).scalar_one() == 0
        live = add_host(session, "esx-b09", group_id=world.groups["lab"], sample=SAMPLE)
    findings = get(ask, f"/hosts/{live}/findings")["items"]
    assert len(findings) > 20
    assert not [each for each in findings if "esx-b07" in each["reason"]]


def test_reading_it_again_changes_nothing(joined: dict[str, Any]) -> None:
    with session_scope() as session:
        assert reread_hosts(session, [joined["host_id"]]) == 0
        host = session.get_one(Host, joined["host_id"])
        assert host.score is not None


def test_no_plan_takes_it(ask: Ask, joined: dict[str, Any]) -> None:
    finding = next(each for each in get(ask, f"/hosts/{joined['host_id']}/findings")["items"] if each["rule"] == "esxi55.jumbo.vmkernel")
    rule = {"pack": finding["pack"], "rule": finding["rule"], "host_ids": [joined["host_id"]]}
    made = ask("operator", "POST", "/plans", json={"findings": [], "rules": [rule], "reason": "set jumbo frames"})
    assert made.status_code == 201, made.text
    build(made.json()["id"])
    with session_scope() as session:
        plan = session.get_one(Plan, made.json()["id"])
        assert "data is too old: it is from a support bundle of 2026-01-12. Enrol an agent first" in (plan.document or "")


def test_adding_the_same_bundle_again_is_left_out(ask: Ask, world: World, joined: dict[str, Any]) -> None:
    told = join(ask, "admin", joined["number"], joined["assessed_id"], world.groups["lab"])
    assert (told["outcome"], told["words"]) == ("left_out", "esx-b07 in the fleet is known from a bundle that is as new.")


def test_only_an_admin_of_the_group_adds(ask: Ask, world: World) -> None:
    number, assessed = assess(ask, "operator", THEN)
    body = {"group_id": world.groups["lab"], "assessed_ids": [assessed]}
    assert ask("operator", "POST", f"/assessments/{number}/join", json=body).status_code == 403
    # Nobody adds hosts of another person's assessment.
    assert ask("admin", "POST", f"/assessments/{number}/join", json=body).status_code == 404
    assert ask("admin", "POST", f"/assessments/{number}/join", json={**body, "group_id": 999_999}).status_code == 404


def test_a_newer_bundle_brings_it_up_to_date_and_its_changes_are_drift(ask: Ask, world: World, joined: dict[str, Any]) -> None:
    number, assessed = assess(ask, "admin", LATER, "later.tgz")
    told = join(ask, "admin", number, assessed, world.groups["prod"])
    assert (told["outcome"], told["words"], told["host_id"]) == ("updated", "", joined["host_id"])
    page = get(ask, f"/hosts/{joined['host_id']}")
    # Where it is was decided before; a bundle moves no host.
    assert (page["group_id"], page["from_bundle"]["bundle"]) == (world.groups["lab"], "later.tgz")
    assert page["last_seen_at"] == "2026-02-20T09:00:02Z"
    changes = get(ask, f"/hosts/{joined['host_id']}/changes")["items"]
    assert {(each["subject"]["id"], each["key"]) for each in changes} == {("vmk1", "vnic.mtu"), ("vmk2", "vnic.mtu")}
    older = join(ask, "admin", joined["number"], joined["assessed_id"], world.groups["lab"])
    assert older["outcome"] == "left_out"


def test_a_past_state_names_the_bundle_of_then(ask: Ask, joined: dict[str, Any]) -> None:
    """After the newer bundle: the state of a moment before is that of January, and says so."""
    added_at = get(ask, f"/hosts/{joined['host_id']}")["from_bundle"]["added_at"]
    before = (datetime.fromisoformat(added_at) - timedelta(milliseconds=1)).isoformat()
    for at, bundle, collected_at in (
        (before, "esx-b07.tgz", "2026-01-12T13:56:02Z"),
        (datetime.now(UTC).isoformat(), "later.tgz", "2026-02-20T09:00:02Z"),
    ):
        past = get(ask, f"/hosts/{joined['host_id']}/past?{urlencode({'at': at})}")
        assert (past["absent"], past["from_bundle"]["bundle"], past["from_bundle"]["collected_at"]) == ("", bundle, collected_at)


def test_a_host_that_checks_in_is_never_replaced_by_a_bundle(ask: Ask, world: World) -> None:
    files = {path: content.replace(b"esx-b07", b"esx-b08") for path, content in FILES.items()}
    with session_scope() as session:
        live = add_host(session, "esx-b08", group_id=world.groups["prod"], sample=SAMPLE)
        before = session.get_one(Host, live).configuration_id
    number, assessed = assess(ask, "admin", tgz(files, top="esx-esx-b08-2026-01-12--13.56-1"), "esx-b08.tgz")
    told = join(ask, "admin", number, assessed, world.groups["prod"])
    assert told["outcome"] == "left_out"
    assert told["words"] == "esx-b08 in the fleet checks in by itself, so its own data is newer. Compare the two instead."
    with session_scope() as session:
        assert session.get_one(Host, live).configuration_id == before


@pytest.mark.parametrize(
    ("name", "content", "hosts"),
    [
        ("netview.zip", zipped(windows.net_view(windows.Host("t520-2016-s2d"))), 1),
        ("rvtools.zip", zipped(csv_files()), 2),
        ("german.tgz", tgz(esxi_bundle.files_of("6.7-german"), top="esx-esx-muc03-2026-01-12--13.56-1"), 1),
    ],
)
def test_every_kind_of_bundle_can_be_added(ask: Ask, world: World, name: str, content: bytes, hosts: int) -> None:
    number, _ = assess(ask, "admin", content, name)
    rows = get(ask, f"/assessments/{number}", "admin")["hosts"]
    assert len(rows) == hosts
    body = {"group_id": world.groups["lab"], "assessed_ids": [row["id"] for row in rows], "with_unsure": True}
    told = ask("admin", "POST", f"/assessments/{number}/join", json=body).json()
    assert [(each["outcome"], each["words"]) for each in told] == [("added", "")] * hosts
    for each, row in zip(told, rows, strict=True):
        page = get(ask, f"/hosts/{each['host_id']}")
        assert (page["name"], page["freshness"], page["platform"]) == (row["name"], "bundle", row["platform"])
        # An export of RVTools answers too few rules for a score.
        assert (page["score"] is None) == (row["score"] is None)
        assert page["from_bundle"]["bundle"] == name


def test_a_bundle_without_a_time_is_as_of_its_upload(ask: Ask, world: World) -> None:
    content = zipped({path: text.replace(b"esx1", b"esx7").replace(b"esx2", b"esx8") for path, text in csv_files().items()})
    number, assessed = assess(ask, "admin", content, "tables.zip")
    told = join(ask, "admin", number, assessed, world.groups["lab"])
    known = get(ask, f"/hosts/{told['host_id']}")["from_bundle"]
    uploaded = get(ask, f"/assessments/{number}", "admin")["created_at"]
    assert (known["tells_time"], known["as_of"]) == (False, uploaded)


def test_a_host_that_may_be_in_the_fleet_is_added_only_where_the_person_says_so(ask: Ask, world: World) -> None:
    with session_scope() as session:
        add_host(session, "esx9", group_id=world.groups["lab"], sample=SAMPLE)
    # The tables of this bundle list no adapters, so the name alone speaks for it.
    tables = {path: text.replace(b"esx1", b"esx9") for path, text in csv_files().items() if "vNIC" not in path}
    number, _ = assess(ask, "admin", zipped(tables), "tables.zip")
    (row,) = [each for each in get(ask, f"/assessments/{number}", "admin")["hosts"] if each["name"].startswith("esx9")]
    told = join(ask, "admin", number, row["id"], world.groups["lab"])
    assert told["outcome"] == "left_out"
    assert told["words"].startswith("It may be esx9 in the fleet: same name; the bundle lists no adapters")
    assert join(ask, "admin", number, row["id"], world.groups["lab"], with_unsure=True)["outcome"] == "added"


def test_a_namesake_in_the_fleet_is_asked_about(ask: Ask, world: World) -> None:
    with session_scope() as session:
        add_host(session, "esx-muc09", group_id=world.groups["lab"], sample=SAMPLE)
    files = {path: content.replace(b"esx-muc03", b"esx-muc09") for path, content in esxi_bundle.files_of("8.0").items()}
    files = {path: content.replace(b"esx-d01", b"esx-muc09") for path, content in files.items()}
    number, assessed = assess(ask, "admin", tgz(files, top="esx-esx-muc09-2026-01-12--13.56-1"), "namesake.tgz")
    told = join(ask, "admin", number, assessed, world.groups["lab"])
    assert told["outcome"] == "left_out"
    assert told["words"].startswith("It may be esx-muc09 in the fleet: same name, but no adapter")
    added = join(ask, "admin", number, assessed, world.groups["lab"], with_unsure=True)
    assert added["outcome"] == "added"
    # Beside the host that checks in, it is no peer, and its side of a comparison is of its day.
    compared = get(ask, f"/hosts/{added['host_id']}/comparison?reference=peers", "operator")
    assert (compared["left_at"], compared["may_plan"]) == ("2026-01-12T13:56:02Z", False)
    assert "bundle" not in {get(ask, f"/hosts/{peer['id']}")["source"] for peer in compared["peers"]}


def test_a_damaged_row_is_left_out_with_the_way_to_mend_it(ask: Ask, world: World) -> None:
    number, assessed = assess(ask, "admin", tgz(esxi_bundle.files_of("8.0"), top="esx-esx-d01-2026-01-12--13.56-1"), "d01.tgz")
    with session_scope() as session:
        session.execute(text("UPDATE assessment_host_sections SET content = 'x' WHERE assessed_id = :id"), {"id": assessed})
    told = join(ask, "admin", number, assessed, world.groups["lab"])
    assert (told["outcome"], told["words"]) == ("left_out", "An earlier version read its bundle and kept too little. Upload it again.")


def test_it_is_merged_with_the_host_that_enrolled_as_a_new_one(ask: Ask, world: World) -> None:
    tables = {path: content.replace(b"esx1", b"esx5").replace(b"esx2", b"esx6") for path, content in csv_files().items()}
    with session_scope() as session:
        live = add_host(session, "esx5", group_id=world.groups["prod"], sample=SAMPLE, mode="remediate")
    # The export tells no time, so it is as of its upload, which comes after the host enrolled.
    number, _ = assess(ask, "admin", zipped(tables), "tables.zip")
    (row,) = [each for each in get(ask, f"/assessments/{number}", "admin")["hosts"] if each["name"].startswith("esx5")]
    old = join(ask, "admin", number, row["id"], world.groups["lab"], with_unsure=True)["host_id"]
    merged = ask("admin", "POST", f"/hosts/{live}/merge", json={"old_id": old, "reason": "the agent enrolled as a new host"})
    assert merged.status_code == 200, merged.text
    with session_scope() as session:
        assert (session.get_one(Host, old).state, session.get_one(Host, live).mode) == ("retired", "remediate")


def test_an_agent_takes_over(ask: Ask, world: World, joined: dict[str, Any]) -> None:
    with session_scope() as session:
        terms = TokenTerms(name="esx-b07", group_id=world.groups["lab"], expires_hours=1, host_id=joined["host_id"])
        token = make_token(session, terms, actor="system", created_by=None).token
    with session_scope() as session:
        done = enrol(session, token=token, nonce=secrets.token_hex(16), name="esx-b07", platform="esxi", agent_version="1.2.0")
        assert done.host_id == joined["host_id"]
    page = get(ask, f"/hosts/{joined['host_id']}")
    assert (page["source"], page["from_bundle"], page["freshness"]) == ("agent", None, "silent")
    # Until it checks in, what there is to show is still the bundle's.
    past = get(ask, f"/hosts/{joined['host_id']}/past?{urlencode({'at': datetime.now(UTC).isoformat()})}")
    assert past["from_bundle"]["bundle"] == "later.tgz"
    with session_scope() as session:
        session.execute(_CHECKED_IN, {"id": joined["host_id"]})
    past = get(ask, f"/hosts/{joined['host_id']}/past?{urlencode({'at': datetime.now(UTC).isoformat()})}")
    assert (past["absent"], past["from_bundle"]) == ("", None)
