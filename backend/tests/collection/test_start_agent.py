"""A host's own agent, started over a channel: real SSH with the real agent file, and a real WS-Management endpoint."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import Session, text

from lab import checkin
from lab.checkin import WindowsClient
from lab.esxi.agent import AGENT
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost
from lab.windows.scripts import scripts
from lab.windows.wsman import WsManHost
from plumbline.channels.runner import NOT_DELIVERED
from plumbline.collection import tasks
from plumbline.collection.collect import collect
from plumbline.collection.start_agent import NOT_INSTALLED_ESXI, NOT_INSTALLED_WINDOWS, start_own_agent
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from tests.channels.conftest import Certificate, spec_of
from tests.collection.conftest import Collecting, log_ins

StartEsxi = Callable[..., EsxiSsh]
Rows = Callable[[str], tuple[Host, CollectionEndpoint]]


def reach(host_id: str, channel: str, port: int, credential: int, pin: str) -> None:
    """What an admin says under Collection of a host that keeps its agent."""
    with session_scope() as session:
        session.add(
            CollectionEndpoint(host_id=host_id, channel=channel, address="127.0.0.1", port=port, credential_id=credential, pins=[pin])
        )


def host_id_of(session: Session, name: str) -> str:
    return str(session.execute(text("SELECT id FROM host WHERE name = :name"), {"name": name}).scalar_one())


@pytest.fixture
def esxi_with_agent(collecting: Collecting, esxi: StartEsxi) -> tuple[EsxiSsh, str]:
    """An ESXi host whose agent is enrolled and stands in the crontab of root, as `--schedule` says it."""
    server = esxi("esx-a03")
    machine = server.machine
    enrolled = machine.enrol(collecting.served.url, collecting.token)
    assert enrolled.exit == 0, enrolled.output
    # The agent's file is the repository's own; what stands on the host starts it with this machine's folder of the boot.
    agent = machine.folder / "root" / "vmfs" / "volumes" / "datastore1" / "plumbline" / "host_agent.py"
    agent.parent.mkdir(parents=True, exist_ok=True)
    arguments = ["--run-folder", str(machine.folder / "run")]
    agent.write_text(f"import runpy, sys\nsys.argv += {arguments!r}\nrunpy.run_path({str(AGENT)!r}, run_name='__main__')\n")
    crontab = machine.folder / "root" / "var" / "spool" / "cron" / "crontabs" / "root"
    crontab.parent.mkdir(parents=True)
    crontab.write_text(
        f"#min hour day mon dow command\n1 1 * * * /sbin/tmpwatch.py\n"
        f"7,22,37,52 * * * * sleep 3; /bin/python {agent} --state {machine.state} >/dev/null 2>&1\n"
    )
    with session_scope() as session:
        host_id = host_id_of(session, "esx-a03")
    reach(host_id, "ssh", server.port, collecting.ssh_credential(), server.public_key)
    return server, host_id


def test_an_esxi_host_checks_in_by_its_own_agent(collecting: Collecting, esxi_with_agent: tuple[EsxiSsh, str], rows: Rows) -> None:
    server, host_id = esxi_with_agent
    assert start_own_agent(host_id) == ""
    host, endpoint = rows(host_id)
    assert (host.source, host.last_seq, host.epoch) == ("agent", 1, 1)
    assert (endpoint.last_error, endpoint.claimed_until, endpoint.last_seq) == ("", None, 0)
    assert endpoint.last_ok_at is not None
    # The agent's own rounds go on with the next number: there is one counter.
    again = server.machine.check_in()
    assert again.exit == 0, again.output
    assert rows(host_id)[0].last_seq == 2
    tasks.check_now(host_id)
    assert rows(host_id)[0].last_seq == 3
    with session_scope() as session:
        assert log_ins(session) == ["accepted", "accepted"]
    # Collecting leaves it alone: it is not the source.
    assert collect(host_id, client=collecting.served.client) is None


def test_without_an_agent_in_the_crontab_it_is_said(esxi_with_agent: tuple[EsxiSsh, str], rows: Rows) -> None:
    server, host_id = esxi_with_agent
    crontab = server.machine.folder / "root" / "var" / "spool" / "cron" / "crontabs" / "root"
    crontab.write_text("".join("#" + line for line in crontab.read_text().splitlines(keepends=True)))
    assert start_own_agent(host_id) == NOT_INSTALLED_ESXI
    crontab.unlink()
    assert start_own_agent(host_id) == NOT_INSTALLED_ESXI
    assert rows(host_id)[1].last_error == NOT_INSTALLED_ESXI


def test_an_agent_that_cannot_deliver_is_told_apart(esxi_with_agent: tuple[EsxiSsh, str], rows: Rows) -> None:
    server, host_id = esxi_with_agent
    settings = server.machine.state / "agent.json"
    said = json.loads(settings.read_text())
    said["server"] = "http://127.0.0.1:9"
    settings.write_text(json.dumps(said))
    assert start_own_agent(host_id) == NOT_DELIVERED
    assert rows(host_id)[0].last_seq == 0


def test_another_key_gets_no_credential(esxi_with_agent: tuple[EsxiSsh, str], rows: Rows) -> None:
    _, host_id = esxi_with_agent
    with session_scope() as session:
        session.get_one(CollectionEndpoint, host_id).pins = ["SHA256:" + "a" * 43]
    assert "does not match the verified key; nothing was sent" in str(start_own_agent(host_id))
    assert rows(host_id)[0].last_seq == 0


def test_a_host_that_is_collected_or_claimed_is_left_alone(esxi_with_agent: tuple[EsxiSsh, str]) -> None:
    server, host_id = esxi_with_agent
    with session_scope() as session:
        session.execute(text("UPDATE collection_endpoint SET claimed_until = now() + interval '1 minute'"))
    assert start_own_agent(host_id) is None
    with session_scope() as session:
        session.execute(text("UPDATE collection_endpoint SET claimed_until = NULL"))
        session.execute(text("UPDATE host SET source = 'collector'"))
    assert start_own_agent(host_id) is None
    assert server.commands == []


@pytest.fixture
def windows_with_agent(
    collecting: Collecting, tmp_path: Path, client_certificate: Certificate, server_certificate: Certificate
) -> tuple[WindowsClient, Callable[[bool], str]]:
    """A Windows host with the lab's agent, and what starts its endpoint (False: nothing is installed there)."""
    host = LabHost(spec_of("sql-03"), tmp_path / "sql-03")
    checkin.enrol(collecting.served.client, host, collecting.token)
    client = WindowsClient(host, collecting.served.client)
    started: list[WsManHost] = []

    def start(is_installed: bool) -> str:
        endpoint = WsManHost(
            host,
            scripts((lambda _: client.check_in().status == 200) if is_installed else None),
            certificate=server_certificate.certificate_file,
            private_key=server_certificate.key_file,
            client_ca=client_certificate.certificate_file,
        )
        endpoint.start()
        started.append(endpoint)
        with session_scope() as session:
            host_id = host_id_of(session, "sql-03")
        reach(host_id, "winrm", endpoint.port, collecting.winrm_credential(), server_certificate.sha256)
        return host_id

    yield client, start  # type: ignore[misc]
    for endpoint in started:
        endpoint.stop()


