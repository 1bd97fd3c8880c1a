"""A real vSphere API: govmomi's simulator with the hosts that a test names, where the simulator is found; a skip that says so elsewhere."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from plumbline.channels.vcenter import VCenterTarget

TOOLS = Path(__file__).resolve().parents[3] / "tools"
ACCOUNT, PASSWORD = "plumbline@vsphere.local", "right"


@dataclass(frozen=True)
class Simulated:
    """A simulator that listens, and what it shows."""

    address: str
    port: int
    sha256: str
    process: subprocess.Popen[str]

    @property
    def target(self) -> VCenterTarget:
        return VCenterTarget(self.address, self.port, self.sha256)


Simulate = Callable[..., Simulated]


@pytest.fixture
def simulate() -> Iterator[Simulate]:
    """`simulate({"name": "esx-a03", "lockdown": "lockdownNormal"}, cluster="PROD")`: a vCenter with these hosts, over TLS on loopback."""
    sys.path.insert(0, str(TOOLS))
    try:
        import vcsim
    finally:
        sys.path.remove(str(TOOLS))
    program = vcsim.find()
    if program is None:
        pytest.skip("no vSphere simulator: `make vcsim` builds it where Go is")
    started: list[Simulated] = []

    def start(*hosts: dict[str, Any], cluster: str = "PROD") -> Simulated:
        shown = {"user": ACCOUNT, "password": PASSWORD, "cluster": cluster, "hosts": hosts}
        process = subprocess.Popen([program, json.dumps(shown)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        made = Simulated(said["address"], int(said["port"]), said["sha256"], process)
        started.append(made)
        return made

    yield start
    for each in started:
        # It ends with its standard input; a crash of this process would end it the same way.
        each.process.communicate(timeout=10)
