"""Mailing reports, over a real wire: attachments with their checksums, links, again, and to whom they may go."""

import hashlib
from collections.abc import Iterator
from email import message_from_bytes
from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from plumbline.reports import mails
from plumbline.reports.build import build_report
from plumbline.reports.schedules import make_due
from tests.api.conftest import Ask
from tests.notify.receivers import Receiver, mail_receiver
from tests.notify.requests import as_background_worker, make

pytestmark = pytest.mark.usefixtures("loopback")


@pytest.fixture(scope="module")
def report(ask: Ask) -> dict[str, Any]:
    made = ask("viewer", "POST", "/reports", json={"group_id": 1}).json()
    with session_scope() as session:
        build_report(session, made["id"])
    found: dict[str, Any] = ask("viewer", "GET", f"/reports/{made['id']}").json()
    return found


@pytest.fixture
def post(cluster: embedded_servers.PostgresCluster, api_database: str) -> Iterator[Receiver]:
    with mail_receiver() as receiver:
        yield receiver


@pytest.fixture
def channel(ask: Ask, post: Receiver) -> Iterator[int]:
    mail = {"server": "127.0.0.1", "port": post.port, "security": "insecure", "sender": "plumbline@example.com", "to": ["team@example.com"]}
    made = make(ask, way="mail", mail=mail)
    assert made.status_code == 201, made.text
    yield made.json()["id"]
    ask("admin", "DELETE", f"/notices/channels/{made.json()['id']}")


def send(cluster: embedded_servers.PostgresCluster, api_database: str) -> int:
    with as_background_worker(cluster, api_database):
        return mails.send_due()


