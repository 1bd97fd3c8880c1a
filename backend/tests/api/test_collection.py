"""Off-host collection as people set it up: who may, what is refused and why, what is never answered, what stands in the audit trail."""

import json
from typing import Any

import pytest
from sqlmodel import select, text

from plumbline.collection import endpoints
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from plumbline.models.vault import VaultSecret
from tests.api.conftest import Ask
from tests.api.test_acts import acts
from tests.api.world import World, add_host, first_samples

SHOWN = "SHA256:" + "a" * 43
OTHER = "SHA256:" + "b" * 43


def credential(ask: Ask, group: int, login: str = "admin", **more: Any) -> Any:
    body = {"name": "root of ESXi", "group_id": group, "kind": "ssh_password", "account": "root", "password": "Sehr Geheim 42", **more}
    answer = ask(login, "POST", "/collection/credentials", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def collected(ask: Ask, world: World, name: str, login: str = "admin", group: str = "prod_b", **more: Any) -> Any:
    made = more.pop("credential_id", None) or credential(ask, world.groups["prod"], login)["id"]
    body = {"name": name, "platform": "esxi", "group_id": world.groups[group], "address": "192.0.2.7", "credential_id": made, **more}
    answer = ask(login, "POST", "/collection/hosts", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def show(host_id: str, pin: str) -> None:
    """What the executor notes after a look."""
    with session_scope() as session:
        session.execute(
            text("UPDATE collection_endpoint SET shown_pin = :pin, shown_at = now() WHERE host_id = :id"), {"pin": pin, "id": host_id}
        )


def test_a_credential_is_written_and_never_answered(ask: Ask, world: World) -> None:
    made = credential(ask, world.groups["prod"], name="written once")
    listed = ask("admin", "GET", "/collection/credentials").text
    assert "Sehr Geheim" not in listed + json.dumps(made)
    assert (made["account"], made["kind"], made["version"], made["hosts"], made["last_trial"]) == ("root", "ssh_password", 1, 0, None)
    with session_scope() as session:
        row = session.get_one(VaultSecret, made["id"])
        assert b"Sehr Geheim" not in row.sealed
        entries = session.execute(text("SELECT before::text || coalesce(after::text, '') FROM audit_entry")).scalars()
        assert not [entry for entry in entries if entry and "Sehr Geheim" in entry]
    renewed = ask("admin", "PATCH", f"/collection/credentials/{made['id']}", json={"password": "Noch Geheimer 43"}).json()
    assert (renewed["version"], renewed["account"]) == (2, "root")
    stopped = ask("admin", "POST", f"/collection/credentials/{made['id']}/stop", json={"reason": "left the company"}).json()
    assert stopped["stopped_reason"] == "left the company"
    assert ask("admin", "PATCH", f"/collection/credentials/{made['id']}", json={"password": "third"}).json()["stopped_at"] is None
    assert acts("secret", made["id"]) == ["secret.stored", "secret.replaced", "secret.stopped", "secret.replaced"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"kind": "ssh_key", "private_key": "not a key"}, "private_key"),
        ({"kind": "ssh_key"}, "the private key is missing"),
        ({"kind": "ssh_password"}, "the password is missing"),
        ({"kind": "ssh_password", "password": "x", "private_key": "y"}, "has none"),
        ({"kind": "certificate", "certificate": "x", "private_key": "y"}, "PEM"),
        ({"kind": "basic", "password": "x"}, "kind"),
        ({"kind": "ntlm", "password": "x", "account": " "}, "account"),
    ],
)
def test_a_credential_that_cannot_sign_in_is_refused(ask: Ask, world: World, body: dict[str, str], words: str) -> None:
    answer = ask("admin", "POST", "/collection/credentials", json={"name": "n", "group_id": 1, "account": "root", **body})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_a_credential_of_another_branch_is_not_there(ask: Ask, world: World) -> None:
    lab = credential(ask, world.groups["lab"], name="of the lab")
    root = credential(ask, 1, name="of everything")
    for other in (lab, root):
        assert other["id"] not in [row["id"] for row in ask("prod-admin", "GET", "/collection/credentials").json()]
        assert ask("prod-admin", "PATCH", f"/collection/credentials/{other['id']}", json={"password": "mine"}).status_code == 404
        # Pointing it at an address of one's own would be a way to read it.
        body = {"name": "trap", "platform": "esxi", "group_id": world.groups["prod"], "address": "192.0.2.9", "credential_id": other["id"]}
        assert ask("prod-admin", "POST", "/collection/hosts", json=body).status_code == 404
    body = {"name": "far", "platform": "esxi", "group_id": world.groups["prod"], "address": "192.0.2.9", "credential_id": lab["id"]}
    answer = ask("admin", "POST", "/collection/hosts", json=body)
    assert (answer.status_code, "is for hosts of LAB" in answer.json()["detail"]) == (422, True)
    own = collected(ask, world, "own-of-root", credential_id=root["id"])
    for path, act in (("", {"address": "192.0.2.66"}), ("/confirm", {"fingerprint": SHOWN})):
        method = "PATCH" if path == "" else "POST"
        assert ask("prod-admin", method, f"/collection/hosts/{own['host_id']}{path}", json=act).status_code == 404


