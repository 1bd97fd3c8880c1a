"""Benchmark runs, proofs and the effects of jobs over the API: who may, what is refused, and the three verdicts of the papers' method."""

import base64
import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval
from tests.api.conftest import Ask
from tests.api.test_counts import counted
from tests.api.test_plan_and_job_pages import make_plan
from tests.api.world import World, add_change, add_host
from tests.core.benchmarks import samples
from tests.proofs.readings import add_finished_job, add_readings

_number = itertools.count(1)
YES = dict.fromkeys(["restarted_before_each_run", "sessions_checked", "load_balancing_off", "one_change", "san_isolated"], "yes")


def sent(ask: Ask, host_id: str, content: str, *, login: str = "operator", parameters: str = "", at: datetime | None = None) -> Any:
    # A comment makes the file another one: the same file is refused a second time.
    body: dict[str, Any] = {"name": "summary.html", "content": base64.b64encode(f"* {next(_number)}\n{content}".encode()).decode()}
    if parameters:
        body |= {"parameter_name": "parmfile", "parameter_content": base64.b64encode(parameters.encode()).decode()}
    if at is not None:
        body["measured_at"] = at.isoformat()
    return ask(login, "POST", f"/hosts/{host_id}/benchmarks", json=body)


def runs_of(ask: Ask, host_id: str, *rates: float, at: datetime | None = None) -> list[int]:
    """Three runs of the 8K mix in a file, with the parameter file that tells their order."""
    names = [f"rd{number}" for number in range(len(rates))]
    content = samples.vdbench(*(samples.vdbench_run(name=name, rate=rate) for name, rate in zip(names, rates, strict=True)))
    parameters = "wd=wd_mix,xfersize=8192,rdpct=67,seekpct=100\n" + "".join(f"rd={name},wd=wd_mix,elapsed=1200\n" for name in names)
    answer = sent(ask, host_id, content, parameters=parameters, at=at)
    assert answer.status_code == 201, answer.text
    return [run["id"] for run in answer.json()["runs"]]


def proof_of(ask: Ask, host_id: str, before: list[int], after: list[int], **more: Any) -> Any:
    body = {"host_id": host_id, "title": "Flow control", "before": before, "after": after, "answers": YES, **more}
    return ask("operator", "POST", "/proofs", json=body)


@pytest.fixture(scope="module")
def host(world: World) -> str:
    return world.hosts["sql-01"]


def test_a_file_is_imported_with_its_runs_and_loads(ask: Ask, world: World, host: str) -> None:
    at = datetime.now(UTC) - timedelta(minutes=1)
    answer = sent(ask, host, samples.vdbench(samples.vdbench_run()), parameters=samples.BP1057_PARAMETERS, at=at)
    assert answer.status_code == 201, answer.text
    [run] = answer.json()["runs"]
    assert (run["load"]["paper_load"], run["load"]["words"], run["measure"]) == ("8k_random_mix", "8K random, 67% reads", "iops")
    assert (run["results"]["iops"], run["is_time_known"], run["line"]) == (8000.0, True, 5)
    whole = ask("prod-viewer", "GET", f"/benchmark-runs/{run['id']}").json()
    assert (whole["parameter_name"], whole["uploaded_by"], whole["proof_ids"], whole["may_delete"]) == ("parmfile", "operator", [], False)
    listed = ask("viewer", "GET", f"/benchmark-runs?host={host}&tool=vdbench").json()
    assert run["id"] in [each["id"] for each in listed["items"]]
    downloaded = ask("viewer", "GET", f"/benchmark-files/{run['file_id']}")
    assert downloaded.content.endswith(samples.vdbench(samples.vdbench_run()).encode())
    assert downloaded.headers["content-disposition"].startswith("attachment")


def test_a_stopped_run_imports_nothing_and_says_the_line(ask: Ask, host: str) -> None:
    with session_scope() as session:
        before = session.execute(text("SELECT count(*) FROM benchmark_run")).scalar_one()
    content = samples.vdbench(samples.vdbench_run(), samples.vdbench_run(name="rd2", finished=False))
    answer = sent(ask, host, content)
    assert answer.status_code == 422
    line = next(number for number, each in enumerate(content.split("\n"), 2) if "Starting RD=rd2" in each)
    assert f"summary.html, line {line}: run rd2 has no line of averages" in answer.json()["detail"]
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM benchmark_run")).scalar_one() == before


