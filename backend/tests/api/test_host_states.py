"""Quarantine, the alarm and the secret of a host: who may act, what is recorded, and what the host's agent is answered."""

import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from sqlmodel import text

from faults.sending import Sender, enrol, sender_of
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from tests.api.conftest import Ask
from tests.api.test_acts import acts
from tests.api.world import World

REASON = {"reason": "its secret may be known to others"}


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=30) as made:
        yield made


@pytest.fixture
def sender(ask: Ask, world: World, client: httpx.Client) -> Sender:
    """A host of the group PROD-B that has checked in once."""
    name = f"own-{uuid.uuid4().hex[:6]}"
    asked = {"name": name, "group_id": world.groups["prod_b"], "platform": "windows", "is_auto_approved": True}
    token = ask("admin", "POST", "/enrolment/tokens", json=asked).json()["token"]
    sender = sender_of(enrol(client, token, name), sections={"system": b'{"a":1}', "adapters": b'{"b":2}'})
    assert sender.send(client).status_code == 200
    return sender


def act(ask: Ask, login: str, host_id: str, name: str, **more: Any) -> httpx.Response:
    return ask(login, "POST", f"/hosts/{host_id}/{name}", json=REASON if name != "rotate-secret" else None, **more)


def set_alarm(host_id: str, words: str) -> None:
    with session_scope() as session:
        session.execute(text("UPDATE host SET alarm = :words WHERE id = :id"), {"words": words, "id": host_id})


def stored(host_id: str) -> Host:
    with session_scope() as session:
        return session.get_one(Host, host_id)


def send_until_accepted(client: httpx.Client, sender: Sender) -> httpx.Response:
    """A refusal may be answered from memory for up to five seconds."""
    until = time.monotonic() + 10
    while (answer := sender.send(client)).status_code == 403 and time.monotonic() < until:
        time.sleep(0.2)
    return answer


def test_a_quarantined_host_is_refused_until_it_is_released(ask: Ask, client: httpx.Client, sender: Sender) -> None:
    set_alarm(sender.host_id, "Check-ins alternate between two boots. A clone of this host may be running.")
    quarantined = act(ask, "admin", sender.host_id, "quarantine")
    assert quarantined.status_code == 200, quarantined.text
    assert (quarantined.json()["id"], quarantined.json()["state"]) == (sender.host_id, "quarantined")
    refused = sender.send(client)
    assert (refused.status_code, refused.headers["retry-after"]) == (403, "3600")
    assert ask("viewer", "GET", "/hosts?state=quarantined").json()["total"] == 1
    released = act(ask, "admin", sender.host_id, "release-quarantine")
    assert released.status_code == 200, released.text
    # A person has checked the host: its alarm ends with the quarantine.
    assert (released.json()["state"], released.json()["alarm"]) == ("active", "")
    assert send_until_accepted(client, sender).status_code == 200
    assert acts("host", sender.host_id)[-2:] == ["host.quarantined", "host.released"]
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_a_quarantined_host_keeps_its_findings_and_its_place_in_the_figures(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    before = ask("viewer", "GET", "/overview").json()
    findings = ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
    assert act(ask, "admin", host, "quarantine").status_code == 200
    after = ask("viewer", "GET", "/overview").json()
    assert (after["headline"]["hosts"], after["outcomes"]) == (before["headline"]["hosts"], before["outcomes"])
    assert [each["rule"] for each in ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]] == [each["rule"] for each in findings]
    assert act(ask, "admin", host, "release-quarantine").json()["score"] is not None
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_quarantine_is_for_admins_of_the_group(ask: Ask, world: World, sender: Sender) -> None:
    for login, status in (("viewer", 403), ("operator", 403), ("approver", 403), ("prod-operator", 403), ("nobody", 403), ("", 401)):
        assert act(ask, login, sender.host_id, "quarantine").status_code == status
        assert act(ask, login, sender.host_id, "release-quarantine").status_code == status
        assert act(ask, login, sender.host_id, "rotate-secret").status_code == status
    for name in ("quarantine", "release-quarantine", "clear-alarm", "rotate-secret"):
        assert act(ask, "prod-admin", world.hosts["lab-01"], name).status_code == 404
        assert act(ask, "admin", "0" * 32, name).status_code == 404
    assert act(ask, "prod-admin", sender.host_id, "quarantine").status_code == 200
    assert act(ask, "prod-admin", sender.host_id, "release-quarantine").status_code == 200


def test_only_an_active_host_is_quarantined_and_only_a_quarantined_one_released(ask: Ask, world: World, sender: Sender) -> None:
    assert act(ask, "admin", sender.host_id, "release-quarantine").status_code == 409
    assert act(ask, "admin", sender.host_id, "quarantine").status_code == 200
    assert act(ask, "admin", sender.host_id, "quarantine").status_code == 409
    assert act(ask, "admin", world.hosts["new-01"], "quarantine").status_code == 409
    assert ask("admin", "POST", f"/hosts/{sender.host_id}/retire", json=REASON).status_code == 200
    for name in ("quarantine", "release-quarantine", "rotate-secret"):
        assert act(ask, "admin", sender.host_id, name).status_code == 409


def test_a_reason_is_needed(ask: Ask, sender: Sender) -> None:
    for name in ("quarantine", "release-quarantine", "clear-alarm"):
        for body in ({}, {"reason": ""}, {"reason": "   "}, {"reason": "ab"}):
            assert ask("admin", "POST", f"/hosts/{sender.host_id}/{name}", json=body).status_code == 422
    assert stored(sender.host_id).state == "active"


def test_an_alarm_is_cleared_by_operators_and_admins(ask: Ask, client: httpx.Client, sender: Sender) -> None:
    assert act(ask, "operator", sender.host_id, "clear-alarm").status_code == 409
    for login in ("prod-operator", "admin"):
        set_alarm(sender.host_id, "Two check-ins share number 7. A clone of this host may be running.")
        for refused in ("viewer", "approver"):
            assert act(ask, refused, sender.host_id, "clear-alarm").status_code == 403
        cleared = act(ask, login, sender.host_id, "clear-alarm")
        assert (cleared.status_code, cleared.json()["alarm"], cleared.json()["state"]) == (200, "", "active")
    assert acts("host", sender.host_id).count("host.alarm_cleared") == 2
    assert sender.send(client).status_code == 200
    assert stored(sender.host_id).alarm == ""


def test_both_secrets_work_until_the_new_one_is_used(ask: Ask, client: httpx.Client, sender: Sender) -> None:
    rotated = act(ask, "prod-admin", sender.host_id, "rotate-secret")
    assert (rotated.status_code, rotated.json()["id"]) == (200, sender.host_id)
    assert "secret" not in rotated.json()
    handed = sender.send(client).json()["secret"]
    # As if the answer was lost: the old secret still works, and the new one is sent again.
    assert sender.send(client).json()["secret"] == handed
    old = (sender.secret, sender.generation)
    sender.secret, sender.generation = handed["secret"], handed["generation"]
    answer = sender.send(client)
    assert answer.status_code == 200
    assert "secret" not in answer.json()
    sender.secret, sender.generation = old
    assert sender.send(client).status_code == 401
    assert acts("host", sender.host_id)[-1] == "host.secret_rotated"


def test_a_repeated_request_rotates_once(ask: Ask, sender: Sender) -> None:
    headers = {"idempotency-key": str(uuid.uuid4())}
    answers = [act(ask, "admin", sender.host_id, "rotate-secret", headers=headers) for _ in range(2)]
    assert [each.status_code for each in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert stored(sender.host_id).next_generation == 2
    assert acts("host", sender.host_id).count("host.secret_rotated") == 1
