"""Past states: as of now they equal the screens, as of an earlier instant they equal the log of findings."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline import audit
from plumbline.core.rules.finding_status import status_of
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.hosts import lifecycle
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from tests.api.conftest import Ask
from tests.api.world import SAMPLES, World, _configure, add_host
from tests.packs.conftest import Publish, judge_all, work_off

Words = dict[tuple[str, str, str], str]


def stored(host_id: str) -> Words:
    """The status of each finding of the host: (rule, subject kind, subject id) -> status."""
    with session_scope() as session:
        rows = session.execute(
            text(
                "SELECT n.pack || '/' || n.rule AS rule, f.subject_kind, f.subject_id, f.outcome, f.waiver_id, f.excluded_by, f.kind"
                " FROM finding f JOIN rule_number n ON n.no = f.rule_no WHERE f.host_id = :host"
            ),
            {"host": host_id},
        )
        return {
            (row.rule, row.subject_kind, row.subject_id): status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind) for row in rows
        }


def logged(host_id: str, at: datetime) -> Words:
    """The outcomes at that instant, from the log of findings."""
    with session_scope() as session:
        rows = session.execute(
            text(
                "SELECT DISTINCT ON (l.rule_no, l.subject_kind, l.subject_id) n.pack || '/' || n.rule AS rule, l.subject_kind,"
                " l.subject_id, l.new FROM finding_log l JOIN rule_number n ON n.no = l.rule_no WHERE l.host_id = :host AND l.at <= :at"
                " ORDER BY l.rule_no, l.subject_kind, l.subject_id, l.at DESC, l.id DESC"
            ),
            {"host": host_id, "at": at},
        )
        return {
            (row.rule, row.subject_kind, row.subject_id): row.new
            for row in rows
            if row.new in ("pass", "fail", "unknown", "not_applicable")
        }


def past(ask: Ask, host_id: str, at: datetime, login: str = "viewer", **more: Any) -> dict[str, Any]:
    answer = ask(login, "GET", f"/hosts/{host_id}/past", params={"at": at.isoformat(), **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def words(found: dict[str, Any], field: str = "standing") -> Words:
    return {(f"{each['pack']}/{each['rule']}", each["subject"]["kind"], each["subject"]["id"]): each[field] for each in found["items"]}


def now() -> datetime:
    time.sleep(0.01)
    with session_scope() as session:
        at: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    time.sleep(0.01)
    return at


def configure(host_id: str, sample: str) -> None:
    """The host is read again and turns out to be otherwise."""

    def other(session: Session) -> None:
        host = session.get_one(Host, host_id)
        session.execute(text("DELETE FROM host_section WHERE host_id = :host"), {"host": host_id})
        at: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
        _configure(session, host, SAMPLES / "windows" / f"{sample}.checkin", at)
        session.flush()
        # Written without a check-in: the host's peer answers have to be computed again too.
        reevaluate_hosts(session, [host_id], in_full=True)

    with session_scope() as session:
        other(session)


def test_at_this_moment_the_past_is_the_present(ask: Ask, world: World) -> None:
    judge_all()
    failing_on = set()
    for name in ("sql-01", "esx-01", "lab-01"):
        found = past(ask, world.hosts[name], now())
        assert words(found) == stored(world.hosts[name])
        assert (found["absent"], found["score"]) == ("", found["score_now"])
        assert all(each["now"] == each["standing"] for each in found["items"])
        failing = [each for each in found["items"] if each["outcome"] == "fail"]
        assert all(each["headline"] != each["title"] for each in failing)
        failing_on |= {name} if failing else set()
    # Nothing is wrong with the ESXi sample.
    assert failing_on == {"sql-01", "lab-01"}


def test_an_earlier_instant_shows_the_findings_that_the_log_has_for_it(ask: Ask, world: World, publish: Publish) -> None:
    host = world.hosts["lab-01"]
    seen: list[tuple[datetime, Words, int | None]] = []

    def look() -> None:
        judge_all()
        at = now()
        with session_scope() as session:
            seen.append((at, stored(host), session.get_one(Host, host).score))

    look()
    configure(host, "bcm57810-2012-recommended")
    look()
    version = publish(version="1.0.0", rss="disabled")
    asked = {"group_id": world.groups["lab"], "what": "version", "version_id": version, "reason": "for a test"}
    assert ask("admin", "POST", "/packs/site-array/activations", json=asked).status_code == 201
    look()
    configure(host, "x520-2012r2-default")
    look()
    assert ask("admin", "POST", "/packs/site-array/activations", json=asked | {"what": "off", "version_id": None}).status_code == 201
    look()
    assert len({tuple(sorted(each[1].items())) for each in seen}) == len(seen)
    for at, then, score in seen:
        found = past(ask, host, at)
        assert words(found) == then
        assert words(found, "outcome") == logged(host, at)
        assert found["score"] == score
    # The same instant under a version that became active only later.
    other = past(ask, host, seen[1][0], version=version)
    assert {each["pack"] for each in other["versions"] if each["is_chosen"]} == {"site-array"}
    assert words(other)["site-array/site.rss.on", "host", ""] in ("pass", "fail")
    assert "site-array" not in {each["pack"] for each in past(ask, host, seen[1][0])["versions"]}


def test_a_host_is_absent_before_it_was_known_read_or_after_it_was_retired(ask: Ask, world: World) -> None:
    with session_scope() as session:
        host = add_host(session, "late-01", group_id=world.groups["lab"])
    assert past(ask, host, datetime(2020, 1, 1, tzinfo=UTC))["absent"].startswith("not enrolled until ")
    assert past(ask, host, now())["absent"] == "no data yet at that time"
    assert past(ask, world.hosts["new-01"], now())["absent"] == "pending approval at that time"
    before = now()
    with session_scope() as session:
        lifecycle.retire_host(session, actor=audit.SYSTEM, host_id=host, reason="for a test")
    assert past(ask, host, now())["absent"].startswith("retired on ")
    assert past(ask, host, before)["absent"] == "no data yet at that time"


def test_a_host_is_evaluated_in_its_group_of_then(ask: Ask, world: World, publish: Publish) -> None:
    with session_scope() as session:
        host = add_host(session, "moved-01", group_id=world.groups["prod_b"], sample=SAMPLES / "windows" / "bcm57810-2012-default.checkin")
    at = now()
    with session_scope() as session:
        lifecycle.move_host(session, actor=audit.SYSTEM, host_id=host, group_id=world.groups["lab"])
    assert (past(ask, host, at)["group"], past(ask, host, now())["group"]) == ("PROD-B", "LAB")
    asked = {"group_id": world.groups["prod"], "as_of": at.isoformat()}
    run = ask("prod-viewer", "POST", "/past-runs", json=asked).json()
    work_off(run["id"])
    hosts = ask("prod-viewer", "GET", f"/judging-runs/{run['id']}/hosts").json()["items"]
    assert {each["host"]["name"] for each in hosts} == {"sql-01", "sql-02", "esx-01", "moved-01"}


def test_groups_that_were_moved_since_are_named(ask: Ask, world: World) -> None:
    """The tree of groups is today's, and a past state says so if that matters."""
    at = now()
    host, prod_b = world.hosts["sql-01"], world.groups["prod_b"]
    assert past(ask, host, at)["moved_groups"] == []
    for parent in (world.groups["lab"], world.groups["prod"]):
        assert ask("admin", "PATCH", f"/groups/{prod_b}", json={"parent_id": parent}).status_code == 200
    assert [each["name"] for each in past(ask, host, at)["moved_groups"]] == ["PROD-B"]
    assert past(ask, world.hosts["lab-01"], at)["moved_groups"] == []
    assert past(ask, host, now())["moved_groups"] == []
    run = ask("viewer", "POST", "/past-runs", json={"group_id": 1, "as_of": at.isoformat()}).json()
    assert [each["id"] for each in ask("viewer", "GET", f"/judging-runs/{run['id']}").json()["moved_groups"]] == [prod_b]
    work_off(run["id"])
    judge_all()


