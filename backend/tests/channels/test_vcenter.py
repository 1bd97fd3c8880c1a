"""The vCenter channel, pyVmomi and all, against a simulated vSphere API over TLS."""

import socket
import threading
import time

import pytest

from plumbline.channels import AuthenticationRejected, HostIdentityUnknown, HostIdentityWrong, HostUnreachable
from plumbline.channels.vcenter import ReportedHost, VCenterChannel, VCenterTarget
from plumbline.channels.vcenter_esxcli import COMMANDS, Refused, read_rows
from tests.channels.conftest import Certificate, make_certificate
from tests.channels.vcsim import ACCOUNT, PASSWORD, Simulate, Simulated, simulate

__all__ = ["simulate"]


def told_by(simulated: Simulated) -> dict[str, ReportedHost]:
    with VCenterChannel(simulated.target, ACCOUNT, PASSWORD) as channel:
        assert channel.product.startswith("VMware vCenter Server")
        return {host.name: host for host in channel.read_hosts(deadline_seconds=30)}


def test_what_a_vcenter_tells_of_its_hosts(simulate: Simulate) -> None:
    options = {"UserVars.ESXiShellTimeOut": "600", "UserVars.ESXiShellInteractiveTimeOut": "0"}
    simulated = simulate(
        {"name": "esx-a03.example.net", "lockdown": "lockdownNormal", "ssh": True, "options": options, "address": "192.0.2.7"},
        {"name": "esx-b08.example.net", "maintenance": True, "ssh": False},
        cluster="BERLIN",
    )
    shown = told_by(simulated)
    locked, open_one = shown["esx-a03.example.net"], shown["esx-b08.example.net"]
    assert (locked.cluster, locked.lockdown, locked.is_ssh_running, locked.is_in_maintenance) == ("BERLIN", "normal", True, False)
    assert (locked.shell_timeout_seconds, locked.idle_timeout_seconds, locked.addresses) == (600, 0, ("192.0.2.7",))
    assert (open_one.lockdown, open_one.is_ssh_running, open_one.is_in_maintenance) == ("disabled", False, True)
    assert locked.connection == "connected"
    assert len(locked.certificate_sha256 or "") == 64


def test_what_cannot_be_read_is_said_and_costs_nothing_else(simulate: Simulate) -> None:
    shown = told_by(simulate({"name": "esx-a03"}))["esx-a03"]
    # The simulator has neither setting before somebody makes it, and no list of exception users.
    assert (shown.shell_timeout_seconds, shown.exception_users) == (None, None)
    assert shown.unread["shell_timeout_seconds"].startswith("InvalidName")
    assert set(shown.unread) == {"shell_timeout_seconds", "idle_timeout_seconds", "exception_users"}
    assert shown.lockdown == "disabled"


def test_a_host_in_lockdown_answers_esxcli_through_its_vcenter(simulate: Simulate) -> None:
    shown = told_by(simulate({"name": "locked", "lockdown": "lockdownStrict"}, {"name": "open"}))
    assert shown["open"].reads == {}
    reads = shown["locked"].reads
    assert set(reads) == set(COMMANDS)
    assert reads["esxcli iscsi software get"] == {"status": "ok", "error": "", "rows": [{"value": "false"}]}
    # The simulator carries out a handful of commands; what it does not is an answer of its own.
    assert reads["esxcli network nic list"]["status"] == "failed"
    assert "could not be found" in reads["esxcli network nic list"]["error"]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_only_commands_that_read_are_ever_sent(command: str) -> None:
    assert command.startswith("esxcli ")
    assert command.split()[-1] in ("get", "list")


def test_rows_are_read_by_field_and_bounded() -> None:
    space = 'xmlns="urn:vim25" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    objects = "<DataObject xsi:type='N'><Name>vmnic0</Name><MTU>9000</MTU><Alias>a</Alias><Alias>b</Alias></DataObject>" * 300
    rows = read_rows(f"<obj {space} xsi:type='ArrayOfDataObject'>{objects}</obj>")
    assert (len(rows), rows[0]) == (256, {"Name": "vmnic0", "MTU": "9000", "Alias": "a, b"})
    assert read_rows(f"<obj {space}><Enabled>true</Enabled></obj>") == [{"Enabled": "true"}]
    assert read_rows("") == []
    with pytest.raises(Refused, match="no XML"):
        read_rows("<obj")


def test_a_wrong_password_is_said_so(simulate: Simulate) -> None:
    with pytest.raises(AuthenticationRejected, match="rejected the credential"):
        VCenterChannel(simulate({"name": "esx"}).target, ACCOUNT, "old").open()


def test_another_certificate_stops_before_anything_is_sent(simulate: Simulate) -> None:
    simulated = simulate({"name": "esx"})
    with pytest.raises(HostIdentityWrong, match="does not match the verified one"):
        VCenterChannel(VCenterTarget(simulated.address, simulated.port, "00" * 32), ACCOUNT, PASSWORD).open()
    with pytest.raises(HostIdentityUnknown):
        VCenterChannel(VCenterTarget(simulated.address, simulated.port), ACCOUNT, PASSWORD).open()


def test_every_connection_has_to_show_the_pinned_certificate(tmp_path) -> None:
    """Somebody who steps in after the first look is stopped by TLS itself: no request of ours arrives there."""
    ours, theirs = make_certificate(tmp_path, "vcenter"), make_certificate(tmp_path, "stranger")
    arrived: list[bytes] = []
    port = serve_in_turn([ours, theirs], arrived)
    with pytest.raises(HostIdentityWrong, match="does not match the verified one"):
        VCenterChannel(VCenterTarget("127.0.0.1", port, ours.sha256), ACCOUNT, PASSWORD, call_seconds=5).open()
    assert arrived == [b""]


def test_a_vcenter_that_never_answers_costs_only_the_time_limit(tmp_path) -> None:
    certificate = make_certificate(tmp_path, "vcenter")
    began = time.monotonic()
    with pytest.raises(HostUnreachable):
        VCenterChannel(
            VCenterTarget("127.0.0.1", serve_in_turn([certificate] * 2, []), certificate.sha256), ACCOUNT, PASSWORD, call_seconds=0.5
        ).open()
    assert time.monotonic() - began < 5


def serve_in_turn(certificates: list[Certificate], arrived: list[bytes]) -> int:
    """A TLS server whose n-th connection shows the n-th certificate, notes what it is sent, and never answers."""
    import ssl

    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for certificate in certificates:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.certificate_file, certificate.key_file)
            plain, _ = listener.accept()
            plain.settimeout(5)
            try:
                with context.wrap_socket(plain, server_side=True) as connection:
                    arrived.append(connection.recv(4096))
                    connection.recv(1)
            except OSError:
                plain.close()
        listener.close()

    threading.Thread(target=serve, daemon=True).start()
    return int(listener.getsockname()[1])
