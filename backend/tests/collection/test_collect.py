"""Hosts of the lab read over SSH and WinRM, posted through the real check-in endpoint into a real database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import paramiko
import pytest
from sqlalchemy.exc import ProgrammingError
from sqlmodel import text

from lab.esxi.ssh import EsxiSsh
from lab.windows.wsman import WsManHost
from plumbline import vault
from plumbline.channels import winrm
from plumbline.collection import endpoints, tasks
from plumbline.collection import login_limits as tickets
from plumbline.collection.collect import collect
from plumbline.collection.collect_now import CollectionFailed, collect_by_hand
from plumbline.collection.windows_agent import command_line
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.errors import Conflict, NotFound
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import Host
from plumbline.ops import embedded_servers as servers
from tests.collection.conftest import Collecting, log_ins

Rows = Callable[[str], tuple]
StartEsxi = Callable[..., EsxiSsh]
StartWindows = Callable[..., WsManHost]


def test_an_esxi_host_read_over_ssh_stands_in_the_database(collecting: Collecting, esxi: StartEsxi, rows: Rows) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    done = collect(host_id, client=collecting.served.client)
    assert done is not None
    assert done.error == ""
    host, endpoint = rows(host_id)
    assert (host.last_seq, host.os_release, host.families, host.source) == (1, "6.7", ["x520"], "collector")
    assert (host.paths_healthy, host.paths_total) == (2, 2)
    assert (endpoint.last_error, endpoint.failures, endpoint.claimed_until) == ("", 0, None)
    assert endpoint.next_at > endpoint.last_ok_at


def test_a_windows_host_read_over_winrm_stands_in_the_database(collecting: Collecting, windows: StartWindows, rows: Rows) -> None:
    endpoint = windows("sql-01")
    host_id = collecting.add_winrm(endpoint, collecting.winrm_credential())
    done = collect(host_id, client=collecting.served.client)
    assert done is not None
    assert done.error == ""
    host, _ = rows(host_id)
    assert (host.os_release, host.families, host.cluster, host.paths_healthy) == ("2012", ["bcm57810"], "SQLCL1", 4)
    assert endpoint.shells == {}


def test_each_collection_takes_the_next_number_and_a_change_arrives(collecting: Collecting, esxi: StartEsxi, rows: Rows) -> None:
    server = esxi("esx-b07")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    assert [collect(host_id, client=collecting.served.client).seq for _ in range(2)] == [1, 2]  # type: ignore[union-attr]
    assert rows(host_id)[0].paths_healthy == 2
    server.machine.host.set("vmnic3.link", "up", cause="test")
    done = collect(host_id, client=collecting.served.client)
    assert done is not None
    assert (done.seq, rows(host_id)[0].paths_healthy) == (3, 4)


def test_a_changed_host_key_is_said_and_nothing_was_sent(collecting: Collecting, esxi: StartEsxi, rows: Rows) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    server.change_host_key()
    done = collect(host_id, client=collecting.served.client)
    assert done is not None
    assert "does not match the verified key" in done.error or "no longer offers the verified key type" in done.error
    assert (server.failed_log_ins, server.commands) == (0, [])
    _, endpoint = rows(host_id)
    assert (endpoint.last_error, endpoint.last_error_code) == (done.error, "host_identity_wrong")
    with session_scope() as session:
        # The credential was never shown, so this is not one of its two tries.
        assert log_ins(session) == ["not_tried"]


def test_two_rejected_log_ins_are_all_that_a_host_sees(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential(password="old"))
    errors = [collect(host_id, client=collecting.served.client).error for _ in range(4)]  # type: ignore[union-attr]
    assert server.failed_log_ins == 2
    assert "rejected credential 'root' 2 times" in errors[-1]


def test_three_rejecting_hosts_stop_the_credential_everywhere(collecting: Collecting, esxi: StartEsxi) -> None:
    credential = collecting.ssh_credential(password="old")
    # Loopback addresses of their own: hosts are told apart by address.
    names = {"127.0.0.1": "esx-a03", "127.0.0.2": "esx-b08", "127.0.0.3": "esx-b09", "127.0.0.4": "esx-b10"}
    servers = [esxi(name, address) for address, name in names.items()]
    hosts = [collecting.add_ssh(server, credential, address=address) for server, address in zip(servers, names, strict=True)]
    errors = [collect(host_id, client=collecting.served.client).error for host_id in hosts]  # type: ignore[union-attr]
    assert [server.failed_log_ins for server in servers] == [1, 1, 1, 0]
    assert "disabled to avoid account lockouts" in errors[3]
    with session_scope() as session, pytest.raises(vault.SecretUnusable):
        vault.reveal(session, credential, purpose="collection")


def test_a_claimed_host_is_left_to_the_other_worker(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    with session_scope() as session:
        assert endpoints.take_lease(session, host_id) is not None
    assert collect(host_id, client=collecting.served.client) is None
    assert server.commands == []


def test_due_hosts_are_those_whose_time_has_come(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    with session_scope() as session:
        assert endpoints.due_hosts(session) == [host_id]
    collect(host_id, client=collecting.served.client)
    with session_scope() as session:
        assert endpoints.due_hosts(session) == []
        session.execute(text("UPDATE collection_endpoint SET next_at = now() - interval '1 second'"))
        assert endpoints.due_hosts(session) == [host_id]


def test_failures_wait_longer_and_longer(collecting: Collecting, esxi: StartEsxi, rows: Rows) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    server.stop()
    waits = []
    for _ in range(4):
        collect(host_id, client=collecting.served.client)
        _, endpoint = rows(host_id)
        waits.append((endpoint.next_at - endpoint.last_tried_at).total_seconds())
    assert endpoint.failures == 4
    assert all(60 * 2**at - 1 <= wait <= 60 * 2**at * 1.2 + 10 for at, wait in enumerate(waits)), waits


def test_without_the_vaults_private_key_nothing_is_opened(collecting: Collecting, esxi: StartEsxi, keys_folder: Path) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    (keys_folder / "vault-1.key").unlink()
    done = collect(host_id, client=collecting.served.client)
    assert done is not None
    assert "only executor workers" in done.error
    assert server.commands == []


def test_the_bootstrap_fits_a_command_line() -> None:
    command, arguments = command_line()
    assert len(" ".join((command, *arguments))) < winrm._LARGEST_COMMAND


def test_the_bootstrap_is_powershell_without_an_error() -> None:
    import tree_sitter_powershell
    from tree_sitter import Language, Parser

    import plumbline.collection

    source = (Path(plumbline.collection.__file__).parent / "bootstrap.ps1").read_bytes()
    parser = Parser(Language(tree_sitter_powershell.language()))
    assert not parser.parse(source).root_node.has_error
    assert parser.parse(source + b"\nif (").root_node.has_error
    assert source.isascii()


def test_the_secret_at_the_door_is_of_this_host_alone(collecting: Collecting, esxi: StartEsxi, rows: Rows, key: paramiko.PKey) -> None:
    host_id = collecting.add_ssh(esxi("esx-a03"), collecting.ssh_credential())
    _, endpoint = rows(host_id)
    with session_scope() as session:
        assert set(vault.reveal(session, endpoint.check_in_secret_id, purpose=f"check_in:{host_id}")) == {"secret"}
        with pytest.raises(vault.SecretUnusable):
            vault.reveal(session, endpoint.check_in_secret_id, purpose="collection")


def test_a_host_that_has_its_own_agent_again_is_left_to_it(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    with session_scope() as session:
        session.get_one(Host, host_id).source = "agent"
    assert collect(host_id, client=collecting.served.client) is None
    with session_scope() as session:
        assert endpoints.due_hosts(session) == []
    assert server.commands == []


def test_the_hands_role_has_the_rights_it_needs(
    collecting: Collecting, esxi: StartEsxi, fresh_database: str, cluster: servers.PostgresCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = collecting.add_ssh(esxi("esx-a03"), collecting.ssh_credential())
    rejected = collecting.add_ssh(esxi("esx-b08"), collecting.ssh_credential(password="old"))
    name = fresh_database.split("@/")[1].split("?")[0]
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", cluster.url("plumbline_executor", name))
    get_settings.cache_clear()
    get_engine.cache_clear()
    done = collect(accepted, client=collecting.served.client)
    refused = collect(rejected, client=collecting.served.client)
    assert done is not None
    assert refused is not None
    assert done.error == ""
    assert "rejected the credential" in refused.error
    with session_scope() as session:
        assert session.execute(text("SELECT current_user")).scalar_one() == "plumbline_executor"
        vault.stop_secret(session, 1, actor="test", reason="test")
    get_engine().dispose()


def test_the_desk_role_cannot_even_see_a_sealed_secret(
    collecting: Collecting, fresh_database: str, cluster: servers.PostgresCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting.ssh_credential()
    name = fresh_database.split("@/")[1].split("?")[0]
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", cluster.url("plumbline_background", name))
    get_settings.cache_clear()
    get_engine.cache_clear()
    with pytest.raises(ProgrammingError, match="permission denied"), session_scope() as session:
        session.execute(text("SELECT sealed FROM vault_secret"))
    with session_scope() as session:
        assert endpoints.due_hosts(session) == []
    get_engine().dispose()


def test_of_eight_workers_at_once_two_may_try(collecting: Collecting) -> None:
    credential = collecting.ssh_credential()

    def attempt(_: int) -> bool:
        try:
            with session_scope() as session:
                tickets.take(session, credential_id=credential, address="192.0.2.1")
        except tickets.LoginsSpent:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 2
    # Another host is another count.
    with session_scope() as session:
        assert tickets.take(session, credential_id=credential, address="192.0.2.2")


def test_an_accepted_log_in_gives_its_try_back(collecting: Collecting) -> None:
    credential = collecting.ssh_credential()
    for _ in range(5):
        with session_scope() as session:
            ticket = tickets.take(session, credential_id=credential, address="192.0.2.1")
        with session_scope() as session:
            tickets.settle(session, ticket, outcome="accepted")


def test_a_replaced_credential_starts_anew(collecting: Collecting) -> None:
    credential = collecting.ssh_credential(password="old")
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        with session_scope() as session:
            ticket = tickets.take(session, credential_id=credential, address=address)
        with session_scope() as session:
            tickets.settle(session, ticket, outcome="rejected")
    with session_scope() as session, pytest.raises(vault.SecretUnusable):
        tickets.take(session, credential_id=credential, address="192.0.2.4")
    with session_scope() as session:
        vault.replace_secret(session, credential, actor="test", values={"password": "new"})
    with session_scope() as session:
        assert tickets.take(session, credential_id=credential, address="192.0.2.1")
        assert vault.reveal(session, credential, purpose="collection") == {"password": "new"}


def test_a_worker_posts_to_the_address_that_the_settings_name(
    collecting: Collecting, esxi: StartEsxi, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    host_id = collecting.add_ssh(esxi("esx-t02"), collecting.ssh_credential())
    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", collecting.served.url)
    get_settings.cache_clear()
    tasks.check_now(host_id)
    assert rows(host_id)[0].last_seq == 1


def test_a_host_is_read_by_hand_by_its_name(collecting: Collecting, esxi: StartEsxi, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    server = esxi("esx-t02")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", collecting.served.url)
    get_settings.cache_clear()
    assert collect_by_hand("esx-t02").startswith("esx-t02 is read: check-in 1, receipt ")
    assert collect_by_hand(host_id).startswith("esx-t02 is read: check-in 2")
    with pytest.raises(NotFound, match="reads no host called 'nobody'"):
        collect_by_hand("nobody")
    with session_scope() as session:
        assert endpoints.take_lease(session, host_id) is not None
    with pytest.raises(Conflict, match="read by a worker already"):
        collect_by_hand("esx-t02")
    with session_scope() as session:
        session.execute(text("UPDATE collection_endpoint SET claimed_until = NULL"))
    server.change_host_key()
    with pytest.raises(CollectionFailed, match=r"was not read: .*does not match the verified"):
        collect_by_hand("esx-t02")
    assert rows(host_id)[0].last_seq == 2


def test_what_is_no_check_in_is_said_and_ends_the_claim(collecting: Collecting, esxi: StartEsxi, rows: Rows) -> None:
    server = esxi("esx-t02")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    shell = server.machine.folder / "bin" / "python3"
    shell.write_text("#!/bin/sh\ncat > /dev/null\necho Welcome to this host\n")
    done = collect(host_id, client=collecting.served.client)
    assert done is not None
    assert "something else than a check-in: 'Welcome to this host'" in done.error
    assert rows(host_id)[1].claimed_until is None


def test_a_windows_host_in_constrained_language_says_so_and_its_account_is_no_suspect(
    collecting: Collecting, windows: StartWindows, rows: Rows
) -> None:
    """The bootstrap ends before it reads its input, which then meets a closed pipe; the account was accepted."""
    endpoint = windows("ex-02")
    (endpoint.host.folder / "constrained").touch()
    host_id = collecting.add_winrm(endpoint, collecting.winrm_credential())
    for is_unread in (False, True):
        endpoint.faults.ends_unread = is_unread
        done = collect(host_id, client=collecting.served.client)
        assert done is not None
        assert "runs PowerShell in constrained language" in done.error
        assert rows(host_id)[1].last_error == done.error
    with session_scope() as session:
        assert log_ins(session) == ["accepted", "accepted"]
    assert endpoint.shells == {}
