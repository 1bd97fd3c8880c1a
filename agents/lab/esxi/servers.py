"""SSH of the running lab's ESXi hosts, so that collection and remediation have something real to reach.

`HOME/run/lab-channels.json` (owner only) says how: `{"account", "private_key", "winrm": {"certificate", "private_key"}, "hosts":
{name: {"channel", "address", "port", "pins", "folder"}}}`; `folder` (ESXi) is where the runner lies. Host keys, credentials and, where
they are still free, ports survive a restart of the lab. Hosts that `HOME/run/lab-collected.json` names ({name: port}) run no agent of
their own: Plumbline reads them.
"""

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import paramiko

from lab.esxi.agent import PROGRAM, EsxiMachine
from lab.esxi.ssh import EsxiSsh, host_key
from lab.fleet import load
from lab.ports import is_free, pick_ports
from lab.windows.servers import WinRmDoors, client_of, server_of


@dataclass(frozen=True)
class Prepared:
    """What Plumbline needs to read lab hosts: its key, and for each host the port and the public host key."""

    account: str
    private_key: str
    hosts: Mapping[str, tuple[int, str]]


def prepare(home: Path, names: Sequence[str]) -> Prepared:
    """Makes keys and picks ports for hosts that Plumbline is to read, before the lab runs. Keeps what was picked where it is still free."""
    ports = _ports({name: port for name, port in remembered(home).items() if is_free(port)}, names)
    _write_private(home / "run" / "lab-collected.json", json.dumps(ports))
    hosts: dict[str, tuple[int, str]] = {}
    for name in names:
        folder = home / "lab" / name
        folder.mkdir(parents=True, exist_ok=True)
        key = host_key(folder)
        hosts[name] = (ports[name], f"{key.get_name()} {key.get_base64()}")
    return Prepared("root", _text(_collector_key(home / "lab" / "collector_key")), hosts)


def collected(home: Path) -> dict[str, int]:
    """Hosts that Plumbline reads, with their ports; none where nothing was prepared."""
    file = home / "run" / "lab-collected.json"
    return {str(name): int(port) for name, port in json.loads(file.read_text("utf-8")).items()} if file.exists() else {}


def remembered(home: Path) -> dict[str, int]:
    """Ports that hosts had before, where they are still free: a restart of the lab should leave every host where it was."""
    file = home / "run" / "lab-ports.json"
    before = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return {str(name): int(port) for name, port in before.items() if is_free(int(port))} | collected(home)


def prepare_changes(home: Path) -> dict[str, Any]:
    """Picks a port for every host of the fleet and makes keys and certificates before the lab runs; answers what `lab-channels.json` will
    say, so that Plumbline can be told how to change the hosts."""
    specs = load()
    taken = _ports(remembered(home), [spec.name for spec in specs])
    _write_private(home / "run" / "lab-ports.json", json.dumps(taken))
    hosts: dict[str, dict[str, Any]] = {}
    for spec in specs:
        place = {"address": "127.0.0.1", "port": taken[spec.name]}
        if spec.platform == "windows":
            hosts[spec.name] = {"channel": "winrm", **place, "pins": [server_of(home).sha256]}
            continue
        folder = home / "lab" / spec.name
        folder.mkdir(parents=True, exist_ok=True)
        key = host_key(folder)
        hosts[spec.name] = {"channel": "ssh", **place, "pins": [f"{key.get_name()} {key.get_base64()}"], "folder": f"/{PROGRAM}"}
    return {**_credentials(home), "hosts": hosts}


def _credentials(home: Path) -> dict[str, Any]:
    """What signs in to ESXi and to Windows hosts of the lab."""
    client = client_of(home)
    winrm = {"certificate": client.certificate.read_text(), "private_key": client.private_key.read_text()}
    return {"account": "root", "private_key": _text(_collector_key(home / "lab" / "collector_key")), "winrm": winrm}


def open_doors(home: Path, machines: Mapping[str, EsxiMachine], windows: WinRmDoors | None = None) -> list[EsxiSsh]:
    """Serves SSH for every machine and writes down where, with the Windows hosts that are served already."""
    key = _collector_key(home / "lab" / "collector_key")
    ports = remembered(home)
    line = f"{key.get_name()} {key.get_base64()}"
    servers = {name: EsxiSsh(machine, authorized_key=line, port=ports.get(name, 0)) for name, machine in machines.items()}
    for server in servers.values():
        server.start()
    hosts: dict[str, dict[str, object]] = {
        name: {"channel": "ssh", "address": "127.0.0.1", "port": server.port, "pins": [server.public_key], "folder": f"/{PROGRAM}"}
        for name, server in servers.items()
    }
    if windows is not None:
        pins = [windows.server.sha256]
        for name, endpoint in windows.endpoints.items():
            hosts[name] = {"channel": "winrm", "address": "127.0.0.1", "port": endpoint.port, "pins": pins}
    _write_private(home / "run" / "lab-ports.json", json.dumps(ports | {name: row["port"] for name, row in hosts.items()}))
    _write_private(home / "run" / "lab-channels.json", json.dumps({**_credentials(home), "hosts": hosts}, indent=1))
    return list(servers.values())


def _collector_key(file: Path) -> paramiko.PKey:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        paramiko.ECDSAKey.generate().write_private_key_file(str(file))
    return paramiko.ECDSAKey.from_private_key_file(str(file))


def _text(key: paramiko.PKey) -> str:
    written = io.StringIO()
    key.write_private_key(written)
    return written.getvalue()


def _write_private(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as stream:
        stream.write(text)


def _ports(before: Mapping[str, int], names: Sequence[str]) -> dict[str, int]:
    """A port for each host: the one that it had, where it still may have it, or one that no other host has."""
    kept = {name: before[name] for name in names if name in before}
    new = [name for name in names if name not in kept]
    return kept | dict(zip(new, pick_ports(len(new), but=list(before.values())), strict=True))