def test_the_same_file_twice_is_refused(ask: Ask, host: str) -> None:
    body = {"name": "a.txt", "content": base64.b64encode(samples.diskspd(requests=1234.0).encode()).decode()}
    assert ask("operator", "POST", f"/hosts/{host}/benchmarks", json=body).status_code == 201
    again = ask("operator", "POST", f"/hosts/{host}/benchmarks", json={**body, "name": "b.txt"})
    assert (again.status_code, "as a.txt" in again.json()["detail"]) == (409, True)


def test_a_future_time_or_bad_base64_is_refused(ask: Ask, host: str) -> None:
    assert sent(ask, host, samples.diskspd(), at=datetime.now(UTC) + timedelta(days=1)).status_code == 422
    answer = ask("operator", "POST", f"/hosts/{host}/benchmarks", json={"name": "a", "content": "%%%"})
    assert answer.status_code == 422


def test_who_may_import_and_delete(ask: Ask, world: World, host: str) -> None:
    for login, status in (("viewer", 403), ("approver", 403), ("admin", 403), ("prod-operator", 201)):
        assert sent(ask, host, samples.diskspd(), login=login).status_code == status
    assert sent(ask, world.hosts["lab-01"], samples.diskspd(), login="prod-operator").status_code == 404
    file_id = sent(ask, host, samples.diskspd()).json()["file_id"]
    assert ask("operator", "DELETE", f"/benchmark-files/{file_id}").status_code == 403
    assert ask("prod-admin", "DELETE", f"/benchmark-files/{file_id}").status_code == 204
    assert ask("admin", "DELETE", f"/benchmark-files/{file_id}").status_code == 404


def test_what_is_outside_the_scope_is_not_there(ask: Ask, world: World) -> None:
    run = sent(ask, world.hosts["lab-01"], samples.diskspd()).json()["runs"][0]
    assert ask("prod-viewer", "GET", f"/benchmark-runs/{run['id']}").status_code == 404
    assert ask("prod-viewer", "GET", f"/benchmark-files/{run['file_id']}").status_code == 404
    listed = ask("prod-viewer", "GET", f"/benchmark-runs?host={world.hosts['lab-01']}").json()
    assert listed["items"] == []


def test_a_clean_gain_of_thirty_percent_is_kept(ask: Ask, world: World, host: str) -> None:
    now = datetime.now(UTC)
    before = runs_of(ask, host, 9950, 10_000, 10_050, at=now - timedelta(hours=3))
    after = runs_of(ask, host, 12_950, 13_000, 13_050, at=now - timedelta(hours=1))
    with session_scope() as session:
        add_change(session, host, ("host", ""), "tcp.autotuning", "normal", "disabled", received_at=now - timedelta(hours=2))
        add_change(session, host, ("host", ""), "tcp.autotuning", "disabled", "normal", received_at=now - timedelta(hours=9))
    made = proof_of(ask, host, before, after)
    assert made.status_code == 201, made.text
    proof = made.json()
    assert (proof["outcome"], proof["advice"], proof["change_percent"]) == ("better", "keep", 30.0)
    assert proof["loads"][0]["before"]["relative_deviation_percent"] == 0.5
    # Two of the paper's three loads are missing, so it is a quick look and says so.
    assert (proof["grade"], len(proof["deviations"])) == ("quick_look", 1)
    assert [(each["old"], each["new"]) for each in proof["changes"]] == [("normal", "disabled")]
    kept = ask("operator", "POST", f"/proofs/{proof['id']}/decision", json={"decision": "keep", "reason": "clear"}).json()
    assert (kept["decision"], kept["decided_by"], kept["may_decide"]) == ("keep", "Operator", False)
    again = ask("operator", "POST", f"/proofs/{proof['id']}/decision", json={"decision": "revert"})
    assert again.status_code == 409
    file_id = proof["before"][0]["file_id"]
    refused = ask("admin", "DELETE", f"/benchmark-files/{file_id}")
    assert (refused.status_code, f"proof {proof['id']} uses" in refused.json()["detail"]) == (409, True)


