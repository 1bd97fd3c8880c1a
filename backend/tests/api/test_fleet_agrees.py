"""Whatever people and hosts do, every page counts the same. The test works through the API and check-ins only.

Hosts enrol, wait, are approved, check in with other settings or a section that failed, move and are retired; people waive, attest, publish,
activate with grace and decide conflicts; times run out. After each step the rollups equal the raw counts; in between and at the end the
overview, the list of hosts, the list of rules, the fleet's score, the matrix, waivers and the report's own figures are compared with each
other.
"""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlmodel import text

from faults.sending import Sender, enrol, sender_of
from plumbline.evaluation import tasks as findings_tasks
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.packs import tasks as packs_tasks
from plumbline.reports.build import build_report
from plumbline.reports.frozen.freeze import freeze
from plumbline.reports.period import period_of
from plumbline.waivers import tasks
from tests.api.conftest import Ask
from tests.api.world import SAMPLES, World, read_sample
from tests.packs import site

# Of one platform, so that a host may be read as any of them.
READINGS = ("bcm57810-2012-default", "bcm57810-2012-recommended", "x520-2012r2-default", "bcm57810-2012-isoe")
CONFLICT = "dell-bp1057-2012/bp1057.flow_control|site-array/site.flow_control.off|adapter.flow_control"
SIDES = ("site-array/site.flow_control.off", "dell-bp1057-2012/bp1057.flow_control", "")
WORDS = ("pass", "fail", "unknown", "waived", "excluded", "not_applicable")
GROUPS = ("root", "prod", "prod_b", "lab")
# One person reads everything, the other one subtree; lists without a chosen group show all that the person may read.
READERS = (("viewer", "root"), ("prod-viewer", "prod"))
MOST_HOSTS = 8


def sections(reading: str) -> dict[str, bytes]:
    return read_sample(SAMPLES / "windows" / f"{reading}.checkin")[1]


def later(days: float = 20) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def catch_up() -> None:
    """Does what the background does, until nothing lags."""
    packs_tasks.end_grace()
    tasks.expire_waivers()
    findings_tasks.reevaluate_lagging()
    for _ in range(3):
        findings_tasks.reevaluate_peers()


