"""The commands that a person pastes on a host: the first can download on every release, and nothing runs that is not the file of this
version. Those for ESXi are run by real shells against a real server; those for Windows are read, and run where PowerShell 7 is."""

import functools
import hashlib
import os
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from plumbline.hosts import install_commands as module
from plumbline.hosts.install_commands import agent_file, install_commands
from plumbline.infra.errors import NotFound
from plumbline.infra.settings import get_settings
from plumbline.ops.local_ca import local_certificate
from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.windows import powershell

BUSYBOX = os.environ.get("PLUMBLINE_BUSYBOX") or shutil.which("busybox")
SHELLS = {"sh": ["sh"], "busybox": [BUSYBOX or "", "sh"]}
TOKEN = "token-1"


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", "https://plumbline.example")
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


# --- Windows ---


def test_windows_adds_tls_1_2_before_anything_is_fetched() -> None:
    fetch, run = install_commands("windows", TOKEN)
    statements = fetch.command.split("; ")
    # Server 2012 to 2016 offer TLS 1.0 alone until configured otherwise. Added, not assigned: newer versions stay allowed.
    assert statements[0] == (
        "[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12"
    )
    assert "Invoke-WebRequest" not in statements[0]
    assert any("Invoke-WebRequest" in statement for statement in statements[1:])
    assert "-Token token-1" in run.command


def test_what_is_pasted_on_windows_is_powershell_of_every_version() -> None:
    for one in install_commands("windows", TOKEN):
        assert powershell.parse_faults(one.command.encode() + b"\n") == []
        # Not in PowerShell 3.0; and no way around the certificate.
        for word in ("Get-FileHash", "SkipCertificateCheck", "ServerCertificateValidationCallback", "&&", "||", "?."):
            assert word not in one.command, word


def test_windows_runs_the_installer_only_behind_the_digests_of_both_files() -> None:
    _, run = install_commands("windows", TOKEN)
    for name in ("Install-Plumbline.ps1", "Plumbline-Agent.ps1"):
        digest = hashlib.sha256(agent_file(name).read_bytes()).hexdigest()
        assert f"'{name}' = '{digest}'" in run.command
    root = powershell.parse(run.command.encode() + b"\n")
    runs = [node for node in powershell.walk(root) if node.type == "command" and powershell.text_of(node).startswith("powershell.exe")]
    assert len(runs) == 1
    above = []
    node = runs[0].parent
    while node is not None:
        above.append(node.type)
        node = node.parent
    assert "else_clause" in above, above
    condition = next(powershell.text_of(node) for node in powershell.walk(root) if node.type == "if_statement")
    assert condition.startswith("if ($bad.Count -gt 0)")


@pytest.mark.parametrize("fault", ["", "agent", "installer", "missing"])
def test_the_check_on_windows_under_powershell_7(tmp_path: Path, fault: str) -> None:
    pwsh = shutil.which("pwsh")
    if pwsh is None:
        pytest.skip("no pwsh here: the check of the digests was read, not run")
    folder = tmp_path / "plumbline"
    folder.mkdir()
    for name in ("Install-Plumbline.ps1", "Plumbline-Agent.ps1"):
        shutil.copy(agent_file(name), folder)
    if fault == "missing":
        (folder / "Plumbline-Agent.ps1").unlink()
    elif fault:
        name = {"agent": "Plumbline-Agent.ps1", "installer": "Install-Plumbline.ps1"}[fault]
        (folder / name).write_bytes((folder / name).read_bytes() + b"#")
    _, run = install_commands("windows", TOKEN)
    command = run.command.replace("powershell.exe -ExecutionPolicy Bypass -File", "Write-Output RAN")
    environment = {**os.environ, "TEMP": str(tmp_path)}
    done = subprocess.run([pwsh, "-NoProfile", "-Command", command], capture_output=True, text=True, env=environment, check=False)
    assert ("RAN" in done.stdout) == (fault == ""), done.stdout + done.stderr
    assert ("Nothing was run" in done.stdout + done.stderr) == (fault != "")