def test_a_windows_host_checks_in_by_its_own_agent(windows_with_agent: tuple[WindowsClient, Callable[[bool], str]], rows: Rows) -> None:
    client, start = windows_with_agent
    host_id = start(True)
    assert start_own_agent(host_id) == ""
    assert rows(host_id)[0].last_seq == 1
    assert client.check_in().status == 200
    tasks.check_now(host_id)
    host, endpoint = rows(host_id)
    assert (host.last_seq, host.source, endpoint.last_error) == (3, "agent", "")


def test_a_windows_host_without_an_agent_says_so(windows_with_agent: tuple[WindowsClient, Callable[[bool], str]], rows: Rows) -> None:
    _, start = windows_with_agent
    host_id = start(False)
    assert start_own_agent(host_id) == NOT_INSTALLED_WINDOWS
    assert rows(host_id)[1].last_error == NOT_INSTALLED_WINDOWS


def test_a_windows_agent_that_brings_nothing_says_why(windows_with_agent: tuple[WindowsClient, Callable[[bool], str]], rows: Rows) -> None:
    client, start = windows_with_agent
    host_id = start(True)
    (client.host.folder / "agent-exit").write_text("4")
    assert start_own_agent(host_id) == "another run of the host's agent is under way"
    (client.host.folder / "agent-exit").unlink()
    (client.host.folder / "constrained").touch()
    assert "constrained language" in (start_own_agent(host_id) or "")
    assert rows(host_id)[0].last_seq is None or rows(host_id)[0].last_seq == 0