class Pages:
    """The figures on the pages for a person who reads one group and its subgroups."""

    def __init__(self, ask: Ask, login: str, group: int) -> None:
        self.ask = ask
        self.login = login
        self.group = group
        self.overview = self.get("/overview")
        self.hosts = self.get("/hosts", limit=500)["items"]
        self.rules = self.get("/rules")["items"]

    def get(self, path: str, **more: Any) -> Any:
        return self.get_all(path, group=self.group, **more)

    def get_all(self, path: str, **filters: Any) -> Any:
        """What the reader may read of it, whatever its group."""
        answer = self.ask(self.login, "GET", path, params=filters)
        assert answer.status_code == 200, (path, answer.text[:300])
        return answer.json()

    def agree(self) -> None:
        """Raises where two pages differ."""
        self._hosts()
        self._outcomes()
        self._rules()
        self._score()

    def _hosts(self) -> None:
        known = len(self.hosts)
        assert self.overview["headline"]["hosts"] == self.overview["score"]["hosts_known"] == known
        scores = [row["score"] for row in self.hosts if row["score"] is not None]
        score = self.overview["score"]
        assert score["hosts_scored"] == len(scores)
        assert score["mean"] == pytest.approx(sum(scores) / len(scores), abs=0.06) if scores else score["mean"] is None
        assert [row["score"] for row in score["worst"]] == sorted(scores)[:5]
        bands = Counter(min(each // 10, 9) * 10 for each in scores)
        assert {band["from"]: band["hosts"] for band in self.overview["distribution"] if band["hosts"]} == dict(bands)
        assert self.overview["waiting"] == len(self.get("/hosts", state="waiting")["items"])

    def _outcomes(self) -> None:
        shown = self.overview["outcomes"]
        for word in WORDS:
            assert shown[word] == sum(row[f"n_{word}"] for row in self.hosts), word
        assert shown["guard_rail"] == sum(row["n_guard_rail"] for row in self.hosts)

    def _rules(self) -> None:
        """Rules with a weight add up to the fleet's outcomes; each rule's count of hosts equals the list that it links to."""
        summed = Counter[str]()
        for row in self.rules:
            summed.update({word: row["subjects"][word] for word in WORDS if row["weight"] > 0})
        for word in ("pass", "fail", "unknown", "waived", "excluded"):
            assert summed[word] == self.overview["outcomes"][word], word
        failing = {(each["pack"], each["rule"]): each["hosts"] for each in self.overview["failing_rules"]}
        rows = {(row["pack"], row["rule"]): row for row in self.rules}
        for address, hosts in failing.items():
            assert rows[address]["hosts"]["fail"] == hosts, address
        for address, hosts in list(failing.items())[:2]:
            found = self.get("/hosts", rule="/".join(address), limit=500)
            assert found["total"] == len(found["items"]) == hosts, address
        assert sum(row["hosts"]["fail"] > 0 for row in self.rules) >= len(failing)

    def _score(self) -> None:
        apart = self.get("/score")
        score = self.overview["score"]
        assert (apart["hosts_known"], apart["hosts_scored"]) == (score["hosts_known"], score["hosts_scored"])
        assert apart["weighed"]["mean"] == score["mean"]
        assert apart["rule_coverage"] == score["rule_coverage"]
        if apart["weighed"]["mean"] is not None:
            lost = apart["lost_to_rules"] + apart["lost_to_rounding"] + apart["lost_to_caps"]
            assert 100 - lost == pytest.approx(apart["weighed"]["mean"], abs=0.2)
        matrix = self.get("/matrix")
        columns = {(each["pack"], each["rule"]): each["hosts_failing"] for each in matrix["rules"]}
        for row in self.rules:
            address = (row["pack"], row["rule"])
            if address in columns:
                assert columns[address] == row["hosts"]["fail"], address

    def report_agrees(self, is_drawn: bool) -> None:
        """The report's frozen figures, and every host's line in it, are the pages'."""
        asked = self.ask(self.login, "POST", "/reports", json={"template": "executive", "group_id": self.group})
        assert asked.status_code == 201, asked.text
        report = asked.json()["id"]
        if is_drawn:
            with session_scope() as session:
                build_report(session, report)
            data = json.loads(self.ask(self.login, "GET", f"/reports/{report}/files/json").content)
        else:
            # What all its files are made from; drawing them costs a second.
            period = period_of("last_90_days", today=datetime.now(UTC).date(), zone="UTC")
            data = freeze(
                report_id=report, template="executive", group_id=self.group, period=period, requested_by="viewer", site_name="test"
            )
        for part in ("outcomes", "distribution"):
            assert data[part] == self.overview[part], part
        for figure in ("mean", "median", "rule_coverage", "hosts_known", "hosts_fresh", "hosts_scored"):
            assert data["score"][figure] == self.overview["score"][figure], figure
        assert data["risks"]["total"] == self.overview["outcomes"]["fail"]
        lines = {row["id"]: row for row in data["hosts"]}
        assert set(lines) == {row["id"] for row in self.hosts}
        for row in self.hosts:
            assert lines[row["id"]]["score"] == row["score"]
            for word in WORDS:
                assert lines[row["id"]][word] == row[f"n_{word}"], word
        # The list's filter takes a group without those below it.
        in_force = self.get_all("/waivers", state="active")
        assert data["waivers_by_state"]["active"] == len(in_force["items"])


def machine(ask: Ask, address: str, world: World, *, is_drawn: bool) -> type[RuleBasedStateMachine]:
    """The state machine over this served application. Its database is kept from one example to the next: that is a sequence too.

    For that reason no rule has a precondition: hypothesis takes them to depend on the steps of one example alone.
    """
    api = httpx.Client(base_url=address, timeout=30)

    def must(login: str, method: str, path: str, *statuses: int, **more: Any) -> Any:
        answer = ask(login, method, path, **more)
        assert answer.status_code in statuses, (path, answer.status_code, answer.text[:400])
        return answer.json()

    def drawn(group: int) -> int:
        return world.groups[GROUPS[group]]

    class Fleet(RuleBasedStateMachine):
        senders: dict[str, Sender] = {}  # noqa: RUF012 (one fleet for all examples)
        published = 0

        # --- hosts -------------------------------------------------------------------------------------------------------------------

        @rule(group=st.integers(0, 3), waits=st.booleans(), reading=st.sampled_from(READINGS))
        def enrol_a_host(self, group: int, waits: bool, reading: str) -> None:
            if len(self.senders) >= MOST_HOSTS:
                return
            asked = {"name": "test", "group_id": drawn(group), "platform": "windows", "is_auto_approved": not waits}
            token = must("admin", "POST", "/enrolment/tokens", 201, json=asked)["token"]
            answer = enrol(api, token, f"host-{len(self.senders)}")
            assert answer.status_code == 200, answer.text
            sender = sender_of(answer, sections=sections(reading))
            assert sender.send(api).status_code == 200
            self.senders[sender.host_id] = sender

        @rule(host=st.integers(0, 99), reading=st.sampled_from(READINGS), fails=st.sampled_from(["", "", "offload", "adapters", "iscsi"]))
        def check_in(self, host: int, reading: str, fails: str) -> None:
            if not self.senders:
                return
            sender = self.one(host)
            sender.sections = sections(reading)
            sender.failed = {}
            if fails:
                sender.sections.pop(fails, None)
                sender.failed = {fails: "timed out"}
            # 403: a person retired it.
            assert sender.send(api).status_code in (200, 403)

        @rule(host=st.integers(0, 99), group=st.integers(0, 3))
        def approve(self, host: int, group: int) -> None:
            if not self.senders:
                return
            must("admin", "POST", f"/hosts/{self.one(host).host_id}/approve", 200, 409, json={"group_id": drawn(group)})

        @rule(host=st.integers(0, 99), group=st.integers(0, 3))
        def move(self, host: int, group: int) -> None:
            if not self.senders:
                return
            must("admin", "PATCH", f"/hosts/{self.one(host).host_id}", 200, 409, json={"group_id": drawn(group)})

        @rule(host=st.integers(0, 99))
        def retire(self, host: int) -> None:
            if len(self.senders) <= 4:
                return
            gone = self.one(host).host_id
            must("admin", "POST", f"/hosts/{gone}/retire", 200, 409, json={"reason": "for a test"})
            del self.senders[gone]

        # --- people ------------------------------------------------------------------------------------------------------------------

        @rule(at=st.integers(0, 99), wide=st.booleans(), decide=st.sampled_from(["approve", "approve", "refuse", "withdraw"]))
        def waive(self, at: int, wide: bool, decide: str) -> None:
            """One failing rule of a host, on the host or on its whole group: requested by one person, decided by another."""
            found = [row for row in must("viewer", "GET", "/hosts?outcome=fail", 200)["items"] if row["n_fail"]]
            if not found:
                return
            row = found[at % len(found)]
            items = must("viewer", "GET", f"/hosts/{row['id']}/findings", 200)["items"]
            failing = [each for each in items if each["standing"] == "fail"]
            if not failing:
                return
            one = failing[at % len(failing)]
            scope: dict[str, Any] = {"group_id": row["group_id"]} if wide else {"host_ids": [row["id"]]}
            asked = {"pack": one["pack"], "rule": one["rule"], "reason": "for a test, seen by all", "expires_at": later(), **scope}
            waiver = must("operator", "POST", "/waivers", 201, 409, 422, json=asked)
            if "id" in waiver:
                body = {} if decide == "approve" else {"json": {"reason": "because of a test"}}
                must("operator" if decide == "withdraw" else "approver", "POST", f"/waivers/{waiver['id']}/{decide}", 200, **body)

        @rule(what=st.sampled_from(["waiver", "attestation"]))
        def let_run_out(self, what: str) -> None:
            with session_scope() as session:
                session.execute(text(f"UPDATE {what} SET expires_at = now() - interval '1 s' WHERE state = 'active'"))
            tasks.expire_waivers()

        @rule(host=st.integers(0, 99), group=st.integers(0, 3), wide=st.booleans(), is_so=st.booleans())
        def attest(self, host: int, group: int, wide: bool, is_so: bool) -> None:
            if not self.senders:
                return
            scope: dict[str, Any] = {"group_id": drawn(group)} if wide else {"host_id": self.one(host).host_id}
            asked = {
                "pack": "dell-bp1057-2012", "rule": "bp1057.fabric.redundant", "is_so": is_so, "statement": "two switches, looked at",
                "expires_at": later(), **scope,
            }  # fmt: skip
            must("operator", "POST", "/attestations", 201, 404, 409, 422, json=asked)

        @rule(rss=st.sampled_from([None, "enabled", "disabled"]), flow=st.sampled_from(["off", "rx_tx"]))
        def publish(self, rss: str | None, flow: str) -> None:
            type(self).published += 1
            made = site.archive(site.files(version=f"1.{self.published}.0", rss=rss, flow_control=flow))
            draft = must("admin", "POST", "/pack-drafts/archive", 200, content=made, headers={"content-type": "application/zip"})
            assert draft["mistakes"] == []
            must("admin", "POST", f"/pack-drafts/{draft['draft']['id']}/publish", 200, json={"note": "for a test"})

        @rule(
            group=st.integers(0, 3), place=st.integers(0, 99), graced=st.booleans(), what=st.sampled_from(["version", "off", "inherit"]),
            pack=st.sampled_from(["site-array", "dell-bp1057-2012"]),
        )  # fmt: skip
        def activate(self, group: int, place: int, graced: bool, what: str, pack: str) -> None:
            answer = ask("viewer", "GET", f"/packs/{pack}")
            if answer.status_code == 404:
                return
            versions = answer.json()["versions"]
            asked: dict[str, Any] = {"group_id": drawn(group), "what": what, "reason": "for a test"}
            if what == "version":
                asked["version_id"] = versions[place % len(versions)]["id"]
                asked["grace_until"] = later(1) if graced else None
            must("admin", "POST", f"/packs/{pack}/activations", 201, 409, 422, json=asked)

        @rule()
        def let_grace_end(self) -> None:
            with session_scope() as session:
                session.execute(text("UPDATE pack_activation SET grace_until = now() - interval '1 s' WHERE grace_until IS NOT NULL"))
            packs_tasks.end_grace()

        @rule(group=st.integers(0, 3), holds=st.sampled_from(SIDES))
        def decide(self, group: int, holds: str) -> None:
            asked = {"conflict": CONFLICT, "group_id": drawn(group), "holds": holds, "reason": "the array's vendor says so"}
            made = must("operator", "POST", "/conflict-decisions", 201, 404, 409, 422, json=asked)
            if "id" in made:
                must("approver", "POST", f"/conflict-decisions/{made['id']}/approve", 200, 409, json={"reason": "because we tried it"})

        # --- the background, and what must always be so --------------------------------------------------------------------------------

        @rule()
        def judge_what_lags(self) -> None:
            findings_tasks.reevaluate_lagging()

        @rule()
        def fold(self) -> None:
            findings_tasks.fold_rollups()

        @rule(reader=st.sampled_from(READERS))
        def look(self, reader: tuple[str, str]) -> None:
            catch_up()
            Pages(ask, reader[0], world.groups[reader[1]]).agree()

        @invariant()
        def rollups_are_exact(self) -> None:
            with session_scope() as session:
                assert compare_rollups(session) == {}

        def teardown(self) -> None:
            catch_up()
            self.rollups_are_exact()
            for login, group in READERS:
                pages = Pages(ask, login, world.groups[group])
                pages.agree()
                pages.report_agrees(is_drawn)

        def one(self, at: int) -> Sender:
            ids = sorted(self.senders)
            return self.senders[ids[at % len(ids)]]

    return Fleet


def play(fleet: type[RuleBasedStateMachine], examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        fleet,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


@pytest.mark.timeout(900)
def test_every_page_counts_the_same_after_anything(ask: Ask, address: str, world: World) -> None:
    play(machine(ask, address, world, is_drawn=False), examples=3, steps=12)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_page_counts_the_same_after_very_much(ask: Ask, address: str, world: World) -> None:
    play(machine(ask, address, world, is_drawn=True), examples=40, steps=40)
