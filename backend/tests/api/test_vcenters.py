"""vCenters as people set them up and as they are read: what is sent when, what they tell, and what becomes of it."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlmodel import select, text

from plumbline.collection import vcenter_read
from plumbline.core.facts.entered import CLUSTER, CLUSTER_FROM
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.collection import HostLoginAttempt, VCenter
from plumbline.models.hosts import Host
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask
from tests.api.test_acts import acts
from tests.api.world import World, add_host, first_samples
from tests.channels.vcsim import ACCOUNT, PASSWORD, Simulate, Simulated, simulate

__all__ = ["simulate"]


@pytest.fixture(autouse=True)
def nothing_left(world: World) -> Iterator[None]:
    """A test's vCenters and links are its own."""
    yield
    with session_scope() as session:
        session.execute(text("DELETE FROM vcenter_host"))
        session.execute(text("DELETE FROM vcenter"))
        session.execute(text("UPDATE host SET overrides = '{}'"))


def credential(ask: Ask, world: World, **more: Any) -> int:
    body = {"name": "reader", "group_id": world.groups["prod"], "kind": "vcenter", "account": ACCOUNT, "password": PASSWORD, **more}
    answer = ask("admin", "POST", "/collection/credentials", json=body)
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def added(ask: Ask, world: World, simulated: Simulated | None = None, **more: Any) -> dict[str, Any]:
    body = {
        "name": "vc-berlin",
        "group_id": world.groups["prod"],
        "address": simulated.address if simulated else "192.0.2.5",
        "port": simulated.port if simulated else 443,
        "credential_id": more.pop("credential_id", None) or credential(ask, world),
        **more,
    }
    answer = ask("admin", "POST", "/collection/vcenters", json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def confirmed(ask: Ask, world: World, simulated: Simulated, **more: Any) -> int:
    made = added(ask, world, simulated, **more)
    assert ask("admin", "POST", f"/collection/vcenters/{made['id']}/confirm", json={"fingerprint": simulated.sha256}).status_code == 200
    return int(made["id"])


def new_esxi(world: World, name: str, group: str = "prod") -> str:
    with session_scope() as session:
        return add_host(session, name, group_id=world.groups[group], sample=first_samples()[1])


def overrides(host_id: str) -> tuple[str | None, str | None, int]:
    with session_scope() as session:
        host = session.get_one(Host, host_id)
        return host.overrides.get(CLUSTER), host.overrides.get(CLUSTER_FROM), host.state_version


def test_nothing_is_sent_before_a_person_confirmed_the_certificate(ask: Ask, world: World, simulate: Simulate) -> None:
    simulated = simulate({"name": "esx-x"})
    made = added(ask, world, simulated)
    path = f"/collection/vcenters/{made['id']}"
    assert (made["pin"], made["hosts"], made["product"]) == ("", 0, "")
    refused = ask("admin", "POST", f"{path}/read")
    assert (refused.status_code, "Verify the certificate" in refused.json()["detail"]) == (409, True)
    with session_scope() as session:
        assert vcenter_read.due_vcenters(session) == []
    assert "not verified; nothing was sent" in str(vcenter_read.read_vcenter(made["id"]))
    assert vcenter_read.fetch_certificate(made["id"]) == simulated.sha256
    wrong = ask("admin", "POST", f"{path}/confirm", json={"fingerprint": "00" * 32})
    assert (wrong.status_code, simulated.sha256 in wrong.json()["detail"]) == (409, True)
    right = ask("admin", "POST", f"{path}/confirm", json={"fingerprint": simulated.sha256.upper()}).json()
    assert (right["pin"], right["confirmed_by"].endswith(" admin")) == (simulated.sha256, True)
    with session_scope() as session:
        assert vcenter_read.due_vcenters(session) == [made["id"]]
        assert [row.outcome for row in session.exec(select(HostLoginAttempt))] == ["not_tried"]
    assert acts("vcenter", made["id"]) == ["vcenter.added", "vcenter.certificate_confirmed"]


def test_a_reading_links_hosts_and_imports_their_clusters(ask: Ask, world: World, simulate: Simulate) -> None:
    linked, elsewhere = new_esxi(world, "esx-v1"), new_esxi(world, "esx-v2", "lab")
    simulated = simulate({"name": "esx-v1.example.net", "lockdown": "lockdownNormal", "ssh": False}, {"name": "esx-v2"}, cluster="BERLIN-1")
    vcenter_id = confirmed(ask, world, simulated)
    version = overrides(linked)[2]
    assert vcenter_read.read_vcenter(vcenter_id) == ""
    assert overrides(linked) == ("BERLIN-1", "vc-berlin", version + 1)
    assert acts("host", linked)[-1] == "host.cluster_imported"
    (row,) = ask("admin", "GET", "/collection/vcenters").json()
    assert (row["hosts"], row["linked"], row["last_error"], row["product"][:14]) == (2, 1, "", "VMware vCenter")
    shown = {each["name"]: each for each in ask("viewer", "GET", f"/collection/vcenters/{vcenter_id}/hosts").json()}
    assert shown["esx-v1.example.net"]["host"] == {"id": linked, "name": "esx-v1"}
    assert (shown["esx-v1.example.net"]["lockdown"], shown["esx-v1.example.net"]["is_ssh_running"]) == ("normal", False)
    # A host of another branch is none that this vCenter may speak of.
    assert (shown["esx-v2"]["host"], overrides(elsewhere)[0]) == (None, None)
    # A second reading of the same changes nothing and says nothing.
    assert vcenter_read.read_vcenter(vcenter_id) == ""
    assert overrides(linked)[2] == version + 1
    with session_scope() as session:
        assert session.get_one(VCenter, vcenter_id).failures == 0
        assert vcenter_read.due_vcenters(session) == []


def test_a_host_that_left_the_vcenter_has_no_known_cluster(ask: Ask, world: World, simulate: Simulate) -> None:
    host_id = new_esxi(world, "esx-v3")
    first, second = simulate({"name": "esx-v3"}), simulate({"name": "another"})
    vcenter_id = confirmed(ask, world, first)
    vcenter_read.read_vcenter(vcenter_id)
    assert overrides(host_id)[0] == "PROD"
    ask("admin", "PATCH", f"/collection/vcenters/{vcenter_id}", json={"port": second.port})
    # The pinned certificate is that of the first: the second is another vCenter, until a person says otherwise.
    if first.sha256 != second.sha256:
        assert "does not match the verified one" in str(vcenter_read.read_vcenter(vcenter_id))
        assert overrides(host_id)[0] == "PROD"
        ask("admin", "POST", f"/collection/vcenters/{vcenter_id}/confirm", json={"fingerprint": second.sha256})
    assert vcenter_read.read_vcenter(vcenter_id) == ""
    assert overrides(host_id)[:2] == (None, None)
    assert acts("host", host_id)[-2:] == ["host.cluster_imported", "host.cluster_forgotten"]


def test_a_person_links_and_unlinks(ask: Ask, world: World, simulate: Simulate) -> None:
    host_id, other = new_esxi(world, "esx-v4"), new_esxi(world, "esx-v5")
    vcenter_id = confirmed(ask, world, simulate({"name": "renamed"}, {"name": "esx-v5"}))
    vcenter_read.read_vcenter(vcenter_id)
    rows = {each["name"]: each for each in ask("admin", "GET", f"/collection/vcenters/{vcenter_id}/hosts").json()}
    assert "no host with its name or address" in rows["renamed"]["matched_words"]
    link = f"/collection/vcenters/{vcenter_id}/hosts/{rows['renamed']['moid']}/link"
    taken = ask("admin", "PUT", link, json={"host_id": other})
    assert (taken.status_code, "is already linked to esx-v5" in taken.json()["detail"]) == (409, True)
    windows = ask("admin", "PUT", link, json={"host_id": world.hosts["sql-01"]})
    assert (windows.status_code, "is not an ESXi host" in windows.json()["detail"]) == (422, True)
    assert ask("operator", "PUT", link, json={"host_id": host_id}).status_code == 403
    assert ask("admin", "PUT", link, json={"host_id": host_id}).json()["matched_words"] == "linked manually"
    assert overrides(host_id)[0] == "PROD"
    vcenter_read.read_vcenter(vcenter_id)
    assert overrides(host_id)[0] == "PROD"
    assert ask("admin", "PUT", link, json={"host_id": None}).json()["host"] is None
    vcenter_read.read_vcenter(vcenter_id)
    assert overrides(host_id)[0] is None


def test_a_cluster_that_a_person_entered_is_not_taken_away(ask: Ask, world: World, simulate: Simulate) -> None:
    host_id = new_esxi(world, "esx-v6")
    entered = ask("operator", "PATCH", f"/hosts/{host_id}", json={"entered": {CLUSTER: "By hand"}})
    assert entered.status_code == 200, entered.text
    with session_scope() as session:
        session.execute(text("UPDATE host SET overrides = :o"), {"o": '{"host//cluster": "By hand"}'})
    vcenter_id = confirmed(ask, world, simulate({"name": "unheard of"}))
    vcenter_read.read_vcenter(vcenter_id)
    assert overrides(host_id)[:2] == ("By hand", None)


def test_forgetting_a_vcenter_forgets_what_it_told(ask: Ask, world: World, simulate: Simulate) -> None:
    host_id = new_esxi(world, "esx-v7")
    vcenter_id = confirmed(ask, world, simulate({"name": "esx-v7"}))
    vcenter_read.read_vcenter(vcenter_id)
    assert ask("admin", "DELETE", f"/collection/vcenters/{vcenter_id}").status_code == 204
    assert overrides(host_id)[:2] == (None, None)
    assert ask("admin", "GET", "/collection/vcenters").json() == []
    assert acts("vcenter", vcenter_id)[-1] == "vcenter.removed"
    assert vcenter_read.read_vcenter(vcenter_id) is None


def test_two_wrong_passwords_are_all_that_a_vcenter_sees(ask: Ask, world: World, simulate: Simulate) -> None:
    simulated = simulate({"name": "esx"})
    vcenter_id = confirmed(ask, world, simulated, credential_id=credential(ask, world, password="old"))
    said = [str(vcenter_read.read_vcenter(vcenter_id)) for _ in range(3)]
    assert ["rejected the credential" in words for words in said] == [True, True, False]
    assert "another attempt could lock the account" in said[2]
    with session_scope() as session:
        assert session.get_one(VCenter, vcenter_id).failures == 3


def test_hands_may_do_all_of_it(
    ask: Ask,
    world: World,
    simulate: Simulate,
    api_database: str,
    cluster: embedded_servers.PostgresCluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host_id = new_esxi(world, "esx-v8")
    vcenter_id = confirmed(ask, world, simulate({"name": "esx-v8"}))
    get_engine().dispose()
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", cluster.url("plumbline_executor", api_database.split("@/")[1].split("?")[0]))
    get_settings.cache_clear()
    get_engine.cache_clear()
    try:
        assert vcenter_read.fetch_certificate(vcenter_id)
        assert vcenter_read.read_vcenter(vcenter_id) == ""
        assert overrides(host_id)[0] == "PROD"
        with session_scope() as session:
            assert session.execute(text("SELECT current_user")).scalar_one() == "plumbline_executor"
    finally:
        get_engine().dispose()
        monkeypatch.undo()
        get_settings.cache_clear()
        get_engine.cache_clear()


def test_what_is_refused(ask: Ask, world: World) -> None:
    secret = credential(ask, world)
    body = {"name": "v", "group_id": world.groups["prod"], "address": "192.0.2.6", "credential_id": secret}
    assert ask("operator", "POST", "/collection/vcenters", json=body).status_code == 403
    assert ask("admin", "POST", "/collection/vcenters", json={**body, "address": "https://x"}).status_code == 422
    assert ask("admin", "POST", "/collection/vcenters", json={**body, "credential_id": 10**6}).status_code == 404
    far = ask("admin", "POST", "/collection/vcenters", json={**body, "group_id": world.groups["lab"]})
    assert (far.status_code, "is for hosts of PROD" in far.json()["detail"]) == (422, True)
    other = {"name": "n", "group_id": world.groups["prod"], "kind": "ssh_password", "account": "root", "password": "x"}
    ssh = ask("admin", "POST", "/collection/credentials", json=other).json()["id"]
    wrong = ask("admin", "POST", "/collection/vcenters", json={**body, "credential_id": ssh})
    assert (wrong.status_code, "not an account of a vCenter" in wrong.json()["detail"]) == (422, True)
    # Neither does a vCenter's account sign in to a host, nor may one be kept for changing anything.
    host = {"name": "h", "platform": "esxi", "group_id": world.groups["prod"], "address": "192.0.2.7", "credential_id": secret}
    assert ask("admin", "POST", "/collection/hosts", json=host).status_code == 422
    changing = {**other, "kind": "vcenter", "purpose": "remediation"}
    assert ask("admin", "POST", "/collection/credentials", json=changing).status_code == 422
    made = ask("admin", "POST", "/collection/vcenters", json=body).json()
    assert ask("admin", "POST", "/collection/vcenters", json=body).status_code == 409
    own = added(ask, world, credential_id=credential(ask, world, group_id=1), address="192.0.2.8")
    assert ask("prod-admin", "DELETE", f"/collection/vcenters/{own['id']}").status_code == 404
    assert ask("prod-admin", "GET", f"/collection/vcenters/{made['id']}/hosts").json() == []
    assert ask("admin", "GET", "/collection/vcenters/99999/hosts").status_code == 404
