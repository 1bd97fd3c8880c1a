"""Hosts of the papers' test beds as the lab renders them: raw sections, read by the same facts as any host's.

Windows sections are rendered by the lab. ESXi sections come from the real agent file, run against the lab's stand-in commands.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import Configuration, SectionReading
from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows.render import sections

Settings = Mapping[str, Any]


def windows_host(folder: Path, bed: str, release: str, changes: Settings, *, entered: Mapping[str, str] | None = None) -> Configuration:
    """A Windows host with the adapters of a test system under any release, at the drivers' defaults except for `changes` (the lab's words).

    `entered`: what a person entered of each offload engine, by setting.
    """
    system = fleet._base(f"windows-{release}", fleet.FOLDER)
    adapters = fleet._base(bed, fleet.FOLDER)
    data = fleet._merge({**system, "hit_kit": "4.9.0"}, {key: adapters[key] for key in ("initiator", "adapters")})
    if bed.endswith("s2d"):
        data = fleet._merge(data, {key: adapters[key] for key in ("machine", "features", "s2d", "hit_kit", "volumes")})
    bodies = sections(_lab_host(folder, data, changes, cluster="S2DCL1" if bed.endswith("s2d") else ""))
    readings = {name: SectionReading("ok", body) for name, body in bodies.items()}
    first = assemble("windows", readings)
    overrides = {
        subject.address(key): value for subject in first.configuration.subjects("initiator") for key, value in (entered or {}).items()
    }
    return assemble("windows", readings, overrides).configuration


def esxi_host(folder: Path, base: str, changes: Settings, *, mem: str = "") -> Configuration:
    """An ESXi host of a test bed, read by the real agent; at the drivers' defaults but for `changes`."""
    host = _lab_host(folder, fleet._merge(fleet._base(base, fleet.FOLDER), {"mem": mem}), changes)
    machine = EsxiMachine(host)
    host.tick()
    machine.refresh()
    command = machine.command_line(["--collect-only"])
    shown = subprocess.run(command, env=machine.environment(), capture_output=True, cwd=host.folder, timeout=120, check=True).stdout
    lines = shown.split(b"\n")
    bodies = {hashlib.sha256(line).hexdigest(): line for line in lines[1:] if line}
    readings = {
        name: SectionReading(one["status"], bodies.get(one.get("sha256", ""), b""), one.get("error", ""))
        for name, one in json.loads(lines[0])["sections"].items()
    }
    return assemble("esxi", readings).configuration


def _lab_host(folder: Path, data: Mapping[str, Any], changes: Settings, cluster: str = "") -> LabHost:
    spec = fleet.HostSpec("paper-host", 60, data["platform"], "PROD-A", cluster, {**data, "group": "PROD-A"}, changes, fleet.Behaviour())
    return LabHost(spec, folder)