def test_a_report_is_mailed_with_its_files(
    ask: Ask, report: dict[str, Any], channel: int, post: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    asked = {"channel_id": channel, "recipients": ["boss@example.com", "audit@example.com"], "formats": ["pdf", "xlsx"]}
    mailed = ask("operator", "POST", f"/reports/{report['id']}/mails", json=asked)
    assert mailed.status_code == 201, mailed.text
    assert mailed.json()["mails"][0]["state"] == "waiting"
    assert send(cluster, api_database) == 1
    [shown] = ask("viewer", "GET", f"/reports/{report['id']}").json()["mails"]
    assert (shown["state"], shown["requested_by"], shown["recipients"]) == ("sent", "Operator", asked["recipients"]), shown["words"]
    assert len(post.got) == 2, "one mail each"
    mail = message_from_bytes(post.got[0].body)
    assert "Executive report: All hosts" in str(mail["subject"]).replace("\n", "")
    files = {part.get_filename(): part.get_payload(decode=True) for part in mail.walk() if part.get_filename()}
    kept = {each["format"]: each["sha256"] for each in report["files"]}
    assert {name.rpartition(".")[2] for name in files if name} == {"pdf", "xlsx"}
    for name, content in files.items():
        assert isinstance(content, bytes)
        assert hashlib.sha256(content).hexdigest() == kept[str(name).rpartition(".")[2]]
    words = "".join(str(part.get_payload(decode=True), "utf-8") for part in mail.walk() if part.get_content_type() == "text/plain")
    assert f"/reports/{report['id']}" in words
    assert report["data_sha256"] in words
    assert kept["pdf"] in words


def test_as_a_link_nothing_is_attached_and_it_can_be_sent_again(
    ask: Ask, report: dict[str, Any], channel: int, post: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    asked = {"channel_id": channel, "recipients": ["boss@example.com"], "form": "link"}
    first = ask("viewer", "POST", f"/reports/{report['id']}/mails", json=asked).json()["mails"][0]
    again = ask("viewer", "POST", f"/reports/{report['id']}/mails/{first['id']}/again")
    assert again.status_code == 201, again.text
    assert again.json()["mails"][0]["recipients"] == ["boss@example.com"]
    assert send(cluster, api_database) == 2
    assert send(cluster, api_database) == 0
    assert len(post.got) == 2
    for got in post.got:
        assert not [part for part in message_from_bytes(got.body).walk() if part.get_filename()]
    assert ask("viewer", "POST", f"/reports/{report['id']}/mails/999999/again").status_code == 404


def test_nobody_outside_the_domains_of_the_channel_gets_it(ask: Ask, report: dict[str, Any], channel: int) -> None:
    asked = {"channel_id": channel, "recipients": ["boss@example.com", "me@elsewhere.example"]}
    refused = ask("viewer", "POST", f"/reports/{report['id']}/mails", json=asked)
    assert refused.status_code == 422
    assert "me@elsewhere.example is outside the domains" in refused.json()["detail"]
    assert "boss@" not in refused.json()["detail"]
    [offered] = ask("viewer", "GET", "/reports/mail-channels?group_id=1").json()
    assert offered["domains"] == ["example.com"]


def test_who_may_mail(ask: Ask, report: dict[str, Any], channel: int) -> None:
    asked = {"channel_id": channel, "recipients": ["boss@example.com"]}
    assert ask("approver", "POST", f"/reports/{report['id']}/mails", json=asked).status_code == 403
    assert ask("prod-viewer", "POST", f"/reports/{report['id']}/mails", json=asked).status_code == 404
    assert ask("prod-viewer", "GET", "/reports/mail-channels?group_id=1").status_code == 404
    assert ask("approver", "GET", f"/reports/{report['id']}").json()["mails"] == []
    queued = ask("viewer", "POST", "/reports", json={"group_id": 1}).json()
    refused = ask("viewer", "POST", f"/reports/{queued['id']}/mails", json=asked)
    assert (refused.status_code, "finished" in refused.json()["detail"]) == (409, True)
    none = ask("viewer", "POST", f"/reports/{report['id']}/mails", json={**asked, "formats": []})
    assert (none.status_code, "at least one" in none.text) == (422, True)


def test_a_mail_server_that_refuses_is_tried_again_and_says_why(
    ask: Ask, report: dict[str, Any], channel: int, post: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    post.answers = [(550, {})]
    ask("viewer", "POST", f"/reports/{report['id']}/mails", json={"channel_id": channel, "recipients": ["boss@example.com"]})
    assert send(cluster, api_database) == 1
    mail = ask("viewer", "GET", f"/reports/{report['id']}").json()["mails"][0]
    assert (mail["state"], bool(mail["words"])) == ("waiting", True)
    with as_background_worker(cluster, api_database), session_scope() as session:
        session.execute(text("UPDATE report_mail SET due_at = clock_timestamp() WHERE state = 'waiting'"))
    assert send(cluster, api_database) == 1
    assert ask("viewer", "GET", f"/reports/{report['id']}").json()["mails"][0]["state"] == "sent"


def test_the_report_of_a_schedule_is_mailed_by_itself(
    ask: Ask, channel: int, post: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    mail = {"channel_id": channel, "recipients": ["boss@example.com"], "formats": ["pdf"]}
    schedule = {"name": "Monthly", "group_id": 1, "every": "month", "template": "exceptions", "mail": mail}
    made = ask("viewer", "POST", "/report-schedules", json=schedule)
    assert made.status_code == 201, made.text
    with session_scope() as session:
        session.execute(text("UPDATE report_schedule SET next_due_at = now() WHERE id = :id"), {"id": made.json()["id"]})
    # All that follows is done with the rights of the background worker's database role.
    with as_background_worker(cluster, api_database), session_scope() as session:
        assert make_due(session) == 1
    [report] = ask("viewer", "GET", f"/reports?schedule={made.json()['id']}").json()
    with as_background_worker(cluster, api_database):
        with session_scope() as session:
            assert build_report(session, report["id"])
        assert mails.send_due() == 1
    [sent] = ask("viewer", "GET", f"/reports/{report['id']}").json()["mails"]
    assert (sent["state"], sent["requested_by"]) == ("sent", "Schedule"), sent["words"]
    assert "Exceptions report" in str(message_from_bytes(post.got[0].body)["subject"]).replace("\n", "")
    ask("viewer", "DELETE", f"/report-schedules/{made.json()['id']}")
