"""What the agent does with each response of the server, over a real HTTP connection."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.esxi.workbench import (
    AGENT,
    HOST_ID,
    SECRET,
    Answer,
    Arrival,
    agent,
    check_in,
    check_in_server,
    enrolled,
    python_27,
    receipt,
    write_samples,
)


def an_agent(state: Path, url: str, **settings: object) -> Any:
    """An enrolled agent without pace between check-ins."""
    return agent.Agent(enrolled(state, url, **settings), "boot-1", 0)


def send_all(one: Any) -> bool:
    """Drains as far as can be done without waiting."""
    return bool(agent.drain_once(one, agent.monotonic() + 20))


def test_a_signed_check_in_with_all_bodies_first_then_a_heartbeat(tmp_path: Path) -> None:
    with check_in_server() as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a", iscsi="b"))
        assert send_all(one)
        one.spool.add(check_in(2, nics="a", iscsi="c"))
        assert send_all(one)
        one.spool.add(check_in(3, nics="a", iscsi="c"))
        assert send_all(one)
    first, second, third = server.arrivals
    assert all(arrival.is_signed() and arrival.path == "/agent/v1/check-in" for arrival in server.arrivals)
    assert [arrival.seq for arrival in server.arrivals] == [1, 2, 3]
    assert (sorted(first.bodies()), sorted(second.bodies()), sorted(third.bodies())) == (["iscsi", "nics"], ["iscsi"], [])
    assert first.headers["plumbline-host"] == HOST_ID
    assert len({arrival.headers["plumbline-id"] for arrival in server.arrivals}) == 3
    assert list((tmp_path / "spool").iterdir()) == []


def test_a_changed_byte_is_not_signed(tmp_path: Path) -> None:
    with check_in_server() as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        send_all(one)
    arrival = server.arrivals[0]
    assert arrival.is_signed()
    assert not arrival.is_signed("22" * 32)
    arrival.headers["plumbline-seq"] = "2"
    assert not arrival.is_signed()


def test_wanted_bodies_go_along_with_the_same_seq_and_line_and_a_new_id(tmp_path: Path) -> None:
    with check_in_server() as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a", iscsi="b"))
        send_all(one)
        server.answers = [(409, {}, {"want": ["nics"]})]
        one.spool.add(check_in(2, nics="a", iscsi="c"))
        assert send_all(one)
    _, asked, again = server.arrivals
    assert (asked.seq, asked.lines[0]) == (again.seq, again.lines[0])
    assert (sorted(asked.bodies()), sorted(again.bodies())) == (["iscsi"], ["iscsi", "nics"])
    assert asked.headers["plumbline-id"] != again.headers["plumbline-id"]


def test_a_wanted_body_that_is_gone_is_set_aside_and_goes_along_next_time(tmp_path: Path) -> None:
    with check_in_server() as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        send_all(one)
        one.spool.add(check_in(2, nics="a"))
        (tmp_path / "bodies" / "nics").write_bytes(b"something else")
        server.answers = [(409, {}, {"want": ["nics"]})]
        assert send_all(one)
        assert [path.name for path in (tmp_path / "rejected").iterdir()] == ["000000000002.checkin"]
        assert one.spool.counts()["rejected"] == 1
        one.spool.add(check_in(3, nics="a"))
        assert send_all(one)
    assert sorted(server.arrivals[-1].bodies()) == ["nics"]


def test_asking_for_ever_ends_in_a_wait(tmp_path: Path) -> None:
    with check_in_server(*[(409, {}, {"want": ["nics"]})] * 5) as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        assert not send_all(one)
        assert one.waiting.left() >= 0
        assert one.waiting.tries == 1
    assert len(server.arrivals) == 2


@pytest.mark.parametrize(
    "again", [lambda arrival: (200, {}, {"seq": arrival.seq + 1, "digest": arrival.digest}), (200, {}, b"<html>"), (204, {}, b"")]
)
def test_an_answer_that_is_not_our_receipt_deletes_nothing(again: Any, tmp_path: Path) -> None:
    with check_in_server(again) as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        assert not send_all(one)
        assert one.spool.waiting() == [1]
        assert server.arrivals[0].is_signed()


@pytest.mark.parametrize(("status", "body"), [(401, {}), (403, {}), (409, {"seq_used": 1}), (409, {"code": "seq_used"})])
def test_what_only_a_person_can_mend_waits_about_an_hour_and_collecting_goes_on(status: int, body: dict[str, Any], tmp_path: Path) -> None:
    with check_in_server((status, {}, body)) as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        assert not send_all(one)
        assert 3600 <= one.waiting.left() <= 4500
        one.spool.add(check_in(2, nics="b"))
        assert not send_all(one)
        assert one.spool.waiting() == [1, 2]
        assert len(server.arrivals) == 1
        # The wait outlives the process, and not the boot.
        assert agent.Waiting(str(tmp_path), "boot-1").left() > 3500
        assert agent.Waiting(str(tmp_path), "boot-2").left() == 0


def test_422_sets_aside_five_at_most_and_goes_on(tmp_path: Path) -> None:
    with check_in_server(*[(422, {}, {"detail": "line 1: no"})] * 7) as server:
        one = an_agent(tmp_path, server.url)
        for number in range(8):
            one.spool.add(check_in(number, nics=str(number)))
        assert send_all(one)
    assert len(list((tmp_path / "rejected").iterdir())) == 5
    assert one.spool.counts()["rejected"] == 7
    assert server.arrivals[-1].seq == 8


def test_413_leaves_out_the_largest_body_of_the_next_one(tmp_path: Path) -> None:
    with check_in_server((413, {}, {})) as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a", paths="b" * 1000))
        assert send_all(one)
    assert one.spool.counts()["too_big"] == "paths"
    assert len(server.arrivals) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_obeyed_with_jitter_added(status: int, tmp_path: Path) -> None:
    waits = []
    for number in range(12):
        with check_in_server((status, {"Retry-After": "120"}, {})) as server:
            one = an_agent(tmp_path / str(number), server.url)
            one.spool.add(check_in(1, nics="a"))
            assert not send_all(one)
            waits.append(one.waiting.left())
    assert min(waits) >= 119
    assert max(waits) <= 126
    assert len({round(wait, 2) for wait in waits}) > 6


@pytest.mark.parametrize("answer", [(500, {}, b""), (502, {}, b"<html>"), (503, {}, {}), (302, {"Location": "http://x/"}, b"")])
def test_any_other_status_is_tried_again_later(answer: Answer, tmp_path: Path) -> None:
    with check_in_server(answer):
        one = an_agent(tmp_path, "http://127.0.0.1:1")
    with check_in_server(answer) as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        assert not send_all(one)
        assert (one.waiting.tries, one.spool.waiting()) == (1, [1])
        one.waiting.until = None
        assert send_all(one)
        assert one.waiting.tries == 0


def test_no_answer_at_all(tmp_path: Path) -> None:
    one = an_agent(tmp_path, "http://127.0.0.1:1")
    one.spool.add(check_in(1, nics="a"))
    assert not send_all(one)
    assert (one.waiting.tries, one.spool.waiting()) == (1, [1])


def test_a_new_secret_is_used_from_the_next_check_in_on(tmp_path: Path) -> None:
    new = "ab" * 32
    with check_in_server(lambda arrival: receipt(arrival, secret={"secret": new, "generation": 2})) as server:
        one = an_agent(tmp_path, server.url)
        one.spool.add(check_in(1, nics="a"))
        one.spool.add(check_in(2, nics="b"))
        assert send_all(one)
    assert server.arrivals[0].is_signed(SECRET)
    assert server.arrivals[1].is_signed(new)
    assert server.arrivals[1].headers["plumbline-generation"] == "2"
    assert json.loads((tmp_path / "agent.json").read_text())["secret"] == new


def test_want_later_sends_an_unchanged_body_along(tmp_path: Path) -> None:
    with check_in_server(
        lambda arrival: receipt(arrival, want_later=["nics"]), *[lambda arrival: receipt(arrival, next_seconds=600)] * 2
    ) as server:
        one = an_agent(tmp_path, server.url)
        for number in range(3):
            one.spool.add(check_in(number, nics="a", iscsi="b"))
            assert send_all(one)
    assert [sorted(arrival.bodies()) for arrival in server.arrivals] == [["iscsi", "nics"], ["nics"], []]
    assert json.loads((tmp_path / "agent.json").read_text())["interval_seconds"] == 600


def test_oldest_first_at_its_pace(tmp_path: Path) -> None:
    with check_in_server() as server:
        one = agent.Agent(enrolled(tmp_path, server.url), "boot-1", 0.2)
        for number in range(4):
            one.spool.add(check_in(number, nics=str(number)))
        began = agent.monotonic()
        assert one.drain(began + 30)
        assert agent.monotonic() - began >= 0.6
    assert [arrival.seq for arrival in server.arrivals] == [1, 2, 3, 4]


def run_agent(folder: Path, engine: list[str], *arguments: str, recording: str = "5.5") -> subprocess.CompletedProcess[bytes]:
    """The real file as a process, with its state below `folder`."""
    return subprocess.run(
        [*engine, str(AGENT), "--state", str(folder / "state"), "--pace-seconds", "0", *arguments],
        capture_output=True,
        env=write_samples.environment(folder, recording),
        timeout=120,
        check=False,
    )


def enrolment(arrival: Arrival) -> Answer:
    """The server's answer to an enrolment."""
    return 200, {}, {"host_id": HOST_ID, "secret": SECRET, "epoch": 1, "generation": 1, "interval_seconds": 900, "state": "waiting"}