def test_a_new_host_waits_and_nothing_is_sent_before_a_person_confirmed_its_key(ask: Ask, world: World) -> None:
    host = collected(ask, world, "esx-new-01")
    assert (host["state"], host["channel"], host["port"], host["pins"], host["account"]) == ("waiting", "ssh", 22, [], "root")
    assert host["host_id"] in [row["id"] for row in ask("admin", "GET", "/enrolment/waiting").json()]
    with session_scope() as session:
        assert host["host_id"] not in endpoints.due_hosts(session)
    refused = ask("operator", "POST", f"/hosts/{host['host_id']}/check-now")
    assert (refused.status_code, "not verified" in refused.json()["detail"]) == (409, True)
    tried = ask("admin", "POST", f"/collection/credentials/{host['credential_id']}/test", json={"host_id": host["host_id"]})
    assert (tried.status_code, "Verify the host key" in tried.json()["detail"]) == (409, True)
    show(host["host_id"], SHOWN)
    wrong = ask("admin", "POST", f"/collection/hosts/{host['host_id']}/confirm", json={"fingerprint": OTHER})
    assert (wrong.status_code, SHOWN in wrong.json()["detail"]) == (409, True)
    assert ask("operator", "POST", f"/collection/hosts/{host['host_id']}/confirm", json={"fingerprint": SHOWN}).status_code == 403
    confirmed = ask("admin", "POST", f"/collection/hosts/{host['host_id']}/confirm", json={"fingerprint": f" {SHOWN}= "}).json()
    assert (confirmed["pins"], confirmed["confirmed_by"].endswith(" admin")) == ([SHOWN], True)
    with session_scope() as session:
        assert host["host_id"] in endpoints.due_hosts(session)
    words = ask("operator", "POST", f"/hosts/{host['host_id']}/check-now").json()["words"]
    assert words.startswith("Reading the host over SSH")
    assert acts("host", host["host_id"]) == ["host.enrolled", "host.collected_by_us", "host.key_confirmed", "host.check_asked"]


@pytest.mark.parametrize("fingerprint", ["SHA256:" + "a" * 42, "MD5:" + "a" * 43, "x" * 64, "SHA256:" + "!" * 43])
def test_what_is_no_fingerprint_is_refused(ask: Ask, world: World, fingerprint: str) -> None:
    host = collected(ask, world, f"esx-odd-{fingerprint[:3]}-{len(fingerprint)}")
    answer = ask("admin", "POST", f"/collection/hosts/{host['host_id']}/confirm", json={"fingerprint": fingerprint})
    assert answer.status_code == 422