# --- ESXi ---


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A server under a certificate that no host trusts; answers the folder of files that it serves."""
    files = tmp_path / "site" / "agent" / "v1" / "files"
    files.mkdir(parents=True)
    shutil.copy(agent_file("host_agent.py"), files)
    (tmp_path / "keys").mkdir()
    chain, key, pin = local_certificate(tmp_path / "keys", "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(tmp_path / "site")))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", f"https://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("PLUMBLINE_CA_PIN", pin)
    get_settings.cache_clear()
    yield files
    server.shutdown()
    server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


def paste(tmp_path: Path, shell: str, python: list[str], *commands: str) -> subprocess.CompletedProcess[str]:
    """Pastes the commands one after the other, as lines of one shell whose `python` is the given one."""
    if shell == "busybox" and not BUSYBOX:
        pytest.skip("no busybox here: its shell is not tried; name one in PLUMBLINE_BUSYBOX")
    programs = tmp_path / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "python").write_text(f'#!/bin/sh\nexec {" ".join(python)} "$@"\n')
    (programs / "python").chmod(0o755)
    lines = "\n".join(command.replace("/vmfs/volumes/DATASTORE", str(tmp_path / "datastore")) for command in commands)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}"}
    return subprocess.run(SHELLS[shell], input=lines + "\n", capture_output=True, text=True, env=environment, timeout=120, check=False)


def esxi_commands() -> tuple[str, str]:
    """Fetching and enrolling; the agent only prints its help in the place of enrolling."""
    fetch, enrol, _ = install_commands("esxi", TOKEN)
    assert f" --enrol {get_settings().public_url} {TOKEN}" in enrol.command
    return fetch.command, enrol.command.partition(" --enrol ")[0] + " --help"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_commands_for_esxi_fetch_check_and_run(site: Path, tmp_path: Path, shell: str) -> None:
    done = paste(tmp_path, shell, [sys.executable], *esxi_commands())
    assert "host_agent.py is written and checked." in done.stdout, done.stderr
    assert (tmp_path / "datastore/plumbline/host_agent.py").read_bytes() == agent_file("host_agent.py").read_bytes()
    assert "--schedule" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("where", ["on the way", "on the host"])
def test_an_altered_file_is_not_run_on_esxi(site: Path, tmp_path: Path, shell: str, where: str) -> None:
    evil = b"open('ran', 'w').write('ran')\n"
    fetch, enrol = esxi_commands()
    if where == "on the way":
        (site / "host_agent.py").write_bytes(evil)
        done = paste(tmp_path, shell, [sys.executable], fetch, enrol)
        assert "Not written" in done.stderr
        assert not (tmp_path / "datastore/plumbline/host_agent.py").exists()
    else:
        folder = tmp_path / "datastore/plumbline"
        folder.mkdir(parents=True)
        (folder / "host_agent.py").write_bytes(evil)
        done = paste(tmp_path, shell, [sys.executable], f"cd {folder}", enrol)
        assert "Not run" in done.stderr
    assert not list(tmp_path.rglob("ran"))
    assert done.returncode != 0


@pytest.mark.parametrize("version", VERSIONS)
def test_the_pythons_of_esxi_fetch_and_check(site: Path, tmp_path: Path, version: str) -> None:
    python = old_python(version)
    if python is None:
        pytest.skip(missing(version))
    done = paste(tmp_path, "sh", python, *esxi_commands())
    assert "host_agent.py is written and checked." in done.stdout, done.stderr


def test_no_command_goes_around_a_certificate_without_a_digest() -> None:
    for platform in ("windows", "esxi"):
        for one in install_commands(platform, TOKEN):  # type: ignore[arg-type]
            assert "no-check-certificate" not in one.command
            if "_create_unverified_context" in one.command:
                assert hashlib.sha256(agent_file("host_agent.py").read_bytes()).hexdigest() in one.command
    # Between double quotes a shell would read these.
    for one in install_commands("esxi", TOKEN)[:2]:
        inner = one.command.split('"')[1]
        assert not set("$`\\!") & set(inner)


def test_without_a_file_there_is_no_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module.resources, "AGENTS", tmp_path)
    with pytest.raises(NotFound):
        install_commands("esxi", TOKEN)
    with pytest.raises(NotFound):
        install_commands("windows", TOKEN)
