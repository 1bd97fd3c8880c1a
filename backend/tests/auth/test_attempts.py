"""Guessing is limited, strangers keep no one out by guessing, and each guess leaves a trace; passwords are checked two at a time."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
import uvicorn
from sqlmodel import select, text

from plumbline import auth
from plumbline.auth import known_places, passwords
from plumbline.auth.attempts import TRIES_PER_ACCOUNT, TRIES_PER_NETWORK, TRIES_PER_SESSION, Attempt, network_of
from plumbline.auth.sign_in import with_password
from plumbline.infra.database import session_scope
from plumbline.infra.errors import TooManyRequests
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import FailedSignIn
from tests.api.conftest import the_app
from tests.api.test_counts import counted
from tests.api.world import WRITE

PASSWORD = "vine kettle orbit ten"
HOME, ELSEWHERE = "198.51.100.7", "203.0.113.9"


@pytest.fixture
def base(fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The application behind a trusted proxy on this machine, so that a test sets where a request comes from. Passwords cost nothing."""
    for module in ("sessions", "sign_in"):
        name = f"plumbline.auth.{module}.verify_password"
        monkeypatch.setattr(name, lambda password, stored: (password == PASSWORD and stored is not None, None))
    with session_scope() as session:
        auth.create_person(session, actor="system", login="ana", display_name="Ana", password=PASSWORD, roles=[("admin", 1)])
    config = uvicorn.Config(the_app(), host="127.0.0.1", port=0, log_level="error", forwarded_allow_ips=["127.0.0.1"])
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    limit = time.monotonic() + 20
    while not server.started and time.monotonic() < limit:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/api/v1"
    server.should_exit = True
    thread.join(20)


def sign_in(base: str, login: str = "ana", password: str = PASSWORD, *, place: str = HOME) -> httpx.Response:
    return httpx.post(
        f"{base}/session", json={"login": login, "password": password}, headers={**WRITE, "x-forwarded-for": place}, timeout=30
    )


def age_tries(minutes: int) -> None:
    with session_scope() as session:
        session.execute(text("UPDATE failed_sign_in SET at = at - make_interval(mins => :minutes)"), {"minutes": minutes})


def entries(action: str) -> list[AuditEntry]:
    with session_scope() as session:
        return list(session.exec(select(AuditEntry).where(AuditEntry.action == action).order_by(AuditEntry.id)))  # type: ignore[arg-type]


def test_ten_tries_from_a_network_then_the_right_password_is_refused_there(base: str) -> None:
    answers = [sign_in(base, password=f"wrong number {number}").status_code for number in range(TRIES_PER_ACCOUNT)]
    assert answers == [401] * TRIES_PER_ACCOUNT
    late = sign_in(base)
    assert late.status_code == 429
    assert int(late.headers["retry-after"]) == 900
    age_tries(16)
    assert sign_in(base).status_code == 200
    assert sign_in(base).status_code == 200


def test_tries_of_a_time_at_which_the_clock_was_ahead_keep_nobody_out(base: str) -> None:
    for number in range(TRIES_PER_ACCOUNT):
        sign_in(base, password=f"wrong number {number}")
    age_tries(-60 * 24 * 400)
    assert sign_in(base).status_code == 200
    with session_scope() as session:
        assert session.exec(select(FailedSignIn)).all() == []


def test_a_session_that_was_used_while_the_clock_was_ahead_has_ended(base: str) -> None:
    with httpx.Client(cookies=sign_in(base).cookies) as client:
        assert client.get(f"{base}/session").status_code == 200
        with session_scope() as session:
            session.execute(
                text("UPDATE web_session SET last_used_at = now() + interval '400 days', expires_at = now() + interval '401 days'")
            )
        assert client.get(f"{base}/session").status_code == 401


def test_a_stranger_elsewhere_keeps_nobody_out(base: str) -> None:
    for number in range(TRIES_PER_ACCOUNT + 5):
        sign_in(base, password=f"wrong number {number}", place=ELSEWHERE)
    assert sign_in(base, place=ELSEWHERE).status_code == 429
    assert sign_in(base, place=HOME).status_code == 200


