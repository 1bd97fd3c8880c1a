"""SSH of the running lab's ESXi hosts, so that off-host collection has something real to reach.

`HOME/run/lab-channels.json` (owner only) says how: `{"account", "private_key", "hosts": {name: {"channel", "address", "port", "pins"}}}`.
Ports and keys stay the same only while the lab runs; host keys and the collector's key survive a restart.
"""

import io
import json
import os
from collections.abc import Mapping
from pathlib import Path

import paramiko

from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh


def open_doors(home: Path, machines: Mapping[str, EsxiMachine]) -> list[EsxiSsh]:
    """Serves SSH for every machine and writes down where."""
    key = _collector_key(home / "lab" / "collector_key")
    servers = {name: EsxiSsh(machine, authorized_key=f"{key.get_name()} {key.get_base64()}") for name, machine in machines.items()}
    for server in servers.values():
        server.start()
    text = io.StringIO()
    key.write_private_key(text)
    hosts = {
        name: {"channel": "ssh", "address": "127.0.0.1", "port": server.port, "pins": [server.public_key]}
        for name, server in servers.items()
    }
    file = home / "run" / "lab-channels.json"
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as stream:
        json.dump({"account": "root", "private_key": text.getvalue(), "hosts": hosts}, stream, indent=1)
    return list(servers.values())


def _collector_key(file: Path) -> paramiko.PKey:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        paramiko.ECDSAKey.generate().write_private_key_file(str(file))
    return paramiko.ECDSAKey.from_private_key_file(str(file))