@pytest.mark.parametrize("engine", ["3", *VERSIONS])
def test_from_a_token_to_a_receipt(engine: str, tmp_path: Path) -> None:
    command = [sys.executable] if engine == "3" else old_python(engine) or (python_27() if engine == "2.7" else None)
    if command is None:
        pytest.skip(missing(engine))
    with check_in_server((503, {}, {}), enrolment) as server:
        refused = run_agent(tmp_path, command, "--enrol", server.url, "TOKEN-1", "--name", "esx-a01")
        assert refused.returncode == 1
        done = run_agent(tmp_path, command, "--enrol", server.url, "TOKEN-1", "--name", "esx-a01")
        assert done.returncode == 0, done.stderr.decode()
        asked = [json.loads(arrival.wire) for arrival in server.arrivals]
        # The lost answer burned no token: the second try carries the same nonce.
        assert asked[0] == asked[1]
        assert {name: asked[0][name] for name in ("token", "name", "platform", "agent_version")} == {
            "token": "TOKEN-1",
            "name": "esx-a01",
            "platform": "esxi",
            "agent_version": agent.VERSION,
        }
        assert b" * * * * sleep " in done.stdout
        server.arrivals.clear()
        assert run_agent(tmp_path, command, "--once").returncode == 0
        assert run_agent(tmp_path, command, "--once").returncode == 0
    first, second = server.arrivals
    assert first.is_signed()
    assert second.is_signed()
    assert len(first.bodies()) == 11
    assert second.bodies() == {}
    assert len(second.wire) < 2048
    boots = {json.loads(arrival.lines[0])["boot"] for arrival in (first, second)}
    assert boots == {(tmp_path / "run" / "boot").read_text()}
    assert (tmp_path / "state" / "agent.json").stat().st_mode & 0o077 == 0


