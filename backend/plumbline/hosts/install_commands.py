"""The commands that a person pastes on a host to enrol it, and the agent files that they fetch."""

import hashlib
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Response

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May
from plumbline.hosts.enrolment_schemas import InstallCommand
from plumbline.hosts.schemas import Platform
from plumbline.infra import resources
from plumbline.infra.errors import NotFound
from plumbline.infra.settings import get_settings

router = APIRouter()

AgentFile = Literal["Plumbline-Agent.ps1", "Install-Plumbline.ps1", "host_agent.py"]
_FOLDERS = {"Plumbline-Agent.ps1": "windows", "Install-Plumbline.ps1": "windows", "host_agent.py": "esxi"}


# Windows PowerShell on Server 2012 to 2016 offers TLS 1.0 alone, which no server takes any more. Added to what is allowed: an assignment
# would take newer versions away.
_TLS = "[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12"


def agent_file(name: str) -> Path:
    """The path of an agent file."""
    path = resources.AGENTS / _FOLDERS[name] / name
    if not path.is_file():
        raise NotFound(f"{name} does not come with this installation")
    return path


def _sha256(name: str) -> str:
    try:
        return hashlib.sha256(agent_file(name).read_bytes()).hexdigest()
    except NotFound:
        return ""


@router.get("/agent/v1/files/{name}", response_class=Response)
def download_agent(name: AgentFile, _: Annotated[Actor | None, May("agent.download")]) -> Response:
    """One agent file, as it came with this version; its SHA-256 is in the install command. It holds no secret."""
    media = "text/x-python" if name.endswith(".py") else "text/plain"
    return Response(agent_file(name).read_bytes(), media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def install_commands(platform: Platform, token: str) -> list[InstallCommand]:
    """Ready to paste: fetches the agent, checks its digest, enrols. The CA's fingerprint is the agent's pin where we are our own CA."""
    settings = get_settings()
    base = settings.public_url.rstrip("/")
    return _windows(base, token, settings.ca_pin) if platform == "windows" else _esxi(base, token, settings.ca_pin)


def _windows(base: str, token: str, pin: str) -> list[InstallCommand]:
    pinned = f" -CaPin {pin}" if pin else ""
    fetch = (
        f"{_TLS}; "
        "$f = Join-Path $env:TEMP 'plumbline'; New-Item -ItemType Directory -Force $f | Out-Null; "
        "foreach ($n in 'Install-Plumbline.ps1', 'Plumbline-Agent.ps1') { "
        f"Invoke-WebRequest -UseBasicParsing ('{base}/agent/v1/files/' + $n) "
        "-OutFile (Join-Path $f $n) }"
    )
    run = f"powershell.exe -ExecutionPolicy Bypass -File $env:TEMP\\plumbline\\Install-Plumbline.ps1 -Server {base} -Token {token}{pinned}"
    notes = (
        "In Windows PowerShell as an administrator. It registers a scheduled task that runs as SYSTEM and reads only. "
        f"SHA-256 of Plumbline-Agent.ps1: {_sha256('Plumbline-Agent.ps1')}"
    )
    if pin:
        notes += ". Where the server's certificate is not trusted yet, fetch the two files from another machine and copy them over."
    return [
        InstallCommand(platform="windows", title="1. Fetch the agent", command=fetch, notes=notes),
        InstallCommand(
            platform="windows",
            title="2. Install and enrol",
            command=run,
            notes="The token stays in the console's history only; it is used up by this host.",
        ),
    ]


def _esxi(base: str, token: str, pin: str) -> list[InstallCommand]:
    pinned = f" --ca-pin {pin}" if pin else ""
    unchecked = " --no-check-certificate" if pin else ""
    port = urlsplit(base).port or (443 if base.startswith("https") else 80)
    return [
        InstallCommand(
            platform="esxi",
            title="1. Fetch the agent onto a local datastore",
            command=(
                "mkdir -p /vmfs/volumes/DATASTORE/plumbline && cd /vmfs/volumes/DATASTORE/plumbline && "
                f"wget{unchecked} -O host_agent.py {base}/agent/v1/files/host_agent.py && sha256sum host_agent.py"
            ),
            notes=(
                "As root in the ESXi shell; put the name of a local datastore, never one reached over the SAN. "
                f"The digest must be {_sha256('host_agent.py')}"
            ),
        ),
        InstallCommand(
            platform="esxi",
            title="2. Enrol",
            command=f"python host_agent.py --enrol {base} {token}{pinned}",
            notes=f"The host needs a way out to port {port}: an ESXi firewall rule, or collection over SSH instead.",
        ),
        InstallCommand(
            platform="esxi",
            title="3. Schedule",
            command="python host_agent.py --schedule",
            notes="Prints the cron line and how it survives a restart of the host.",
        ),
    ]
