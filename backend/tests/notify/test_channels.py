"""Channels from the form to the wire and back to the log: real HTTP, real SMTP, the database roles of each process."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import ProgrammingError
from sqlmodel import text

from plumbline import outbound, servers
from plumbline.database import session_scope
from plumbline.notify import address as notify_address
from plumbline.notify import send, ways
from plumbline.settings import get_settings
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.test_counts import counted
from tests.api.world import World
from tests.conftest import pointed_at
from tests.dripping import dripping
from tests.notify.receivers import Receiver, mail_receiver, web_receiver

__all__ = ["address", "api_database", "app", "ask", "world"]


@pytest.fixture(autouse=True)
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The receivers are on this machine, which the operator of a server has to allow."""
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.fixture
def web() -> Iterator[Receiver]:
    with web_receiver() as receiver:
        yield receiver


@contextmanager
def as_desk(cluster: servers.PostgresPlace, api_database: str) -> Iterator[None]:
    with pointed_at(cluster, api_database.split("@/")[1].split("?")[0], role="plumbline_desk"):
        yield


def make(ask: Ask, login: str = "admin", **more: Any) -> httpx.Response:
    asked = {"group_id": 1, "way": "webhook", "name": "ops", "kinds": ["silent"], **more}
    return ask(login, "POST", "/notices/channels", json=asked)


def retire(ask: Ask, *ids: int) -> None:
    for each in ids:
        assert ask("admin", "DELETE", f"/notices/channels/{each}").status_code == 204


def run(statement: str, **bound: Any) -> Any:
    with session_scope() as session:
        return session.execute(text(statement), bound)


def due_now(cluster: servers.PostgresPlace, api_database: str) -> None:
    with as_desk(cluster, api_database):
        run("UPDATE notice_delivery SET due_at = clock_timestamp() WHERE state = 'waiting'")


