"""kill -9 of the runner before every line of a step: whatever line it was, the next attempt ends the step, and nothing is set twice."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.runner.workbench import PYTHON_3, VMK, Answer, Esxi, esxi, validator

CRASH = str(Path(__file__).with_name("crash.py"))
LRO = "host//net.lro"
# Every how many places the short form looks; the exhaustive one looks at each.
STRIDE = 45


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Esxi]:
    with esxi(tmp_path_factory.mktemp("crash"), engine=PYTHON_3) as found:
        found.host.set("fault.restart_seconds", 0, cause="test")
        found.attempt = 0  # type: ignore[attr-defined]
        yield found


def _step(host: Esxi) -> list[dict[str, str]]:
    """Both settings to their other value, so that one host serves every place."""
    now = host.values(VMK, LRO)
    others = {VMK: "8900" if now[VMK] == "9000" else "9000", LRO: "0" if now[LRO] == "1" else "1"}
    return [host.element(setting, others[setting], seen=now[setting]) for setting in (VMK, LRO)]


def _crash(host: Esxi, at: int, verb: str, **given: object) -> tuple[Answer, int]:
    """One request whose detached process dies before the place of that number; its answer, and how many places there are."""
    count = host.machine.folder / "places"
    count.unlink(missing_ok=True)
    done = subprocess.run(
        [*PYTHON_3, CRASH, str(host.program / "host_runner.py")],
        input=json.dumps(host.request(verb, **given)).encode(),
        capture_output=True,
        env=host.machine.environment() | {"CRASH_AT": str(at), "CRASH_COUNT": str(count)},
        timeout=60,
        check=False,
    )
    assert done.stderr == b"", done.stderr.decode()
    answer: Answer = json.loads(done.stdout)
    validator("answer").validate(answer)
    host.settled()
    return answer, _counted(count) if at == 0 else 0


def _counted(count: Path) -> int:
    """The number of places, once the detached process has been silent for two seconds: it counts on after its last answer."""
    begun = time.monotonic()
    while not count.exists():
        assert time.monotonic() - begun < 20, "the detached process counted no place"
        time.sleep(0.05)
    found, since = int(count.read_text()), time.monotonic()
    while time.monotonic() - since < 2:
        now = int(count.read_text())
        if now != found:
            found, since = now, time.monotonic()
        time.sleep(0.05)
    return found


def _places(host: Esxi, verb: str) -> int:
    host.new_operation()
    _next_attempt(host)
    step = _step(host)
    if verb == "revert":
        begun = host.ask("begin", step=step, deadman_s=600)
        assert begun["state"] in ("started", "done"), begun
        host.settled()
        _, places = _crash(host, 0, "revert")
    else:
        _, places = _crash(host, 0, "begin", step=step, deadman_s=600)
        assert host.ask("confirm")["state"] == "confirmed"
    return places


def _next_attempt(host: Esxi) -> None:
    host.attempt += 1  # type: ignore[attr-defined]
    host.ready(7, host.attempt)  # type: ignore[attr-defined]


def _asked_once_free(host: Esxi, verb: str) -> Answer:
    """Asks again while something else is at work, as an engine does: a process that was killed holds its lock until it is gone."""
    until = time.monotonic() + 20
    while True:
        answer = host.ask(verb)
        if (answer["state"], answer["reason"]) != ("refused", "busy") or time.monotonic() > until:
            return answer
        time.sleep(0.05)


def _survive_begin(host: Esxi, at: int) -> None:
    host.new_operation()
    _next_attempt(host)
    step = _step(host)
    answer, _ = _crash(host, at, "begin", step=step, deadman_s=600)
    assert answer["state"] in ("none", "started", "done"), (at, answer)
    found = host.ask("receipt")
    assert (found["state"], found["reason"]) in (("none", None), ("started", None), ("done", None)), (at, found)
    if found["state"] == "none":
        assert host.effects() == [], at
    _next_attempt(host)
    begun = host.ask("begin", step=step, deadman_s=600)
    assert begun["state"] in ("started", "done"), begun
    done = host.settled()
    assert (done["state"], done["wrote"]) == ("done", [VMK, LRO]), (at, done)
    assert host.effects() == [(one["setting"], one["seen"], one["target"]) for one in step], at
    assert host.ask("confirm")["state"] == "confirmed", at
    # No effect of nobody: an intent was on disk before each.
    assert not [row for row in host.host.read_journal() if row["cause"] == "runner" and row["op_id"] == ""], at


def _survive_revert(host: Esxi, at: int) -> None:
    host.new_operation()
    _next_attempt(host)
    step = _step(host)
    begun = host.ask("begin", step=step, deadman_s=600)
    assert begun["state"] in ("started", "done"), begun
    assert host.settled()["state"] == "done"
    _crash(host, at, "revert")
    found = host.ask("receipt")
    assert found["state"] in ("done", "started", "reverted"), (at, found)
    _next_attempt(host)
    asked = _asked_once_free(host, "revert")
    assert asked["state"] in ("started", "reverted"), (at, asked)
    done = host.settled()
    assert (done["state"], done["deadman"]) == ("reverted", "disarmed"), (at, done)
    assert host.effects(reverting=True) == [(one["setting"], one["target"], one["inverse"]) for one in step], at


@pytest.mark.timeout(900)
def test_a_kill_at_places_all_over_a_step_loses_and_doubles_nothing(host: Esxi) -> None:
    places = _places(host, "begin")
    assert places > 150
    for at in range(1, places + 1, STRIDE):
        _survive_begin(host, at)


@pytest.mark.timeout(900)
def test_a_kill_at_places_all_over_a_revert_loses_and_doubles_nothing(host: Esxi) -> None:
    places = _places(host, "revert")
    assert places > 100
    for at in range(1, places + 1, STRIDE * 2):
        _survive_revert(host, at)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_kill_at_every_place_of_a_step_and_of_a_revert(host: Esxi) -> None:
    for at in range(1, _places(host, "begin") + 1):
        _survive_begin(host, at)
    for at in range(1, _places(host, "revert") + 1):
        _survive_revert(host, at)