def test_a_second_instance_steps_back(tmp_path: Path) -> None:
    enrolled(tmp_path / "state", "http://127.0.0.1:1")
    (tmp_path / "run").mkdir()
    lock = agent.Lock(str(tmp_path / "run"), str(tmp_path / "state"))
    assert lock.take()
    try:
        assert run_agent(tmp_path, [sys.executable], "--once").returncode == 4
    finally:
        os.close(lock.handle)


def test_enrolled_again_with_a_higher_epoch_the_spool_is_numbered_anew(tmp_path: Path) -> None:
    one = an_agent(tmp_path, "http://127.0.0.1:1")
    made = [check_in(number, nics=str(number)) for number in range(3)]
    for item in made:
        one.spool.add(item)
    agent.remove(one.spool.path(1))
    with check_in_server(lambda _: (200, {}, enrolment(_)[2] | {"epoch": 2})) as server:  # type: ignore[operator]
        agent.enrol(str(tmp_path), server.url, "TOKEN-2", None, None, "esx-a01")
        again = agent.Agent(str(tmp_path), "boot-1", 0)
        assert again.spool.waiting() == [1, 2]
        assert send_all(again)
    assert [(arrival.seq, arrival.headers["plumbline-epoch"]) for arrival in server.arrivals[1:]] == [(1, "2"), (2, "2")]
    assert [arrival.lines[0] for arrival in server.arrivals[1:]] == [item.line for item in made[1:]]


def test_show_prints_and_sends_nothing(tmp_path: Path) -> None:
    done = run_agent(tmp_path, [sys.executable], "--show")
    assert done.returncode == 0
    assert b"section iscsi:" in done.stdout
    assert b"DelayedAck" in done.stdout
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("arguments", [["--onse"], ["--enrol", "http://x"], ["--state"]])
def test_wrong_use_is_told(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(AGENT), *arguments], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"plumbline: ")


def test_not_enrolled_is_told(tmp_path: Path) -> None:
    done = run_agent(tmp_path, [sys.executable], "--once")
    assert done.returncode == 1
    assert b"--enrol" in done.stderr