def test_the_fleet_at_this_moment_is_the_overview(ask: Ask, world: World) -> None:
    judge_all()
    asked = {"group_id": 1, "as_of": now().isoformat()}
    queued = ask("viewer", "POST", "/past-runs", json=asked)
    assert (queued.status_code, queued.json()["state"], queued.json()["figures"]) == (202, "queued", None)
    work_off(queued.json()["id"])
    run = ask("viewer", "GET", f"/judging-runs/{queued.json()['id']}").json()
    hosts = ask("viewer", "GET", f"/judging-runs/{run['id']}/hosts").json()["items"]
    for each in hosts:
        if not each["absent"]:
            assert words(past(ask, each["host"]["id"], now())) == stored(each["host"]["id"]), each["host"]["name"]
    figures, overview = run["figures"], ask("viewer", "GET", "/overview").json()
    assert figures["after"]["mean"] == overview["score"]["mean"]
    assert figures["after"]["median"] == overview["score"]["median"]
    assert figures["after"]["bands"] == [band["hosts"] for band in overview["distribution"]]
    assert figures["rule_coverage"] == overview["score"]["rule_coverage"]
    for word in ("pass", "fail", "unknown", "waived", "excluded", "not_applicable"):
        assert figures["words"][word] == overview["outcomes"][word]
    rules = {(each["pack"], each["rule"]): each for each in figures["rules"]}
    for row in ask("viewer", "GET", "/rules").json()["items"]:
        found = rules.get((row["pack"], row["rule"]))
        for word in ("pass", "fail", "unknown", "not_applicable", "excluded"):
            assert (found["words"].get(word, 0) if found else 0) == row["subjects"][word], (row["rule"], word)
            assert (found["hosts"].get(word, 0) if found else 0) == row["hosts"][word], (row["rule"], word)
    assert figures["hosts_absent"] > 0


@pytest.mark.parametrize(
    "asked",
    [
        {"at": "2026-09-03T12:00:00"},
        {"at": "2999-01-01T00:00:00Z"},
        {"at": "yesterday"},
        {},
        {"at": "2026-09-03T12:00:00Z", "version": 0},
        {"at": "-4713-01-01T00:00:00Z"},
    ],
)
def test_an_instant_that_is_none_is_refused_in_words(ask: Ask, world: World, asked: dict[str, Any]) -> None:
    answer = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/past", params=asked)
    assert (answer.status_code, bool(answer.json()["detail"])) == (422, True)


def test_what_is_not_there_or_not_in_scope_is_not_found(ask: Ask, world: World) -> None:
    at = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    assert ask("prod-viewer", "GET", f"/hosts/{world.hosts['lab-01']}/past", params={"at": at}).status_code == 404
    assert ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/past", params={"at": at, "version": 99_999}).status_code == 404
    assert ask("prod-viewer", "POST", "/past-runs", json={"group_id": 1, "as_of": at}).status_code == 404
    assert ask("viewer", "POST", "/past-runs", json={"group_id": 1, "as_of": "2999-01-01T00:00:00Z"}).status_code == 422
