"""Rotating a webhook's secret: what the receiver sees, what is shown, kept and refused."""

import base64
import hashlib
import hmac
import re
from typing import Any

import pytest

from plumbline.notify import send
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World
from tests.notify.receivers import Got, Receiver, mail_receiver
from tests.notify.requests import add_notice, as_background_worker, due_now, last_delivery, make, retire, run

__all__ = ["address", "api_database", "app", "ask", "world"]

pytestmark = pytest.mark.usefixtures("loopback")


def rotate(ask: Ask, channel_id: int, login: str = "admin", **body: Any) -> Any:
    return ask(login, "POST", f"/notices/channels/{channel_id}/secret", json=body)


def signature(secret: str, got: Got) -> str:
    """As a receiver makes it, by the published rules of Standard Webhooks."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"


@pytest.fixture
def sent(ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str) -> Any:
    """Sends a test down the channel and answers what the receiver got."""

    def tell(channel_id: int) -> Got:
        assert ask("admin", "POST", f"/notices/channels/{channel_id}/test").status_code == 202
        with as_background_worker(cluster, api_database):
            assert send.deliver() == 1
        return web.got[-1]

    return tell


def test_both_secrets_sign_for_a_day_and_then_the_new_one_alone(ask: Ask, web: Receiver, sent: Any) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    first, channel = made["signing_secret"], made["id"]
    assert made["old_secret_until"] is None
    got = sent(channel)
    assert got.headers["webhook-signature"] == signature(first, got)

    answer = rotate(ask, channel)
    assert answer.status_code == 201, answer.text
    second = answer.json()["signing_secret"]
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", second)
    assert second != first
    [shown] = ask("admin", "GET", "/notices/channels").json()["channels"]
    assert shown["old_secret_until"] == answer.json()["old_secret_until"]
    assert run("SELECT old_secret_until - now() BETWEEN interval '23 hours' AND interval '24 hours' FROM notice_channel").scalar_one()
    got = sent(channel)
    assert got.headers["webhook-signature"].split(" ") == [signature(second, got), signature(first, got)]

    # Once more within the day: the one before goes on, the first ends.
    third = rotate(ask, channel).json()["signing_secret"]
    got = sent(channel)
    assert got.headers["webhook-signature"].split(" ") == [signature(third, got), signature(second, got)]

    run("UPDATE notice_channel SET old_secret_until = now() - interval '1 second' WHERE id = :id", id=channel)
    got = sent(channel)
    assert got.headers["webhook-signature"] == signature(third, got)
    assert ask("admin", "GET", "/notices/channels").json()["channels"][0]["old_secret_until"] is None
    retire(ask, channel)


def test_a_secret_that_leaked_ends_at_once(ask: Ask, web: Receiver, sent: Any) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    rotate(ask, made["id"])
    seen = rotate(ask, made["id"], keeps_old=False).json()
    assert seen["old_secret_until"] is None
    got = sent(made["id"])
    assert got.headers["webhook-signature"] == signature(seen["signing_secret"], got)
    retire(ask, made["id"])


def test_a_notice_on_its_way_is_signed_with_what_is_in_force_when_it_goes(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    web.answers.append((503, {}))
    add_notice(made["id"])
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
    first = web.got[-1]
    assert first.headers["webhook-signature"] == signature(made["signing_secret"], first)
    seen = rotate(ask, made["id"], keeps_old=False).json()
    due_now(cluster, api_database)
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
    again = web.got[-1]
    assert again.headers["webhook-id"] == first.headers["webhook-id"]
    assert again.headers["webhook-signature"] == signature(seen["signing_secret"], again)
    assert last_delivery(ask)["state"] == "sent"
    retire(ask, made["id"])


def test_a_rotated_secret_is_shown_once_audited_and_kept_sealed(ask: Ask, web: Receiver) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    key = {"Idempotency-Key": "rotate-this-webhook-once"}
    path = f"/notices/channels/{made['id']}/secret"
    secret = ask("admin", "POST", path, json={}, headers=key).json()["signing_secret"]
    again = ask("admin", "POST", path, json={}, headers=key)
    assert (again.status_code, "rotate it again" in again.json()["detail"]) == (409, True)
    assert run("SELECT secret_version FROM notice_channel WHERE id = :id", id=made["id"]).scalar_one() == 1
    seen = ask("admin", "GET", "/notices/channels").text + ask("admin", "GET", "/audit").text
    stored = run("SELECT array_agg(c.*::text)::text FROM notice_channel c").scalar_one()
    for known in (secret, made["signing_secret"]):
        assert known not in seen
        assert known not in stored
        assert known.encode().hex() not in stored
    acts = run(
        "SELECT action, after FROM audit_entry WHERE object_kind = 'notice_channel' AND object_id = :id ORDER BY id DESC LIMIT 1",
        id=str(made["id"]),
    ).one()
    assert acts.action == "notice_channel.secret_rotated"
    assert (acts.after["secret_version"], acts.after["old_secret_until"][-1]) == (1, "Z")
    retire(ask, made["id"])
    assert run("SELECT secret_sealed IS NULL AND old_secret_sealed IS NULL FROM notice_channel WHERE id = :id", id=made["id"]).scalar_one()
    assert rotate(ask, made["id"]).status_code == 404


def test_only_its_admins_rotate_and_only_what_signs_has_a_secret(ask: Ask, web: Receiver, world: World) -> None:
    mine = make(ask, address=f"{web.address}/all").json()["id"]
    assert rotate(ask, mine, login="prod-admin").status_code == 404
    for login in ("viewer", "operator", "approver"):
        assert rotate(ask, mine, login=login).status_code in (403, 404)
    theirs = make(ask, login="prod-admin", group_id=world.groups["prod"], address=f"{web.address}/prod").json()["id"]
    assert rotate(ask, theirs, login="prod-admin").status_code == 201
    with mail_receiver() as mail:
        to = {"server": "127.0.0.1", "port": mail.port, "security": "insecure", "sender": "a@example.com", "to": ["b@example.com"]}
        letters = make(ask, way="mail", mail=to).json()["id"]
        refused = rotate(ask, letters)
    assert (refused.status_code, "only a webhook's messages are signed" in refused.json()["detail"]) == (409, True)
    assert rotate(ask, mine, keeps_old="perhaps").status_code == 422
    retire(ask, mine, theirs, letters)