def test_a_certificate_is_compared_in_any_writing(ask: Ask, world: World) -> None:
    made = credential(ask, world.groups["prod"], name="svc", kind="ntlm", account="svc")
    host = collected(ask, world, "win-new-01", platform="windows", credential_id=made["id"])
    assert (host["channel"], host["port"]) == ("winrm", 5986)
    show(host["host_id"], "ab" * 32)
    given = ":".join(["AB"] * 32)
    assert ask("admin", "POST", f"/collection/hosts/{host['host_id']}/confirm", json={"fingerprint": given}).json()["pins"] == ["ab" * 32]
    esxi_only = credential(ask, world.groups["prod"])
    assert ask("admin", "PATCH", f"/collection/hosts/{host['host_id']}", json={"credential_id": esxi_only["id"]}).status_code == 422


def test_a_host_with_an_agent_is_taken_over_and_given_up(ask: Ask, world: World) -> None:
    with session_scope() as session:
        host_id = add_host(session, "esx-agent-01", group_id=world.groups["prod_b"], sample=first_samples()[1])
    own = ask("viewer", "GET", f"/hosts/{host_id}/collection").json()
    assert (own["source"], "Agent checks in" in own["words"]) == ("agent", True)
    agent = ask("operator", "POST", f"/hosts/{host_id}/check-now").json()["words"]
    assert "next check-in" in agent
    made = credential(ask, world.groups["prod"])
    body = {"host_id": host_id, "platform": "esxi", "address": "192.0.2.8", "port": 2222, "credential_id": made["id"]}
    assert ask("admin", "POST", "/collection/hosts", json={**body, "platform": "windows"}).status_code == 422
    assert ask("admin", "POST", "/collection/hosts", json={**body, "name": "both"}).status_code == 422
    taken = ask("admin", "POST", "/collection/hosts", json=body)
    assert taken.status_code == 201
    with session_scope() as session:
        host = session.get_one(Host, host_id)
        # Its agent is refused from now on: a host has one source and one counter.
        assert (host.epoch, host.source, host.state, host.last_seq) == (2, "collector", "active", 0)
    assert ask("admin", "POST", "/collection/hosts", json=body).status_code == 409
    assert "Collected over SSH at 192.0.2.8" in ask("viewer", "GET", f"/hosts/{host_id}/collection").json()["words"]
    changed = ask("admin", "PATCH", f"/collection/hosts/{host_id}", json={"address": "192.0.2.10"}).json()
    assert (changed["address"], changed["port"]) == ("192.0.2.10", 2222)
    assert ask("admin", "DELETE", f"/collection/hosts/{host_id}").status_code == 204
    assert ask("admin", "DELETE", f"/collection/hosts/{host_id}").status_code == 404
    assert ask("operator", "POST", f"/hosts/{host_id}/check-now").status_code == 409
    with session_scope() as session:
        assert session.get(CollectionEndpoint, host_id) is None
        assert session.exec(select(VaultSecret).where(VaultSecret.purpose == f"check_in:{host_id}")).all() == []
    done = ["host.check_asked", "host.enrolled_again", "host.collected_by_us", "host.collection_changed", "host.collection_ended"]
    assert acts("host", host_id) == done


def test_a_retired_host_is_no_longer_collected(ask: Ask, world: World) -> None:
    """A list of collected hosts has none, so an act that answers with the host's row found nothing to answer with."""
    host_id = collected(ask, world, "col-retired")["host_id"]
    assert ask("admin", "POST", f"/hosts/{host_id}/retire", json={"reason": "out of service"}).status_code == 200
    for method, path, body in (
        ("PATCH", f"/collection/hosts/{host_id}", {"address": "10.9.9.9"}),
        ("POST", f"/collection/hosts/{host_id}/look", None),
        ("POST", f"/collection/hosts/{host_id}/confirm", {"fingerprint": "SHA256:" + "a" * 43}),
    ):
        answer = ask("admin", method, path, json=body)
        assert (answer.status_code, answer.json()["detail"]) == (409, "col-retired is retired and can't be collected.")


