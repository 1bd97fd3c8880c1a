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
    """Digest of an agent file, which the printed commands check. Raises `NotFound`: no command is printed that could not check."""
    return hashlib.sha256(agent_file(name).read_bytes()).hexdigest()


_MEDIA = ("text/x-python", "text/plain")


@router.get(
    "/agent/v1/files/{name}",
    response_class=Response,
    responses={200: {"content": {media: {"schema": {"type": "string", "format": "binary"}} for media in _MEDIA}}},
)
def download_agent(name: AgentFile, _: Annotated[Actor | None, May("agent.download")]) -> Response:
    """One agent file, as it came with this version; its SHA-256 is in the install command. It holds no secret."""
    media = _MEDIA[0] if name.endswith(".py") else _MEDIA[1]
    return Response(agent_file(name).read_bytes(), media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def install_commands(platform: Platform, token: str) -> list[InstallCommand]:
    """Ready to paste: fetches the agent, checks its digest before anything of it runs, enrols. Raises `NotFound`.

    The CA's fingerprint is the agent's pin where we are our own CA. Only the digest proves a fetched file, so that it does not matter
    where the file came from; it is checked in the command that runs the file too, for one that was copied over by other means.
    """
    settings = get_settings()
    base = settings.public_url.rstrip("/")
    return _windows(base, token, settings.ca_pin) if platform == "windows" else _esxi(base, token, settings.ca_pin)


_WINDOWS_FILES = ("Install-Plumbline.ps1", "Plumbline-Agent.ps1")


def _windows(base: str, token: str, pin: str) -> list[InstallCommand]:
    pinned = f" -CaPin {pin}" if pin else ""
    fetch = (
        f"{_TLS}; "
        "$f = Join-Path $env:TEMP 'plumbline'; New-Item -ItemType Directory -Force $f | Out-Null; "
        "foreach ($n in 'Install-Plumbline.ps1', 'Plumbline-Agent.ps1') { "
        f"Invoke-WebRequest -UseBasicParsing ('{base}/agent/v1/files/' + $n) "
        "-OutFile (Join-Path $f $n) }"
    )
    digests = "; ".join(f"'{name}' = '{_sha256(name)}'" for name in _WINDOWS_FILES)
    run = (
        "$f = Join-Path $env:TEMP 'plumbline'; "
        f"$want = @{{ {digests} }}; "
        # PowerShell 3.0 has no Get-FileHash, and a FIPS policy refuses the managed SHA-256.
        "$sha = New-Object Security.Cryptography.SHA256CryptoServiceProvider; "
        "$bad = @($want.Keys | Where-Object { $p = Join-Path $f $_; -not (Test-Path -LiteralPath $p) -or "
        "[BitConverter]::ToString($sha.ComputeHash([IO.File]::ReadAllBytes($p))).Replace('-', '') -ne $want[$_] }); "
        "if ($bad.Count -gt 0) { Write-Warning ('Nothing was run. Missing, or not the file of this Plumbline: ' + ($bad -join ', ')) } "
        "else { powershell.exe -ExecutionPolicy Bypass -File (Join-Path $f 'Install-Plumbline.ps1') "
        f"-Server {base} -Token {token}{pinned} }}"
    )
    notes = "In Windows PowerShell as an administrator."
    if pin:
        notes += (
            " Where Windows does not trust the server's certificate yet, fetch the two files on another machine and copy them to"
            " %TEMP%\\plumbline: step 2 checks them."
        )
    return [
        InstallCommand(platform="windows", title="1. Download the agent", command=fetch, notes=notes),
        InstallCommand(
            platform="windows",
            title="2. Check, install and enrol",
            command=run,
            notes=(
                "It checks the SHA-256 of both files and runs nothing if one differs. Then it registers a scheduled task that runs as "
                "SYSTEM and reads only. The token remains in the console history but is used up by this host."
            ),
        ),
    ]


_ESXI_FILE = "host_agent.py"
# One line for Python 2.6 to 3, between double quotes in a shell: no dollar sign, no backtick, no double quote. The certificate is not
# checked, since ESXi knows no authority of a site; nothing is written unless the digest is right.
_ESXI_FETCH = (
    "import hashlib, ssl, sys; "
    "get = __import__('urllib2' if sys.version_info[0] < 3 else 'urllib.request', fromlist=['urlopen']).urlopen; "
    "free = getattr(ssl, '_create_unverified_context', None); "
    "data = (get('{url}', context=free()) if free else get('{url}')).read(); "
    "hashlib.sha256(data).hexdigest() == '{digest}' or sys.exit('Not written: this is not the {name} of this Plumbline.'); "
    "open('{name}', 'wb').write(data); sys.stdout.write('{name} is written and checked.' + chr(10))"
)
_ESXI_CHECK = (
    "import hashlib, sys; hashlib.sha256(open('{name}', 'rb').read()).hexdigest() == '{digest}' "
    "or sys.exit('Not run: this is not the {name} of this Plumbline.')"
)


def _esxi(base: str, token: str, pin: str) -> list[InstallCommand]:
    pinned = f" --ca-pin {pin}" if pin else ""
    port = urlsplit(base).port or (443 if base.startswith("https") else 80)
    values = {"url": f"{base}/agent/v1/files/{_ESXI_FILE}", "digest": _sha256(_ESXI_FILE), "name": _ESXI_FILE}
    return [
        InstallCommand(
            platform="esxi",
            title="1. Download the agent to a local datastore",
            command=(
                "mkdir -p /vmfs/volumes/DATASTORE/plumbline && cd /vmfs/volumes/DATASTORE/plumbline && "
                f'python -c "{_ESXI_FETCH.format(**values)}"'
            ),
            notes=(
                "As root in the ESXi shell; put the name of a local datastore, never one reached over the SAN. The file is written only if"
                " its SHA-256 is right. Where the host cannot fetch it, copy it there: step 2 checks it too."
            ),
        ),
        InstallCommand(
            platform="esxi",
            title="2. Check and enrol",
            command=f'python -c "{_ESXI_CHECK.format(**values)}" && python {_ESXI_FILE} --enrol {base} {token}{pinned}',
            notes=f"The host needs outbound access to port {port}. Add an ESXi firewall rule, or use agentless collection over SSH.",
        ),
        InstallCommand(
            platform="esxi",
            title="3. Schedule",
            command=f"python {_ESXI_FILE} --schedule",
            notes="Prints the cron entry and how to keep it after a host restart.",
        ),
    ]