def test_refused_tries_do_not_extend_the_lock(base: str) -> None:
    for number in range(TRIES_PER_ACCOUNT):
        sign_in(base, password=f"wrong number {number}")
    age_tries(14)
    assert [sign_in(base, password="again").status_code for _ in range(3)] == [429] * 3
    age_tries(2)
    assert sign_in(base).status_code == 200


def test_the_limit_of_a_network_does_not_hold_for_whoever_signed_in_from_it(base: str) -> None:
    assert sign_in(base).status_code == 200
    answers = [sign_in(base, f"login-{number}", "x").status_code for number in range(TRIES_PER_NETWORK + 2)]
    assert answers == [401] * TRIES_PER_NETWORK + [429, 429]
    assert sign_in(base).status_code == 200
    assert sign_in(base, "login-1", "x").status_code == 429


def test_guessing_one_account_from_many_networks_has_a_limit_that_spares_the_person(base: str) -> None:
    assert sign_in(base).status_code == 200
    with session_scope() as session:
        session.add_all(FailedSignIn(login="ana", network=f"203.0.{number}.0/24") for number in range(100))
    assert sign_in(base, place=ELSEWHERE).status_code == 429
    assert sign_in(base, place=HOME).status_code == 200


def test_tries_that_arrive_together_are_counted_one_by_one(base: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: _count(number), range(30)))
    assert answers.count(True) == TRIES_PER_ACCOUNT


def _count(number: int) -> bool:
    try:
        Attempt.of_sign_in("ana", f"198.51.100.{number}").count()
    except TooManyRequests:
        return False
    return True


def test_a_wrong_confirmation_counts_for_its_session_only(base: str) -> None:
    with httpx.Client(base_url=base, headers={**WRITE, "x-forwarded-for": HOME}, timeout=30) as one:
        one.post("/session", json={"login": "ana", "password": PASSWORD})
        answers = [one.post("/session/reauthenticate", json={"password": "x"}).status_code for _ in range(TRIES_PER_SESSION)]
        assert answers == [401] * TRIES_PER_SESSION
        assert one.post("/session/reauthenticate", json={"password": PASSWORD}).status_code == 429
    with httpx.Client(base_url=base, headers={**WRITE, "x-forwarded-for": HOME}, timeout=30) as other:
        assert other.post("/session", json={"login": "ana", "password": PASSWORD}).status_code == 200
        assert other.post("/session/reauthenticate", json={"password": PASSWORD}).status_code == 204
    assert [entry.after for entry in entries("session.confirmation_refused")] == [{"tries": 1}]
    assert [entry.after for entry in entries("session.locked_out")] == [{"tries": TRIES_PER_SESSION}]


def test_failed_sign_ins_and_lock_outs_leave_few_entries_and_no_password(base: str) -> None:
    for number in range(TRIES_PER_ACCOUNT + 5):
        sign_in(base, password=f"wrong number {number}", place=ELSEWHERE)
    sign_in(base, "a password typed as login", "x", place=ELSEWHERE)
    refused, locked = entries("session.refused"), entries("session.locked_out")
    assert [(entry.object_kind, entry.after) for entry in refused] == [("person", {"network": "203.0.113.0/24", "tries": 1})]
    assert [entry.after for entry in locked] == [{"network": "203.0.113.0/24", "tries": TRIES_PER_ACCOUNT}]
    with session_scope() as session:
        everything = str([entry.model_dump() for entry in session.exec(select(AuditEntry))])
    assert "wrong number" not in everything
    assert "typed as login" not in everything


def test_networks() -> None:
    assert network_of("10.1.2.3") == network_of("10.1.2.200") != network_of("10.1.3.3")
    assert network_of("2001:db8::1") == network_of("2001:db8:0:0:1::1")


