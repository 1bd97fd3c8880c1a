"""Channels from the form to the wire and back to the log: what people enter, see, change and may."""

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from sqlalchemy.exc import ProgrammingError

from plumbline.infra.settings import get_settings
from plumbline.notify import send
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.test_counts import counted
from tests.api.world import World
from tests.conftest import pointed_at
from tests.notify.receivers import Receiver
from tests.notify.requests import add_notice, as_background_worker, last_delivery, make, retire, run

__all__ = ["address", "api_database", "app", "ask", "world"]

pytestmark = pytest.mark.usefixtures("loopback")


def test_a_webhook_is_signed_and_its_test_tells_what_the_receiver_said(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook/T0KEN-7").json()
    assert made["shown"] == f"http://127.0.0.1:{web.port}/…"
    assert made["state"] == "untried"
    asked = ask("admin", "POST", f"/notices/channels/{made['id']}/test")
    assert asked.status_code == 202
    assert [each["state"] for each in asked.json()["deliveries"]] == ["waiting"]
    twice = ask("admin", "POST", f"/notices/channels/{made['id']}/test")
    assert (twice.status_code, "on its way already" in twice.json()["detail"]) == (409, True)
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
        assert send.deliver() == 0
    [got] = web.got
    assert got.path == "/hook/T0KEN-7"
    shown = json.loads(got.body)
    assert (shown["type"], shown["data"]["group"]["id"]) == ("notice.test", 1)
    assert shown["data"]["title"] == "Test notification from channel ops"
    [delivery] = ask("admin", "GET", f"/notices/{asked.json()['id']}").json()["deliveries"]
    assert (delivery["state"], delivery["words"], delivery["tries"]) == ("sent", "Responded with 204 No Content", 1)
    # As a receiver checks it, by the published rules of Standard Webhooks.
    key = base64.b64decode(made["signing_secret"].removeprefix("whsec_"))
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert got.headers["webhook-signature"] == f"v1,{expected}"
    assert got.headers["webhook-id"] == delivery["id"]
    assert ask("admin", "GET", "/notices/channels").json()["channels"][0]["state"] == "works"
    retire(ask, made["id"])


def test_what_is_entered_is_never_shown_again_and_opens_for_desk_alone(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook/CANARY-5c1d", name="secret").json()
    shown = ask("admin", "GET", "/notices/channels").text + ask("admin", "GET", "/notices").text + ask("admin", "GET", "/audit").text
    assert "CANARY-5c1d" not in shown
    assert made["signing_secret"] not in shown
    stored = run("SELECT array_agg(c.*::text)::text FROM notice_channel c").scalar_one()
    assert "CANARY" not in stored
    assert b"CANARY".hex() not in stored
    name = api_database.split("@/")[1].split("?")[0]
    with pointed_at(cluster, name, role="plumbline_executor"), pytest.raises(ProgrammingError, match="permission denied"):
        run("SELECT 1 FROM notice_channel")
    with as_background_worker(cluster, api_database), pytest.raises(ProgrammingError, match="permission denied"):
        run("UPDATE notice_channel SET kinds = '{}'")
    # Without the private half, as in an API of a larger shape.
    key = next(get_settings().keys.glob("notices-*.key"))
    ask("admin", "POST", f"/notices/channels/{made['id']}/test")
    moved = key.rename(key.with_suffix(".away"))
    with as_background_worker(cluster, api_database):
        send.deliver()
    moved.rename(key)
    [delivery] = ask("admin", "GET", "/notices").json()["items"][0]["deliveries"]
    assert delivery["state"] == "given_up"
    assert "is not in the keys folder of the background workers" in delivery["words"]
    assert web.got == []
    retire(ask, made["id"])
    assert run("SELECT sealed IS NULL FROM notice_channel WHERE id = :id", id=made["id"]).scalar_one()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"address": "http://example.com/x"}, "start with https://"),
        ({"address": "https://user:word@example.com/x"}, "must not contain a password"),
        ({"address": "ftp://example.com"}, "start with https://"),
        ({"address": "https://xn--/x"}, "Not a valid URL."),
        ({"address": "https://example.com:99999/x"}, "Invalid port"),
        ({"way": "chat", "address": "json://127.0.0.1/x"}, "Unsupported service"),
        ({"way": "chat", "address": "https://example.com/x"}, "Unsupported service"),
        ({"way": "chat", "address": "mmosts://example.com/3ccdd113474722377935511fc85d3dd4?verify=no"}, "certificates are always checked"),
        (
            {"way": "chat", "address": "mmosts://example.com/3ccdd113474722377935511fc85d3dd4?redirect=yes"},
            "Remove “redirect” from the URL",
        ),
        (
            {"way": "chat", "address": f"workflows://example.com/{'a' * 32}/{'b' * 32}?template=/etc/plumbline/settings.json"},
            "Remove “template” from the URL",
        ),
        (
            {
                "way": "chat",
                "address": f"https://example.com/workflows/{'a' * 32}/triggers/manual/paths/invoke?api-version=2016-06-01"
                f"&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={'b' * 32}&template=http://169.254.169.254/",
            },
            "Remove “template” from the URL",
        ),
        (
            {"way": "chat", "address": "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?template=file:///etc/x"},
            "Remove “template” from the URL",
        ),
        ({"way": "mail"}, "mail for the way"),
        ({"way": "heartbeat", "address": "https://example.com"}, "a heartbeat and a ticket system have none"),
        ({"address": "https://example.com/x", "kinds": []}, "at least one kind"),
        ({"address": "https://example.com/x", "kinds": ["test"]}, "sent manually"),
        ({"address": "https://example.com/x", "kinds": ["nonsense"]}, "Input should be"),
        ({"way": "mail", "mail": {"server": "mx.example.com", "sender": "a@example.com", "to": ["b"]}}, "pattern"),
        ({"way": "mail", "mail": {"server": "mx.example.com", "sender": "a@b.c", "to": ["b@b.c"]}}, "full email address"),
        (
            {"way": "mail", "mail": {"server": "m.example.com", "sender": "a@example.com", "to": ["b@example.com"], "account": "a"}},
            "both user name and password",
        ),
        (
            {
                "way": "mail",
                "mail": {
                    "server": "m.example.com", "sender": "a@example.com", "to": ["b@example.com"], "account": "a", "password": "b",
                    "security": "insecure",
                },
            },
            "over TLS only",
        ),
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused_in_words(ask: Ask, more: dict[str, Any], words: str) -> None:
    refused = make(ask, **more)
    assert refused.status_code == 422, refused.text
    assert words in refused.json()["detail"]


