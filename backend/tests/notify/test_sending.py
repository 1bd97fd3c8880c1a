"""Deliveries: tries, workers that end or sleep, mail and chat, over real wires."""

import time
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import getaddresses
from typing import Any

import pytest

from plumbline.infra import http_client
from plumbline.infra.settings import get_settings
from plumbline.notify import address as notify_address
from plumbline.notify import send, transports
from plumbline.notify.transports import Message
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.dripping import dripping
from tests.notify.receivers import Receiver, mail_receiver, web_receiver
from tests.notify.requests import add_notice, as_background_worker, as_owner, due_now, last_delivery, make, only_channel, retire, run

__all__ = ["address", "api_database", "app", "ask", "world"]

pytestmark = pytest.mark.usefixtures("loopback")


def test_a_failing_receiver_is_tried_again_under_the_same_id_and_then_given_up(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    add_notice(made["id"])
    web.answers = [(500, {}), (302, {"location": f"{web.address}/elsewhere"}), (429, {}), (503, {}), (404, {}), (500, {})]
    waits = []
    for _ in range(6):
        due_now(cluster, api_database)
        with as_background_worker(cluster, api_database):
            assert send.deliver() == 1
        waits.append(run("SELECT extract(epoch FROM due_at - clock_timestamp()) FROM notice_delivery WHERE state = 'waiting'").scalar())
    assert [round(float(wait), -1) for wait in waits[:5]] == [30, 120, 600, 3600, 21600]
    assert waits[5] is None
    assert len({got.headers["webhook-id"] for got in web.got}) == 1
    assert {got.path for got in web.got} == {"/hook"}
    [delivery] = ask("admin", "GET", "/notices").json()["items"][0]["deliveries"]
    assert (delivery["state"], delivery["tries"], delivery["words"]) == ("given_up", 6, "Responded with 500 Internal Server Error")
    channel = ask("admin", "GET", "/notices/channels").json()["channels"][0]
    assert (channel["state"], channel["words"]) == ("fails", "Responded with 500 Internal Server Error")
    with web_receiver() as gone:
        away = make(ask, address=f"{gone.address}/hook", name="gone").json()
    ask("admin", "POST", f"/notices/channels/{away['id']}/test")
    with as_background_worker(cluster, api_database):
        send.deliver()
    assert last_delivery(ask)["words"] == "Connection refused"
    retire(ask, made["id"], away["id"])


def test_what_nobody_sent_for_a_day_is_no_news(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    add_notice(made["id"])
    add_notice(made["id"])
    with as_owner(cluster, api_database):
        oldest = "SELECT min(notice_id) FROM notice_delivery WHERE state = 'waiting'"
        run(f"UPDATE notice SET at = at - interval '25 hours' WHERE id = ({oldest})")
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
    assert len(web.got) == 1
    old, new = ask("admin", "GET", "/notices?limit=2").json()["items"][::-1]
    assert (old["deliveries"][0]["state"], new["deliveries"][0]["state"]) == ("given_up", "sent")
    assert old["deliveries"][0]["words"] == "a day went by before anybody could send it"
    retire(ask, made["id"])


def test_a_worker_that_ends_while_it_sends_leaves_the_notice_to_the_next(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    add_notice(made["id"])

    class Killed(BaseException): ...

    def end(*_: Any, **__: Any) -> None:
        raise Killed

    with as_background_worker(cluster, api_database):
        monkeypatch.setattr(send, "_note", end)
        with pytest.raises(Killed):
            send.deliver()
        monkeypatch.undo()
        get_settings.cache_clear()
        monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
        get_settings.cache_clear()
        assert send.deliver() == 0
    due_now(cluster, api_database)
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
    assert len(web.got) == 2
    assert web.got[0].headers["webhook-id"] == web.got[1].headers["webhook-id"]
    assert web.got[0].body == web.got[1].body
    retire(ask, made["id"])


def test_what_one_worker_takes_is_what_it_sends_now(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    """A receiver that answers slowly keeps nothing else from the other workers."""
    made = make(ask, address=f"{web.address}/hook").json()
    for _ in range(3):
        add_notice(made["id"])
    due = "SELECT count(*) FROM notice_delivery WHERE state = 'waiting' AND due_at <= clock_timestamp()"
    seen: list[int] = []
    with as_background_worker(cluster, api_database):
        web.meanwhile = [lambda: seen.append(run(due).scalar_one())]
        assert send.deliver() == 3
    assert seen == [2]
    retire(ask, made["id"])


def test_a_worker_that_slept_past_its_time_does_not_undo_what_another_sent(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    add_notice(made["id"])
    others: list[int] = []

    def another() -> None:
        run("UPDATE notice_delivery SET due_at = clock_timestamp() WHERE state = 'waiting'")
        others.append(send.deliver())

    with as_background_worker(cluster, api_database):
        web.answers, web.meanwhile = [(500, {})], [another]
        assert send.deliver() == 1
    assert others == [1]
    shown = last_delivery(ask)
    assert (shown["state"], shown["words"], shown["tries"]) == ("sent", "Responded with 204 No Content", 2)
    assert only_channel(ask)["state"] == "works"
    retire(ask, made["id"])


def test_mail_goes_to_everybody_and_a_refusal_is_told(ask: Ask, cluster: embedded_servers.PostgresCluster, api_database: str) -> None:
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
        with as_background_worker(cluster, api_database):
            assert send.deliver() == 1
        assert sorted(person for got in mail.got for person in got.path.split()) == ["<night@example.com>", "<storage@example.com>"]
        assert all(b"Subject: Plumbline: Test notification from channel night shift" in got.body for got in mail.got)
        assert last_delivery(ask)["state"] == "sent"
        mail.answers = [(550, {}), (550, {})]
        ask("admin", "POST", f"/notices/channels/{made['id']}/test")
        with as_background_worker(cluster, api_database):
            send.deliver()
        assert last_delivery(ask)["state"] == "given_up"
        assert last_delivery(ask)["words"]
        retire(ask, made["id"])


def _mail(port: int, **more: Any) -> dict[str, Any]:
    base = {"server": "127.0.0.1", "port": port, "security": "insecure", "sender": "plumbline@example.com", "to": ["night@example.com"]}
    return {**base, **more}


def test_no_text_of_a_notification_becomes_a_header_or_a_second_mail() -> None:
    hostile = "a host\r\nBcc: eve@example.com\r\n\r\nmine\r\n.\r\nMAIL FROM:<eve@example.com>"
    with mail_receiver() as mail:
        values = {
            "server": "127.0.0.1", "port": mail.port, "security": "insecure", "sender": "plumbline@example.com", "account": "",
            "password": "", "to": ["storage@example.com"],
        }  # fmt: skip
        message = Message("d-1", 1, "silent", datetime.now(UTC), hostile, (hostile,), (1, hostile), ((hostile, hostile),), "")
        assert transports.send_mail(values, message) == "Accepted by the mail server"
    (got,) = mail.got
    assert got.path == "<storage@example.com>"
    read = message_from_bytes(got.body)
    assert read["bcc"] is None
    assert [address for _, address in getaddresses(read.get_all("to", []))] == ["storage@example.com"]
    assert "a host" in read["subject"]


def test_one_address_that_is_no_more_neither_keeps_a_mail_from_the_others_nor_repeats_it(
    ask: Ask, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    with mail_receiver() as mail:
        made = make(ask, way="mail", mail=_mail(mail.port, to=["gone@example.com", "night@example.com"])).json()
        add_notice(made["id"])
        with as_background_worker(cluster, api_database):
            send.deliver()
            run("UPDATE notice_delivery SET due_at = clock_timestamp() WHERE state = 'waiting'")
            send.deliver()
        assert [got.path for got in mail.got] == ["<night@example.com>"]
        last = last_delivery(ask)
        assert (last["state"], last["tries"]) == ("given_up", 1)
        assert last["words"].startswith("Accepted for 1; rejected for 1: ")
        assert "gone@example.com" in last["words"]
        assert "no such person" in last["words"]
        assert only_channel(ask)["state"] == "fails"
        retire(ask, made["id"])


def test_a_mail_server_may_take_its_time_and_one_that_is_away_is_told_why(
    ask: Ask, cluster: embedded_servers.PostgresCluster, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers keep strangers waiting for the greeting, so that the time to connect is no measure of it."""
    monkeypatch.setattr(http_client, "CONNECT_SECONDS", 0.1)
    with mail_receiver() as mail:
        mail.meanwhile = [lambda: time.sleep(0.3)]
        made = make(ask, way="mail", mail=_mail(mail.port)).json()
        add_notice(made["id"])
        with as_background_worker(cluster, api_database):
            send.deliver()
        assert last_delivery(ask)["state"] == "sent"
    add_notice(made["id"])
    with as_background_worker(cluster, api_database):
        send.deliver()
    assert "refused" in last_delivery(ask)["words"]
    retire(ask, made["id"])


def test_a_chat_that_never_ends_its_answer_is_cut(
    ask: Ask, cluster: embedded_servers.PostgresCluster, api_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "WHOLE_SECONDS", 0.3)
    with dripping(b"HTTP/1.1 ", "mmost") as place:
        made = make(ask, way="chat", address=f"{place}/3ccdd113474722377935511fc85d3dd4").json()
        add_notice(made["id"])
        began = time.monotonic()
        with as_background_worker(cluster, api_database):
            send.deliver()
        assert time.monotonic() - began < 5
    assert last_delivery(ask)["words"] == "Mattermost didn't respond in time"
    retire(ask, made["id"])


def test_a_receiver_that_took_it_and_goes_on_talking_has_taken_it(
    ask: Ask, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    with dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n") as place:
        made = make(ask, address=f"{place}/hook").json()
        add_notice(made["id"])
        began = time.monotonic()
        with as_background_worker(cluster, api_database):
            send.deliver()
        assert time.monotonic() - began < 5
    assert (last_delivery(ask)["state"], last_delivery(ask)["words"]) == ("sent", "Responded with 200 OK")
    retire(ask, made["id"])


def test_what_stands_for_a_host_where_the_service_is_known_is_a_key() -> None:
    """PagerDuty's and Opsgenie's words of a connection that failed name it."""
    for url in ("pagerduty://integration0123@apikey01234567", "opsgenie://apikey01234567", "tgram://12345:apikey01234567/99"):
        chat = notify_address.chat_of(url)
        assert "apikey01234567" in transports._secrets_of(url, with_host=not chat.service.names_host)
    assert "chat.example.com" not in transports._secrets_of("mmosts://chat.example.com/3ccdd113474722377935511fc85d3dd4")


def test_chat_goes_by_apprise_and_no_word_of_the_log_holds_the_token(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    token = "3ccdd113474722377935511fc85d3dd4"
    made = make(ask, way="chat", address=f"mmost://127.0.0.1:{web.port}/{token}").json()
    assert made["shown"] == "Mattermost at 127.0.0.1"
    web.answers = [(200, {}), (403, {})]
    for state in ("sent", "given_up"):
        ask("admin", "POST", f"/notices/channels/{made['id']}/test")
        with as_background_worker(cluster, api_database):
            assert send.deliver() == 1
        assert last_delivery(ask)["state"] == state
        assert token not in last_delivery(ask)["words"]
    assert "403" in last_delivery(ask)["words"]
    # The library names a channel that was left to the webhook.
    assert "None" not in last_delivery(ask)["words"]
    assert web.got[0].path == f"/hooks/{token}"
    assert b"Test notification from channel ops" in web.got[0].body
    # Nothing in it makes the reader's program fetch from elsewhere.
    assert b"apprise" not in web.got[0].body
    retire(ask, made["id"])