def test_lists_hold_only_what_is_in_scope(ask: Ask, world: World) -> None:
    lab = credential(ask, world.groups["lab"], name="of the lab too")
    far = collected(ask, world, "esx-lab-09", group="lab", credential_id=lab["id"])
    near = collected(ask, world, "esx-prod-09")
    names = [row["name"] for row in ask("prod-viewer", "GET", "/collection/hosts").json()]
    assert near["name"] in names
    assert far["name"] not in names
    for method, path, body in (
        ("GET", f"/hosts/{far['host_id']}/collection", None),
        ("POST", f"/collection/hosts/{far['host_id']}/look", None),
        ("POST", f"/collection/hosts/{far['host_id']}/confirm", {"fingerprint": SHOWN}),
        ("DELETE", f"/collection/hosts/{far['host_id']}", None),
    ):
        assert ask("prod-admin", method, path, json=body).status_code == 404


@pytest.mark.parametrize("place", ["192.0.2.7 ", "-oProxyCommand=x", "a/b", "", "x" * 254])
def test_an_address_that_is_none_is_refused(ask: Ask, world: World, place: str) -> None:
    made = credential(ask, world.groups["prod"])
    body = {"name": "n", "platform": "esxi", "group_id": world.groups["prod"], "address": place, "credential_id": made["id"]}
    assert ask("admin", "POST", "/collection/hosts", json=body).status_code == 422


def test_lists_ask_the_database_the_same_number_of_times_however_long_they_are(ask: Ask, world: World) -> None:
    from sqlalchemy import event

    from plumbline.infra.database import get_engine

    def queries(path: str) -> int:
        seen: list[str] = []

        def note(*args: Any) -> None:
            seen.append(str(args[2]))

        event.listen(get_engine(), "before_cursor_execute", note)
        try:
            assert ask("admin", "GET", path).status_code == 200
        finally:
            event.remove(get_engine(), "before_cursor_execute", note)
        return len(seen)

    for path in ("/collection/hosts", "/collection/credentials"):
        collected(ask, world, f"esx-count-{path[-5:]}")
        few = queries(path)
        for number in range(3):
            collected(ask, world, f"esx-more-{path[-5:]}-{number}")
        assert queries(path) == few


def test_a_host_keeps_its_agent_and_is_reached_to_start_it(ask: Ask, world: World) -> None:
    with session_scope() as session:
        host_id = add_host(session, "esx-agent-02", group_id=world.groups["prod_b"], sample=first_samples()[1])
    made = credential(ask, world.groups["prod"])
    body = {"host_id": host_id, "platform": "esxi", "address": "192.0.2.18", "credential_id": made["id"], "keeps_agent": True}
    assert ask("operator", "POST", "/collection/hosts", json=body).status_code == 403
    assert ask("admin", "POST", "/collection/hosts", json={**body, "host_id": None, "name": "new", "group_id": 1}).status_code == 422
    kept = ask("admin", "POST", "/collection/hosts", json=body)
    assert kept.status_code == 201, kept.text
    assert (kept.json()["source"], kept.json()["address"], kept.json()["port"]) == ("agent", "192.0.2.18", 22)
    with session_scope() as session:
        host = session.get_one(Host, host_id)
        # Its agent stays its source: neither epoch nor counter moved, and nothing is ever collected.
        assert (host.epoch, host.source) == (1, "agent")
        assert host_id not in endpoints.due_hosts(session)
        session.get_one(CollectionEndpoint, host_id).pins = [SHOWN]
    words = ask("operator", "POST", f"/hosts/{host_id}/check-now").json()["words"]
    assert words == "Agent triggered over SSH. Check-in expected within 120 s."
    assert "triggered over SSH at 192.0.2.18" in ask("viewer", "GET", f"/hosts/{host_id}/collection").json()["words"]
    with session_scope() as session:
        session.get_one(CollectionEndpoint, host_id).pins = []
    words = ask("operator", "POST", f"/hosts/{host_id}/check-now").json()["words"]
    assert words.startswith("Host key not verified, so the agent wasn't triggered")
    assert ask("admin", "DELETE", f"/collection/hosts/{host_id}").status_code == 204
    assert "can't be triggered from here" in ask("operator", "POST", f"/hosts/{host_id}/check-now").json()["words"]