def test_an_address_of_this_machine_is_not_called_unless_the_operator_allows_it(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [
        make(ask, address=f"{web.address}/hook").json()["id"],
        make(ask, way="chat", address=f"mmosts://127.0.0.1:{web.port}/3ccdd113474722377935511fc85d3dd4").json()["id"],
        make(
            ask, way="mail",
            mail={"server": "169.254.169.254", "port": 25, "security": "insecure", "sender": "a@example.com", "to": ["b@example.com"]},
        ).json()["id"],
    ]  # fmt: skip
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "false")
    get_settings.cache_clear()
    for each in ids:
        ask("admin", "POST", f"/notices/channels/{each}/test")
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 3
    for item in ask("admin", "GET", "/notices").json()["items"][:3]:
        [delivery] = item["deliveries"]
        assert delivery["state"] == "given_up"
        assert "which is not allowed" in delivery["words"] or "https://" in delivery["words"]
    assert web.got == []
    retire(ask, *ids)


def test_a_channel_is_its_groups_admins_own(ask: Ask, web: Receiver, world: World) -> None:
    theirs = make(ask, login="prod-admin", group_id=world.groups["prod"], address=f"{web.address}/prod").json()
    mine = make(ask, address=f"{web.address}/all").json()
    assert make(ask, login="prod-admin", address=f"{web.address}/all").status_code == 404
    assert [each["id"] for each in ask("prod-admin", "GET", "/notices/channels").json()["channels"]] == [theirs["id"]]
    assert {each["id"] for each in ask("admin", "GET", "/notices/channels").json()["channels"]} == {theirs["id"], mine["id"]}
    for method, path in (("PATCH", ""), ("DELETE", ""), ("POST", "/test")):
        body = {} if method == "PATCH" else None
        assert ask("prod-admin", method, f"/notices/channels/{mine['id']}{path}", json=body).status_code == 404
    tested = ask("admin", "POST", f"/notices/channels/{mine['id']}/test").json()
    assert ask("prod-admin", "GET", f"/notices/{tested['id']}").status_code == 404
    assert tested["id"] not in {each["id"] for each in ask("prod-admin", "GET", "/notices").json()["items"]}
    retire(ask, mine["id"], theirs["id"])


def test_a_channel_is_changed_switched_off_and_audited(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, way="chat", address=f"mmost://127.0.0.1:{web.port}/3ccdd113474722377935511fc85d3dd4").json()
    path = f"/notices/channels/{made['id']}"
    changed = ask("admin", "PATCH", path, json={"name": "night", "kinds": ["ending", "paths"]}).json()
    assert (changed["name"], changed["kinds"]) == ("night", ["paths", "ending"])
    assert ask("admin", "PATCH", path, json={"kinds": []}).status_code == 422
    moved = ask("admin", "PATCH", path, json={"address": f"mmost://127.0.0.1:{web.port}/4ccdd113474722377935511fc85d3dd4"})
    assert moved.json()["state"] == "untried"
    add_notice(made["id"])
    assert ask("admin", "PATCH", path, json={"is_enabled": False}).json()["state"] == "off"
    assert ask("admin", "POST", f"{path}/test").status_code == 409
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 0
    assert last_delivery(ask)["words"] == "the channel was switched off or removed"
    assert web.got == []
    retire(ask, made["id"])
    assert ask("admin", "PATCH", path, json={}).status_code == 404
    shown = run("SELECT action FROM audit_entry WHERE object_kind = 'notice_channel' AND object_id = :id ORDER BY id", id=str(made["id"]))
    assert list(shown.scalars()) == ["notice_channel.made", *["notice_channel.changed"] * 3, "notice_channel.removed"]
    hook = make(ask, address=f"{web.address}/hook").json()
    refused = ask("admin", "PATCH", f"/notices/channels/{hook['id']}", json={"address": f"{web.address}/other"})
    assert (refused.status_code, "Add a new channel" in refused.json()["detail"]) == (422, True)
    retire(ask, hook["id"])


def test_lists_ask_a_few_questions_whatever_their_length(ask: Ask, web: Receiver) -> None:
    made = [make(ask, address=f"{web.address}/hook").json()["id"] for _ in range(3)]
    for each in made:
        add_notice(each)
    with counted() as channels:
        ask("admin", "GET", "/notices/channels")
    with counted() as notices:
        ask("admin", "GET", "/notices")
    assert len(channels) <= 9
    assert len(notices) <= 9
    page = ask("admin", "GET", "/notices?limit=2").json()
    assert len(page["items"]) == 2
    following = ask("admin", "GET", f"/notices?limit=2&before={page['next']}").json()
    assert following["items"][0]["id"] < page["items"][1]["id"]
    retire(ask, *made)
