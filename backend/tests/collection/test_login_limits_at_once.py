"""Many workers with one wrong credential, against real SSH servers of the lab, whose own counts decide."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlmodel import select, text

from lab.esxi.ssh import EsxiSsh
from plumbline.collection import credential_check, login_limits
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.models.collection import CredentialCheck, HostLoginAttempt
from plumbline.models.vault import VaultSecret
from tests.collection.conftest import Collecting

StartEsxi = Callable[..., EsxiSsh]
NAMES = ("esx-a03", "esx-b08", "esx-b09", "esx-b10", "esx-t02", "esx-t01")


def trial(credential: int, host_id: str) -> int:
    with session_scope() as session:
        row = CredentialCheck(credential_id=credential, host_id=host_id, asked_by="test")
        session.add(row)
        session.flush()
        assert row.id is not None
        return row.id


def test_a_host_sees_two_failed_log_ins_of_an_account_however_many_workers_try(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    credential = collecting.ssh_credential(password="old")
    host_id = collecting.add_ssh(server, credential)
    trials = [trial(credential, host_id) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(credential_check.check_credential, trials))
    assert server.failed_log_ins == login_limits.REJECTED_A_HOST
    with session_scope() as session:
        states = sorted(row.state for row in session.exec(select(CredentialCheck)))
    assert states == ["not_tried"] * 6 + ["rejected"] * 2


def test_three_hosts_see_a_wrong_credential_however_many_are_read_at_once(collecting: Collecting, esxi: StartEsxi) -> None:
    credential = collecting.ssh_credential(password="old")
    addresses = [f"127.0.0.{n}" for n in range(1, len(NAMES) + 1)]
    servers = [esxi(name, address) for name, address in zip(NAMES, addresses, strict=True)]
    hosts = [collecting.add_ssh(server, credential, address=address) for server, address in zip(servers, addresses, strict=True)]
    for _ in range(2):
        with ThreadPoolExecutor(len(hosts)) as pool:
            list(pool.map(lambda host_id: collect(host_id, client=collecting.served.client), hosts))
    assert sum(server.failed_log_ins > 0 for server in servers) == login_limits.REJECTING_HOSTS
    assert max(server.failed_log_ins for server in servers) <= login_limits.REJECTED_A_HOST
    assert all(server.commands == [] for server in servers)
    with session_scope() as session:
        assert session.get_one(VaultSecret, credential).stopped_at is not None


def test_one_host_that_took_it_opens_the_way_to_all(collecting: Collecting) -> None:
    credential = collecting.ssh_credential()

    def take(address: str) -> login_limits.Ticket:
        with session_scope() as session:
            return login_limits.take(session, credential_id=credential, address=address)

    first = [take(f"192.0.2.{n}") for n in range(3)]
    with pytest.raises(login_limits.CredentialUnproven, match="Waiting for 3 hosts being tried"):
        take("192.0.2.9")
    # A host that is being tried already is none more.
    assert take("192.0.2.2")
    with session_scope() as session:
        login_limits.settle(session, first[0], outcome="accepted")
    assert take("192.0.2.9")
    # Workers that died with their answer unseen do not hold a new credential up for longer than the window.
    with session_scope() as session:
        session.execute(text("UPDATE host_login_attempt SET outcome = 'open', at = now() - interval '16 minutes'"))
    assert take("192.0.2.10")
    with session_scope() as session:
        assert len(session.exec(select(HostLoginAttempt)).all()) == 6