def test_two_at_a_time_a_few_wait_and_the_rest_is_told_when_to_come_back() -> None:
    inside, most = [0], [0]
    lock, gate = threading.Lock(), threading.Event()

    def check(place: str) -> str:
        try:
            with passwords.turn(place):
                with lock:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                gate.wait(10)
                with lock:
                    inside[0] -= 1
        except passwords.Busy as error:
            return f"{error.status}, again in {error.retry_after_seconds} s"
        return "done"

    with ThreadPoolExecutor(20) as pool:
        flood = [pool.submit(check, "203.0.113.0/24") for _ in range(12)]
        # Half of the queue is open to all others, however many come from one place.
        _until(lambda: sum(each.done() for each in flood) == 12 - passwords.AT_A_TIME - passwords.MOST_WAITING // 2)
        victim = pool.submit(check, "198.51.100.0/24")
        time.sleep(0.1)
        assert not victim.done()
        gate.set()
        assert victim.result(10) == "done"
        answers = [each.result(10) for each in flood]
    assert most[0] == passwords.AT_A_TIME
    assert answers.count("503, again in 3 s") == 12 - passwords.AT_A_TIME - passwords.MOST_WAITING // 2


def test_people_who_are_known_at_their_place_come_before_a_flood_from_many_places() -> None:
    gate, order, lock = threading.Event(), [], threading.Lock()

    def check(place: str, *, is_known: bool = False) -> str:
        try:
            with passwords.turn(place, is_known=is_known):
                with lock:
                    order.append(place)
                gate.wait(10)
        except passwords.Busy:
            return "busy"
        return "done"

    with ThreadPoolExecutor(20) as pool:
        flood = [pool.submit(check, f"10.0.{number}.0/24") for number in range(12)]
        _until(lambda: sum(each.done() for each in flood) == 12 - passwords.AT_A_TIME - passwords.MOST_WAITING)
        known = [pool.submit(check, HOME, is_known=True) for _ in range(passwords.MOST_KNOWN_WAITING)]
        _until(lambda: passwords._turns._known_waiting == passwords.MOST_KNOWN_WAITING)
        # A place more is not kept for them: then they are as all others.
        assert check(HOME, is_known=True) == "busy"
        gate.set()
        assert [each.result(10) for each in known] == ["done"] * passwords.MOST_KNOWN_WAITING
        assert [each.result(10) for each in flood].count("done") == passwords.AT_A_TIME + passwords.MOST_WAITING
    assert order[passwords.AT_A_TIME : passwords.AT_A_TIME + passwords.MOST_KNOWN_WAITING] == [HOME] * passwords.MOST_KNOWN_WAITING


def test_a_flood_of_sign_ins_costs_no_query_and_people_who_are_known_still_come_in(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sign_in(base).status_code == 200
    monkeypatch.setattr(known_places, "_known", known_places._KnownPlaces())
    assert known_places.has("ana", network_of(HOME))
    with ExitStack() as places, session_scope() as session:
        for _ in range(passwords.AT_A_TIME + passwords.MOST_WAITING):
            places.enter_context(passwords.asking(is_likely_known=False))
        with counted() as statements, pytest.raises(passwords.Busy):
            with_password(session, login="stranger", password="not the right one", address=HOME, agent="")
        assert statements == []
        assert with_password(session, login="Ana", password=PASSWORD, address=HOME, agent="")
    with passwords.asking(is_likely_known=False):
        pass


def test_a_person_is_known_where_they_signed_in_lately(base: str) -> None:
    assert not Attempt.of_sign_in("ana", HOME).refuse()
    assert sign_in(base).status_code == 200
    assert Attempt.of_sign_in("Ana", HOME).refuse()
    assert not Attempt.of_sign_in("ana", ELSEWHERE).refuse()
    assert not Attempt.of_sign_in("nobody", HOME).refuse()
    assert Attempt.of_session(b"s").refuse()


def _until(is_so: object) -> None:
    limit = time.monotonic() + 10
    while not is_so() and time.monotonic() < limit:  # type: ignore[operator]
        time.sleep(0.01)