def test_noisy_runs_are_refused(ask: Ask, host: str) -> None:
    proof = proof_of(ask, host, runs_of(ask, host, 9950, 10_000, 10_050), runs_of(ask, host, 12_610, 13_000, 13_390)).json()
    assert (proof["outcome"], proof["advice"]) == ("run_again", "run_again")
    assert "3.00%" in proof["loads"][0]["reason"]


def test_two_percent_is_no_effect_and_is_waived_with_the_evidence(ask: Ask, host: str) -> None:
    made = proof_of(
        ask, host, runs_of(ask, host, 9950, 10_000, 10_050), runs_of(ask, host, 10_150, 10_200, 10_250),
        pack="plumbline-core", rule="core.paths.two_healthy",
    )  # fmt: skip
    proof = made.json()
    assert (proof["outcome"], proof["advice"], proof["change_percent"]) == ("no_effect", "waive", 2.0)
    assert "8K random, 67% reads: +2.0%" in proof["evidence"]
    assert proof["rule_title"]
    day = (datetime.now(UTC) + timedelta(days=90)).date().isoformat()
    waived = ask("operator", "POST", f"/proofs/{proof['id']}/decision", json={"decision": "waive", "test_again_on": day})
    assert (waived.json()["decision"], waived.json()["test_again_on"]) == ("waive", day)


def test_paper_grade(ask: Ask, host: str) -> None:
    def all_loads(factor: float) -> list[int]:
        parameters = (
            "wd=a,xfersize=8k,rdpct=67,seekpct=100\nwd=b,xfersize=256k,rdpct=100,seekpct=seq\nwd=c,xfersize=256k,rdpct=0,seekpct=seq\n"
            + "".join(f"rd={name}{number},wd={name},elapsed=1200\n" for name in "abc" for number in range(3))
        )
        made = {"a": (8192, 67.0, 8000.0), "b": (262_144, 100.0, 1000.0), "c": (262_144, 0.0, 900.0)}
        content = samples.vdbench(*(
            samples.vdbench_run(name=f"{name}{number}", block=block, read=read, rate=rate * factor)
            for name, (block, read, rate) in made.items() for number in range(3)
        ))  # fmt: skip
        answer = sent(ask, host, content, parameters=parameters)
        return [run["id"] for run in answer.json()["runs"]]

    proof = proof_of(ask, host, all_loads(1.0), all_loads(1.3)).json()
    assert (proof["grade"], proof["deviations"], proof["outcome"], len(proof["loads"])) == ("paper", [], "better", 3)
    less = proof_of(ask, host, all_loads(1.0), all_loads(1.3), answers={**YES, "restarted_before_each_run": "no"}).json()
    assert (less["grade"], less["deviations"]) == ("quick_look", ["the host was not restarted before each run"])


def test_runs_that_are_no_proof_are_refused(ask: Ask, world: World, host: str) -> None:
    now = datetime.now(UTC)
    early = runs_of(ask, host, 100, 100, 100, at=now - timedelta(hours=5))
    late = runs_of(ask, host, 100, 100, 100, at=now - timedelta(hours=4))
    other = runs_of(ask, world.hosts["sql-02"], 100, 100, 100)
    assert "both sides" in proof_of(ask, host, early, [*late, early[0]]).json()["detail"]
    assert "another host" in proof_of(ask, host, early, other).json()["detail"]
    assert "older than" in proof_of(ask, host, late, early).json()["detail"]
    assert proof_of(ask, host, early, [999_999]).status_code == 404
    assert "no rule" in proof_of(ask, host, early, late, pack="p", rule="r").json()["detail"]
    assert "both pack and rule" in proof_of(ask, host, early, late, rule="r").json()["detail"]
    assert "no job" in proof_of(ask, host, early, late, job_id=999_999).json()["detail"]
    assert ask("viewer", "POST", "/proofs", json={"host_id": host, "title": "t", "before": early, "after": late}).status_code == 403
    assert proof_of(ask, host, early, []).status_code == 422


