"""What was not read never makes a lab host look better."""

import json
import subprocess
from collections.abc import Callable

import pytest

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows.render import sections
from plumbline.core.facts.configuration import Platform, SectionReading
from tests.core.rules.removal import Host

Make = Callable[[str], LabHost]
HOSTS = [(spec.name, spec.platform) for spec in fleet.load()]


def _sections(host: LabHost) -> dict[str, SectionReading]:
    if host.spec.platform == "windows":
        return {name: SectionReading("ok", body) for name, body in sections(host).items()}
    machine = EsxiMachine(host)
    host.tick()
    machine.refresh()
    done = subprocess.run(machine.command_line(["--collect-only"]), env=machine.environment(), capture_output=True, check=True, timeout=60)
    line, *bodies = done.stdout.rstrip(b"\n").split(b"\n")
    shown = [name for name, row in json.loads(line)["sections"].items() if "sha256" in row]
    return {name: SectionReading("ok", body) for name, body in zip(shown, bodies, strict=True)}


@pytest.mark.parametrize(("name", "platform"), HOSTS)
def test_a_lab_host_never_looks_better_for_what_was_not_read(name: str, platform: Platform, lab_host: Make) -> None:
    assert Host(platform, _sections(lab_host(name))).problems() == []
