"""Whether a host can be reached for changes: lockdown, SSH, shell time-outs, identity, credential and runner, each in words."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline import vault
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint, VCenter, VCenterHost
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host
from plumbline.remediation.access.reachability import ReachEvidence, sign_in_blocker, sign_in_reasons
from tests.api.conftest import Ask
from tests.api.world import World, add_host, first_samples

IN_LOCKDOWN = ReachEvidence(lockdown="normal", exception_users=("root", "dcui"))


@pytest.mark.parametrize(
    ("shown", "account", "states"),
    [
        (ReachEvidence(), "root", []),
        (ReachEvidence(lockdown="disabled", is_ssh_running=True), "root", ["yes", "yes"]),
        (IN_LOCKDOWN, "ROOT", ["yes"]),
        (IN_LOCKDOWN, "svc-plumbline", ["no"]),
        (IN_LOCKDOWN, "", ["no"]),
        (ReachEvidence(lockdown="strict", exception_users=()), "root", ["no"]),
        # Who may pass is not known, so whether we may is not known either.
        (ReachEvidence(lockdown="strict"), "root", ["unknown"]),
        (ReachEvidence(is_ssh_running=False), "root", ["no"]),
        (ReachEvidence(shell_timeout_seconds=600, connection="not_responding"), "root", ["note", "note"]),
        (ReachEvidence(shell_timeout_seconds=0, connection="connected"), "root", []),
    ],
)
def test_what_each_fact_means_for_an_account(shown: ReachEvidence, account: str, states: list[str]) -> None:
    assert [reason.state for reason in sign_in_reasons(shown, account)] == states


def test_what_the_runner_cannot_do_in_lockdown_is_said() -> None:
    (reason,) = sign_in_reasons(IN_LOCKDOWN, "svc")
    assert "svc is none of them" in reason.words
    assert "nothing can be changed" in reason.words


@pytest.fixture
def host_id(world: World) -> Iterator[str]:
    with session_scope() as session:
        made = add_host(session, "esx-r1", group_id=world.groups["prod"], sample=first_samples()[1])
    yield made
    with session_scope() as session:
        for table in ("vcenter_host", "vcenter", "remediation_endpoint", "collection_endpoint"):
            session.execute(text(f"DELETE FROM {table}"))


def told_by_vcenter(host_id: str, world: World, **facts: Any) -> None:
    with session_scope() as session:
        secret = vault.put_secret(
            session, vault.NewSecret(name="v", purpose="collection", values={"password": "x"}, kind="vcenter"), actor="test"
        )
        row = VCenter(name="vc-berlin", group_id=world.groups["prod"], address="192.0.2.5", credential_id=secret)
        session.add(row)
        session.flush()
        session.add(VCenterHost(vcenter_id=row.id, moid="host-1", name="esx-r1", host_id=host_id, **facts))


def way(session: Session, host_id: str, **more: Any) -> None:
    secret = vault.put_secret(
        session,
        vault.NewSecret(name="changes", purpose="remediation", values={"password": "x"}, account="svc", kind="ssh_password"),
        actor="test",
    )
    values = {"pins": ["SHA256:" + "a" * 43], "runner_sha256": "0a" * 32, **more}
    session.add(RemediationEndpoint(host_id=host_id, channel="ssh", address="192.0.2.7", port=22, credential_id=secret, **values))


def read(ask: Ask, host_id: str) -> tuple[str, dict[str, str]]:
    said = ask("viewer", "GET", f"/hosts/{host_id}/reach").json()
    return said["answer"], {reason["about"]: reason["state"] for reason in said["reasons"]}


def test_a_host_without_a_way_is_not_reachable(ask: Ask, world: World, host_id: str) -> None:
    assert read(ask, host_id)[0] == "no"
    said = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/reach").json()
    assert (said["answer"], said["reasons"][0]["about"], said["vcenter"]) == ("no", "way", None)
    assert ask("prod-viewer", "GET", f"/hosts/{world.hosts['lab-01']}/reach").status_code == 404


def test_its_vcenter_shuts_or_opens_it(ask: Ask, world: World, host_id: str) -> None:
    told_by_vcenter(host_id, world, lockdown="normal", exception_users=["root"], is_ssh_running=True, shell_timeout_seconds=900)
    with session_scope() as session:
        way(session, host_id)
    answer, states = read(ask, host_id)
    assert (answer, states["lockdown"], states["ssh"], states["shell_timeout"]) == ("no", "no", "yes", "note")
    with session_scope() as session:
        assert "lockdown is on (normal), by vc-berlin" in sign_in_blocker(session, session.get_one(Host, host_id))
        session.execute(text("UPDATE vcenter_host SET exception_users = '{root,SVC}'"))
    assert read(ask, host_id)[0] == "yes"
    with session_scope() as session:
        assert sign_in_blocker(session, session.get_one(Host, host_id)) == ""
        session.execute(text("UPDATE vcenter_host SET is_ssh_running = false"))
    assert read(ask, host_id)[0] == "no"


def test_old_news_of_a_vcenter_opens_and_shuts_nothing(ask: Ask, world: World, host_id: str) -> None:
    told_by_vcenter(host_id, world, lockdown="strict", exception_users=[], is_ssh_running=False)
    with session_scope() as session:
        way(session, host_id)
        session.execute(text("UPDATE vcenter_host SET read_at = now() - interval '2 hours'"))
    answer, states = read(ask, host_id)
    # The agent's own telling stands: this sample is not in lockdown.
    assert (answer, states.get("ssh"), states["lockdown"]) == ("yes", None, "yes")


def test_what_is_on_record_here_counts_too(ask: Ask, world: World, host_id: str) -> None:
    with session_scope() as session:
        way(session, host_id, pins=[], runner_sha256="", last_error="it broke")
    answer, states = read(ask, host_id)
    assert answer == "no"
    assert (states["identity"], states["runner"], states["last_try"]) == ("no", "no", "unknown")
    with session_scope() as session:
        secret = session.execute(text("SELECT credential_id FROM remediation_endpoint")).scalar_one()
        vault.stop_secret(session, secret, actor="test", reason="rejected by 3 hosts")
        # A key that is known of the same place for reading is good for changing too.
        row = CollectionEndpoint(host_id=host_id, channel="ssh", address="192.0.2.7", port=22, credential_id=secret)
        row.pins = ["SHA256:" + "b" * 43]
        session.add(row)
    _, states = read(ask, host_id)
    assert (states["credential"], states.get("identity")) == ("no", None)