def test_a_decision_is_checked(ask: Ask, host: str) -> None:
    proof = proof_of(ask, host, runs_of(ask, host, 100, 100, 100), runs_of(ask, host, 90, 90, 90)).json()
    assert (proof["outcome"], proof["advice"]) == ("worse", "revert")
    where = f"/proofs/{proof['id']}/decision"
    assert ask("operator", "POST", where, json={"decision": "revert", "plan_id": 999_999}).status_code == 422
    assert ask("operator", "POST", where, json={"decision": "waive", "test_again_on": "2020-01-01"}).status_code == 422
    assert ask("viewer", "POST", where, json={"decision": "keep"}).status_code == 403
    assert ask("operator", "POST", "/proofs/999999/decision", json={"decision": "keep"}).status_code == 404


def test_proofs_are_listed_newest_first_by_pages(ask: Ask, host: str) -> None:
    first = ask("viewer", "GET", f"/proofs?host={host}&limit=2").json()
    assert [each["id"] for each in first["items"]] == sorted((each["id"] for each in first["items"]), reverse=True)
    following = ask("viewer", "GET", f"/proofs?host={host}&limit=2&after={first['next']}").json()
    assert following["items"][0]["id"] < first["items"][-1]["id"]
    assert ask("nobody", "GET", f"/proofs?host={host}").status_code in (200, 403)


def test_lists_cost_the_same_for_any_number_of_rows(ask: Ask, host: str) -> None:
    for path, most in (("/benchmark-runs", 4), ("/proofs", 7)):
        costs = []
        for limit in (1, 50):
            ask("admin", "GET", f"{path}?limit={limit}")
            with counted() as seen:
                assert ask("admin", "GET", f"{path}?limit={limit}").status_code == 200
            costs.append(len(seen))
        assert costs[0] == costs[1] <= most


def test_the_method_names_its_bounds_and_the_papers_results(ask: Ask) -> None:
    method = ask("viewer", "GET", "/proofs/method").json()
    assert (method["runs"], method["largest_deviation_percent"], method["significant_from_percent"]) == (3, 1.0, 5.0)
    assert {each["name"] for each in method["questions"]} == set(YES)
    assert any(each["value"] == 2008 and each["paper"] == "chelsio" for each in method["references"])


def test_the_share_of_storage_beside_other_traffic(ask: Ask, host: str) -> None:
    """The Chelsio paper's figures: 1,563 of 2,008 MB/s at 80 %, 210 at 10 %, 1,443 without QoS."""

    def run(megabytes: float) -> int:
        text_ = samples.diskspd(requests=megabytes * 1024 * 1024 / 262_144, write=100, order="sequential", block="256KiB", duration=300)
        return int(sent(ask, host, text_).json()["runs"][0]["id"])

    alone = run(2008)
    for megabytes, configured, achieved, conformance in ((1563, 80, 78, "within"), (210, 10, 10.5, "within"), (1000, 80, 49.8, "below")):
        share = ask("viewer", "GET", f"/benchmark-runs/{run(megabytes)}/share?alone={alone}&configured={configured}").json()
        assert (share["conformance"], share["achieved_percent"]) == (conformance, pytest.approx(achieved, abs=0.3))
    unmanaged = ask("viewer", "GET", f"/benchmark-runs/{run(1443)}/share?alone={alone}").json()
    assert (unmanaged["conformance"], unmanaged["achieved_percent"]) == ("unmanaged", pytest.approx(72, abs=0.3))
    assert ask("viewer", "GET", f"/benchmark-runs/{alone}/share?alone={alone}").status_code == 422
    other = sent(ask, host, samples.diskspd()).json()["runs"][0]["id"]
    assert "different loads" in ask("viewer", "GET", f"/benchmark-runs/{other}/share?alone={alone}").json()["detail"]