def test_a_webhook_is_signed_and_its_test_tells_what_the_receiver_said(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook/T0KEN-7").json()
    assert made["shown"] == f"http://127.0.0.1:{web.port}/…"
    assert made["state"] == "untried"
    asked = ask("admin", "POST", f"/notices/channels/{made['id']}/test")
    assert asked.status_code == 202
    assert [each["state"] for each in asked.json()["deliveries"]] == ["waiting"]
    twice = ask("admin", "POST", f"/notices/channels/{made['id']}/test")
    assert (twice.status_code, "on its way already" in twice.json()["detail"]) == (409, True)
    with as_desk(cluster, api_database):
        assert send.deliver() == 1
        assert send.deliver() == 0
    [got] = web.got
    assert got.path == "/hook/T0KEN-7"
    told = json.loads(got.body)
    assert (told["type"], told["data"]["group"]["id"]) == ("notice.test", 1)
    assert told["data"]["title"] == "Test of the channel ops"
    [delivery] = ask("admin", "GET", f"/notices/{asked.json()['id']}").json()["deliveries"]
    assert (delivery["state"], delivery["words"], delivery["tries"]) == ("sent", "it answers 204 No Content", 1)
    # As a receiver checks it, by the published rules of Standard Webhooks.
    key = base64.b64decode(made["signing_secret"].removeprefix("whsec_"))
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert got.headers["webhook-signature"] == f"v1,{expected}"
    assert got.headers["webhook-id"] == delivery["id"]
    assert ask("admin", "GET", "/notices/channels").json()["channels"][0]["state"] == "works"
    retire(ask, made["id"])


def test_what_is_entered_is_never_shown_again_and_opens_for_desk_alone(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook/CANARY-5c1d", name="secret").json()
    told = ask("admin", "GET", "/notices/channels").text + ask("admin", "GET", "/notices").text + ask("admin", "GET", "/audit").text
    assert "CANARY-5c1d" not in told
    assert made["signing_secret"] not in told
    stored = run("SELECT array_agg(c.*::text)::text FROM notice_channel c").scalar_one()
    assert "CANARY" not in stored
    assert b"CANARY".hex() not in stored
    name = api_database.split("@/")[1].split("?")[0]
    with pointed_at(cluster, name, role="plumbline_hands"), pytest.raises(ProgrammingError, match="permission denied"):
        run("SELECT 1 FROM notice_channel")
    with as_desk(cluster, api_database), pytest.raises(ProgrammingError, match="permission denied"):
        run("UPDATE notice_channel SET kinds = '{}'")
    # Without the private half, as in an API of a larger shape.
    key = next(get_settings().keys.glob("notices-*.key"))
    ask("admin", "POST", f"/notices/channels/{made['id']}/test")
    moved = key.rename(key.with_suffix(".away"))
    with as_desk(cluster, api_database):
        send.deliver()
    moved.rename(key)
    [delivery] = ask("admin", "GET", "/notices").json()["items"][0]["deliveries"]
    assert delivery["state"] == "given_up"
    assert "is not in the keys folder of the workers of kind desk" in delivery["words"]
    assert web.got == []
    retire(ask, made["id"])
    assert run("SELECT sealed IS NULL FROM notice_channel WHERE id = :id", id=made["id"]).scalar_one()


def _notice(channel_id: int) -> None:
    """A notice as a look writes it."""
    run(
        "WITH n AS (INSERT INTO notice (group_id, kind, title, lines, hosts, page, kept_back)"
        " VALUES (1, 'silent', 'sql-01: no check-in', '{}', '{}', '', '') RETURNING id)"
        " INSERT INTO notice_delivery (id, notice_id, channel_id, state, tries, words)"
        " SELECT 'dlv_' || n.id, n.id, :channel, 'waiting', 0, '' FROM n",
        channel=channel_id,
    )


def test_a_failing_receiver_is_tried_again_under_the_same_id_and_then_given_up(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    _notice(made["id"])
    web.answers = [(500, {}), (302, {"location": f"{web.address}/elsewhere"}), (429, {}), (503, {}), (404, {}), (500, {})]
    waits = []
    for _ in range(6):
        due_now(cluster, api_database)
        with as_desk(cluster, api_database):
            assert send.deliver() == 1
        waits.append(run("SELECT extract(epoch FROM due_at - clock_timestamp()) FROM notice_delivery WHERE state = 'waiting'").scalar())
    assert [round(float(wait), -1) for wait in waits[:5]] == [30, 120, 600, 3600, 21600]
    assert waits[5] is None
    assert len({got.headers["webhook-id"] for got in web.got}) == 1
    assert {got.path for got in web.got} == {"/hook"}
    [delivery] = ask("admin", "GET", "/notices").json()["items"][0]["deliveries"]
    assert (delivery["state"], delivery["tries"], delivery["words"]) == ("given_up", 6, "it answers 500 Internal Server Error")
    channel = ask("admin", "GET", "/notices/channels").json()["channels"][0]
    assert (channel["state"], channel["words"]) == ("fails", "it answers 500 Internal Server Error")
    with web_receiver() as gone:
        away = make(ask, address=f"{gone.address}/hook", name="gone").json()
    ask("admin", "POST", f"/notices/channels/{away['id']}/test")
    with as_desk(cluster, api_database):
        send.deliver()
    assert _last(ask)["words"] == "Connection refused"
    retire(ask, made["id"], away["id"])


def test_what_nobody_sent_for_a_day_is_no_news(ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    _notice(made["id"])
    _notice(made["id"])
    with as_desk(cluster, api_database):
        oldest = "SELECT min(notice_id) FROM notice_delivery WHERE state = 'waiting'"
        run(f"UPDATE notice SET at = at - interval '25 hours' WHERE id = ({oldest})")
        assert send.deliver() == 1
    assert len(web.got) == 1
    old, new = ask("admin", "GET", "/notices?limit=2").json()["items"][::-1]
    assert (old["deliveries"][0]["state"], new["deliveries"][0]["state"]) == ("given_up", "sent")
    assert old["deliveries"][0]["words"] == "a day went by before anybody could send it"
    retire(ask, made["id"])


def test_a_worker_that_ends_while_it_sends_leaves_the_notice_to_the_next(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    _notice(made["id"])

    class Killed(BaseException): ...

    def end(*_: Any, **__: Any) -> None:
        raise Killed

    with as_desk(cluster, api_database):
        monkeypatch.setattr(send, "_note", end)
        with pytest.raises(Killed):
            send.deliver()
        monkeypatch.undo()
        get_settings.cache_clear()
        monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
        get_settings.cache_clear()
        assert send.deliver() == 0
    due_now(cluster, api_database)
    with as_desk(cluster, api_database):
        assert send.deliver() == 1
    assert len(web.got) == 2
    assert web.got[0].headers["webhook-id"] == web.got[1].headers["webhook-id"]
    assert web.got[0].body == web.got[1].body
    retire(ask, made["id"])


def test_what_one_worker_takes_is_what_it_sends_now(ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str) -> None:
    """A receiver that answers slowly keeps nothing else from the other workers."""
    made = make(ask, address=f"{web.address}/hook").json()
    for _ in range(3):
        _notice(made["id"])
    due = "SELECT count(*) FROM notice_delivery WHERE state = 'waiting' AND due_at <= clock_timestamp()"
    seen: list[int] = []
    with as_desk(cluster, api_database):
        web.meanwhile = [lambda: seen.append(run(due).scalar_one())]
        assert send.deliver() == 3
    assert seen == [2]
    retire(ask, made["id"])


def test_a_worker_that_slept_past_its_time_does_not_undo_what_another_sent(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    _notice(made["id"])
    others: list[int] = []

    def another() -> None:
        run("UPDATE notice_delivery SET due_at = clock_timestamp() WHERE state = 'waiting'")
        others.append(send.deliver())

    with as_desk(cluster, api_database):
        web.answers, web.meanwhile = [(500, {})], [another]
        assert send.deliver() == 1
    assert others == [1]
    assert (_last(ask)["state"], _last(ask)["words"], _last(ask)["tries"]) == ("sent", "it answers 204 No Content", 2)
    assert _only(ask)["state"] == "works"
    retire(ask, made["id"])


def test_mail_goes_to_everybody_and_a_refusal_is_told(ask: Ask, cluster: servers.PostgresPlace, api_database: str) -> None:
    with mail_receiver() as mail:
        asked = {
            "server": "127.0.0.1",
            "port": mail.port,
            "security": "insecure",
            "sender": "plumbline@example.com",
            "to": ["storage@example.com", "night@example.com"],
        }
        made = make(ask, way="mail", mail=asked, name="night shift").json()
        assert made["shown"] == f"storage@example.com, night@example.com by 127.0.0.1:{mail.port}"
        assert made["signing_secret"] == ""
        ask("admin", "POST", f"/notices/channels/{made['id']}/test")
        with as_desk(cluster, api_database):
            assert send.deliver() == 1
        assert sorted(person for got in mail.got for person in got.path.split()) == ["<night@example.com>", "<storage@example.com>"]
        assert all(b"Subject: Plumbline: Test of the channel night shift" in got.body for got in mail.got)
        assert _last(ask)["state"] == "sent"
        mail.answers = [(550, {}), (550, {})]
        ask("admin", "POST", f"/notices/channels/{made['id']}/test")
        with as_desk(cluster, api_database):
            send.deliver()
        assert _last(ask)["state"] == "given_up"
        assert _last(ask)["words"]
        retire(ask, made["id"])


def _mail(port: int, **more: Any) -> dict[str, Any]:
    base = {"server": "127.0.0.1", "port": port, "security": "insecure", "sender": "plumbline@example.com", "to": ["night@example.com"]}
    return {**base, **more}


def test_one_address_that_is_no_more_neither_keeps_a_mail_from_the_others_nor_repeats_it(
    ask: Ask, cluster: servers.PostgresPlace, api_database: str
) -> None:
    with mail_receiver() as mail:
        made = make(ask, way="mail", mail=_mail(mail.port, to=["gone@example.com", "night@example.com"])).json()
        _notice(made["id"])
        with as_desk(cluster, api_database):
            send.deliver()
            run("UPDATE notice_delivery SET due_at = clock_timestamp() WHERE state = 'waiting'")
            send.deliver()
        assert [got.path for got in mail.got] == ["<night@example.com>"]
        last = _last(ask)
        assert (last["state"], last["tries"]) == ("given_up", 1)
        assert last["words"].startswith("the mail server took it for 1, and not for 1: ")
        assert "gone@example.com" in last["words"]
        assert "no such person" in last["words"]
        assert _only(ask)["state"] == "fails"
        retire(ask, made["id"])


def test_a_mail_server_may_take_its_time_and_one_that_is_away_is_told_why(
    ask: Ask, cluster: servers.PostgresPlace, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers keep strangers waiting for the greeting, so that the time to connect is no measure of it."""
    monkeypatch.setattr(outbound, "CONNECT_SECONDS", 0.1)
    with mail_receiver() as mail:
        mail.meanwhile = [lambda: time.sleep(0.3)]
        made = make(ask, way="mail", mail=_mail(mail.port)).json()
        _notice(made["id"])
        with as_desk(cluster, api_database):
            send.deliver()
        assert _last(ask)["state"] == "sent"
    _notice(made["id"])
    with as_desk(cluster, api_database):
        send.deliver()
    assert "refused" in _last(ask)["words"]
    retire(ask, made["id"])


def test_a_chat_that_never_ends_its_answer_is_cut(
    ask: Ask, cluster: servers.PostgresPlace, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "WHOLE_SECONDS", 0.3)
    with dripping(b"HTTP/1.1 ", "mmost") as place:
        made = make(ask, way="chat", address=f"{place}/3ccdd113474722377935511fc85d3dd4").json()
        _notice(made["id"])
        began = time.monotonic()
        with as_desk(cluster, api_database):
            send.deliver()
        assert time.monotonic() - began < 5
    assert _last(ask)["words"] == "Mattermost did not answer in time"
    retire(ask, made["id"])


def test_a_receiver_that_took_it_and_goes_on_talking_has_taken_it(ask: Ask, cluster: servers.PostgresPlace, api_database: str) -> None:
    with dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n") as place:
        made = make(ask, address=f"{place}/hook").json()
        _notice(made["id"])
        began = time.monotonic()
        with as_desk(cluster, api_database):
            send.deliver()
        assert time.monotonic() - began < 5
    assert (_last(ask)["state"], _last(ask)["words"]) == ("sent", "it answers 200 OK")
    retire(ask, made["id"])


def test_what_stands_for_a_host_where_the_service_is_known_is_a_key() -> None:
    """PagerDuty's and Opsgenie's words of a connection that failed name it."""
    for url in ("pagerduty://integration0123@apikey01234567", "opsgenie://apikey01234567", "tgram://12345:apikey01234567/99"):
        chat = notify_address.chat_of(url)
        assert "apikey01234567" in ways._secrets_of(url, with_host=not chat.service.names_host)
    assert "chat.example.com" not in ways._secrets_of("mmosts://chat.example.com/3ccdd113474722377935511fc85d3dd4")


def _last(ask: Ask) -> dict[str, Any]:
    [delivery] = ask("admin", "GET", "/notices").json()["items"][0]["deliveries"]
    return dict(delivery)


def test_chat_goes_by_apprise_and_no_word_of_the_log_holds_the_token(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    token = "3ccdd113474722377935511fc85d3dd4"
    made = make(ask, way="chat", address=f"mmost://127.0.0.1:{web.port}/{token}").json()
    assert made["shown"] == "Mattermost at 127.0.0.1"
    web.answers = [(200, {}), (403, {})]
    for state in ("sent", "given_up"):
        ask("admin", "POST", f"/notices/channels/{made['id']}/test")
        with as_desk(cluster, api_database):
            assert send.deliver() == 1
        assert _last(ask)["state"] == state
        assert token not in _last(ask)["words"]
    assert "403" in _last(ask)["words"]
    assert web.got[0].path == f"/hooks/{token}"
    assert b"Test of the channel ops" in web.got[0].body
    # Nothing in it makes the reader's program fetch from elsewhere.
    assert b"apprise" not in web.got[0].body
    retire(ask, made["id"])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"address": "http://example.com/x"}, "begin with https://"),
        ({"address": "https://user:word@example.com/x"}, "holds no password"),
        ({"address": "ftp://example.com"}, "begin with https://"),
        ({"address": "https://xn--/x"}, "this is no address"),
        ({"address": "https://example.com:99999/x"}, "a port that is none"),
        ({"way": "chat", "address": "json://127.0.0.1/x"}, "none of Slack"),
        ({"way": "chat", "address": "https://example.com/x"}, "none of Slack"),
        ({"way": "chat", "address": "mmosts://example.com/3ccdd113474722377935511fc85d3dd4?verify=no"}, "certificate has to be checked"),
        (
            {"way": "chat", "address": "mmosts://example.com/3ccdd113474722377935511fc85d3dd4?redirect=yes"},
            "leave “redirect” out",
        ),
        (
            {"way": "chat", "address": f"workflows://example.com/{'a' * 32}/{'b' * 32}?template=/etc/plumbline/settings.json"},
            "leave “template” out",
        ),
        (
            {
                "way": "chat",
                "address": f"https://example.com/workflows/{'a' * 32}/triggers/manual/paths/invoke?api-version=2016-06-01"
                f"&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={'b' * 32}&template=http://169.254.169.254/",
            },
            "leave “template” out",
        ),
        (
            {"way": "chat", "address": "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?template=file:///etc/x"},
            "leave “template” out",
        ),
        ({"way": "mail"}, "mail for the way"),
        ({"way": "heartbeat", "address": "https://example.com"}, "a heartbeat has none"),
        ({"address": "https://example.com/x", "kinds": []}, "at least one kind"),
        ({"address": "https://example.com/x", "kinds": ["test"]}, "sent by hand"),
        ({"address": "https://example.com/x", "kinds": ["nonsense"]}, "Input should be"),
        ({"way": "mail", "mail": {"server": "mx.example.com", "sender": "a@example.com", "to": ["b"]}}, "pattern"),
        ({"way": "mail", "mail": {"server": "mx.example.com", "sender": "a@b.c", "to": ["b@b.c"]}}, "whole mail address"),
        (
            {"way": "mail", "mail": {"server": "m.example.com", "sender": "a@example.com", "to": ["b@example.com"], "account": "a"}},
            "account and password go together",
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
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str, monkeypatch: pytest.MonkeyPatch
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
    with as_desk(cluster, api_database):
        assert send.deliver() == 3
    for item in ask("admin", "GET", "/notices").json()["items"][:3]:
        [delivery] = item["deliveries"]
        assert delivery["state"] == "given_up"
        assert "which this server does not call" in delivery["words"] or "https://" in delivery["words"]
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


def test_a_channel_is_changed_switched_off_and_audited(ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str) -> None:
    made = make(ask, way="chat", address=f"mmost://127.0.0.1:{web.port}/3ccdd113474722377935511fc85d3dd4").json()
    path = f"/notices/channels/{made['id']}"
    changed = ask("admin", "PATCH", path, json={"name": "night", "kinds": ["ending", "paths"]}).json()
    assert (changed["name"], changed["kinds"]) == ("night", ["paths", "ending"])
    assert ask("admin", "PATCH", path, json={"kinds": []}).status_code == 422
    moved = ask("admin", "PATCH", path, json={"address": f"mmost://127.0.0.1:{web.port}/4ccdd113474722377935511fc85d3dd4"})
    assert moved.json()["state"] == "untried"
    _notice(made["id"])
    assert ask("admin", "PATCH", path, json={"is_enabled": False}).json()["state"] == "off"
    assert ask("admin", "POST", f"{path}/test").status_code == 409
    with as_desk(cluster, api_database):
        assert send.deliver() == 0
    assert _last(ask)["words"] == "the channel was switched off or removed"
    assert web.got == []
    retire(ask, made["id"])
    assert ask("admin", "PATCH", path, json={}).status_code == 404
    told = run("SELECT action FROM audit_entry WHERE object_kind = 'notice_channel' AND object_id = :id ORDER BY id", id=str(made["id"]))
    assert list(told.scalars()) == ["notice_channel.made", *["notice_channel.changed"] * 3, "notice_channel.removed"]
    hook = make(ask, address=f"{web.address}/hook").json()
    refused = ask("admin", "PATCH", f"/notices/channels/{hook['id']}", json={"address": f"{web.address}/other"})
    assert (refused.status_code, "make a new channel" in refused.json()["detail"]) == (422, True)
    retire(ask, hook["id"])


def test_a_heartbeat_is_called_while_all_is_well_and_left_out_with_words_when_not(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    assert ask("admin", "GET", "/notices/channels").json()["has_heartbeat"] is False
    made = make(ask, way="heartbeat", address=f"{web.address}/ping/abcd", kinds=[]).json()
    assert ask("admin", "GET", "/notices/channels").json()["has_heartbeat"] is True
    assert ask("admin", "POST", f"/notices/channels/{made['id']}/test").status_code == 409
    with as_desk(cluster, api_database):
        # The world's own entries wait for a chainer that no test runs.
        run("UPDATE audit_entry SET number = id, hash = '' WHERE number IS NULL")
        assert send.send_heartbeats() == 1
    assert [got.path for got in web.got] == ["/ping/abcd"]
    assert _only(ask)["state"] == "works"
    run("INSERT INTO audit_entry (at, actor, action, object_kind, object_id, reason, request_id)"
        " VALUES (clock_timestamp() - interval '5 minutes', 'system', 'test.late', '', '', '', '')")  # fmt: skip
    with as_desk(cluster, api_database):
        assert send.send_heartbeats() == 0
    assert len(web.got) == 1
    assert _only(ask)["state"] == "fails"
    assert _only(ask)["words"].startswith("left out: the audit trail's chainer is behind")
    retire(ask, made["id"])


def test_heartbeats_that_answer_come_first_and_are_called_by_one_at_a_time(
    ask: Ask, web: Receiver, cluster: servers.PostgresPlace, api_database: str
) -> None:
    made = [make(ask, way="heartbeat", address=f"{web.address}/{each}", kinds=[]).json()["id"] for each in ("dead", "well")]
    again: list[int] = []
    with as_desk(cluster, api_database):
        run("UPDATE audit_entry SET number = id, hash = '' WHERE number IS NULL")
        web.answers = [(500, {}), (204, {}), (204, {}), (500, {})]
        assert send.send_heartbeats() == 1
        web.meanwhile = [lambda: again.append(send.send_heartbeats())]
        assert send.send_heartbeats() == 1
    assert [got.path for got in web.got] == ["/dead", "/well", "/well", "/dead"]
    assert again == [0]
    retire(ask, *made)


def _only(ask: Ask) -> dict[str, Any]:
    [channel] = ask("admin", "GET", "/notices/channels").json()["channels"]
    return dict(channel)


def test_lists_ask_a_few_questions_whatever_their_length(ask: Ask, web: Receiver) -> None:
    made = [make(ask, address=f"{web.address}/hook").json()["id"] for _ in range(3)]
    for each in made:
        _notice(each)
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