def test_a_job_is_compared_with_untreated_hosts_of_its_cluster(ask: Ask, world: World) -> None:
    now = datetime.now(UTC)
    started, finished = now - timedelta(minutes=70), now - timedelta(minutes=65)
    with session_scope() as session:
        group = world.groups["prod_b"]
        names = ["fx-0", "fx-1", "fx-2", "fx-3", "fx-treated"]
        for name in names:
            world.hosts[name] = add_host(session, name, group_id=group, cluster="FX")
        begun = started - timedelta(minutes=60)
        for number, name in enumerate(names[:4]):
            after = 0.40 + 0.01 * (number % 2)
            add_readings(session, world.hosts[name], begun - timedelta(minutes=10), minutes=5, steps=14, percent=0.40, load=1e8)
            add_readings(session, world.hosts[name], started, minutes=5, steps=14, percent=after, load=1e8)
        job = add_finished_job(session, world, "fx-treated", started, finished)
        treated = world.hosts["fx-treated"]
        add_readings(session, treated, begun - timedelta(minutes=10), minutes=5, steps=14, percent=0.47, load=1e8)
        add_readings(session, treated, started, minutes=5, steps=14, percent=0.01, load=1e8)
        # Another host of the cluster had a job of its own at that time, so it is no untreated one.
        world.hosts["fx-other"] = add_host(session, "fx-other", group_id=group, cluster="FX")
        add_finished_job(session, world, "fx-other", started, finished)
    effect = ask("viewer", "GET", f"/jobs/{job}/effect").json()
    assert (effect["controls_from"], sorted(each["name"] for each in effect["controls"])) == ("cluster", ["fx-0", "fx-1", "fx-2", "fx-3"])
    hour = effect["windows"][0]
    assert (hour["hours"], hour["is_over"]) == (1, True)
    by_name = {each["name"]: each for each in hour["counters"]}
    retransmits = by_name["tcp_retransmit_percent"]
    assert (retransmits["before"], retransmits["after"], retransmits["answer"]) == (pytest.approx(0.47), pytest.approx(0.01), "better")
    assert retransmits["controls_before"] == pytest.approx(0.40)
    assert retransmits["high"] < 0
    assert (by_name["cpu_percent"]["answer"], by_name["throughput"]["answer"]) == ("no_effect", "no_effect")
    assert effect["windows"][1]["is_over"] is False
    assert "proven" not in str(effect)


def test_what_fixing_a_rule_did_here(ask: Ask, world: World) -> None:
    """The job above fixed the rule `r` of the pack `p`, as `make_plan` has it."""
    effect = ask("viewer", "GET", "/rules/p/r/effect").json()
    assert effect["jobs"] >= 1
    retransmits = next(each for each in effect["counters"] if each["name"] == "tcp_retransmit_percent")
    assert (retransmits["jobs"], retransmits["before"], retransmits["after"]) == (1, pytest.approx(0.47), pytest.approx(0.01))
    assert ask("viewer", "GET", "/rules/p/other/effect").json()["counters"] == []
    assert ask("nobody", "GET", "/rules/p/r/effect").status_code == 403


def test_a_quiet_hour_after_a_job_is_no_gain(ask: Ask, world: World) -> None:
    now = datetime.now(UTC)
    started, finished = now - timedelta(hours=9), now - timedelta(hours=9) + timedelta(minutes=1)
    with session_scope() as session:
        world.hosts["fx-quiet"] = add_host(session, "fx-quiet", group_id=world.groups["prod_b"], cluster="FXQ")
        quiet = world.hosts["fx-quiet"]
        add_readings(session, quiet, started - timedelta(minutes=70), minutes=5, steps=14, percent=0.47, load=1e8)
        add_readings(session, quiet, started, minutes=5, steps=14, percent=0.0, load=1e6)
        job = add_finished_job(session, world, "fx-quiet", started, finished)
    effect = ask("viewer", "GET", f"/jobs/{job}/effect").json()
    answers = {each["name"]: each["answer"] for each in effect["windows"][0]["counters"]}
    assert answers["tcp_retransmit_percent"] == "load_differs"


def test_a_job_without_counters_or_an_end_has_nothing_to_say(ask: Ask, world: World) -> None:
    with session_scope() as session:
        plan = make_plan(session, world, "sql-02", "RUNNING")
        author = world.people["operator"]
        session.add(Approval(plan_id=plan.id or 0, kind="person", payload="{}", signature=b"", key_id="k", author_id=author))
        session.flush()
        job = Job(plan_id=plan.id or 0, host_id=world.hosts["sql-02"], group_id=world.groups["prod_b"], not_after=datetime.now(UTC))
        session.add(job)
        session.flush()
        job_id = job.id
    assert ask("viewer", "GET", f"/jobs/{job_id}/effect").json()["windows"] == []
    assert ask("viewer", "GET", "/jobs/999999/effect").status_code == 404
