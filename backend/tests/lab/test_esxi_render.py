"""The real ESXi agent file on the lab's simulated machines, read by `facts` as the settings of the host file."""

import json
import subprocess
from collections.abc import Callable

import pytest

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows.render import sections as windows_sections
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, SectionReading, Source, Unknown
from plumbline.core.facts.paths import PathMap

Make = Callable[[str], LabHost]
ESXI = [spec.name for spec in fleet.load() if spec.platform == "esxi"]


def _collect(host: LabHost, *arguments: str) -> list[bytes]:
    machine = EsxiMachine(host)
    host.tick()
    machine.refresh()
    done = subprocess.run(
        machine.command_line(["--collect-only", *arguments]), env=machine.environment(), capture_output=True, check=True, timeout=60
    )
    return done.stdout.rstrip(b"\n").split(b"\n")


def _read(host: LabHost) -> tuple[Configuration, PathMap, dict[str, str]]:
    line, *bodies = _collect(host)
    shown = {name: row for name, row in json.loads(line)["sections"].items() if "sha256" in row}
    readings = {name: SectionReading("ok", body) for name, body in zip(shown, bodies, strict=True)}
    assembled = assemble("esxi", readings)
    statuses = {name: row["status"] for name, row in json.loads(line)["sections"].items()}
    return assembled.configuration, assembled.path_map, statuses


@pytest.mark.parametrize("name", ESXI)
def test_every_host_is_read_whole(name: str, lab_host: Make) -> None:
    host = lab_host(name)
    configuration, paths, statuses = _read(host)
    assert set(statuses.values()) == {"ok"}
    assert configuration.value(HOST, "os_release") == host.spec.data["release"]
    assert paths.problem == ""
    assert len(paths.volumes) == len(host.state["volumes"])
    alive = [path for path in host.sessions() if path["alive"]]
    assert sum(paths.healthy(volume.id) for volume in paths.volumes) == len(alive)
    san = [subject for subject in configuration.subjects("adapter") if configuration.value(subject, "role") == "san_iscsi"]
    family = {port["card"] for _, port in host.ports("san")}
    assert {configuration.value(subject, "family") for subject in san} == family


def test_recommended_55(lab_host: Make) -> None:
    configuration, _, _ = _read(lab_host("esx-a01"))
    (initiator,) = configuration.subjects("initiator")
    read = [configuration.value(initiator, key) for key in ("mode", "delayed_ack", "login_timeout_seconds")]
    assert read == ["software", "disabled", 60]
    for adapter in configuration.subjects("adapter"):
        if configuration.value(adapter, "role") == "san_iscsi":
            assert [configuration.value(adapter, key) for key in ("mtu", "flow_control", "tso")] == [9000, "rx_tx", "enabled"]
    assert configuration.value(HOST, "net.lro") == "enabled"
    mem = configuration.read(HOST, "mem")
    assert isinstance(mem, Unknown)
    assert "dell-eql-routed-psp 1.2.0" in mem.reason


def test_hardware_initiators_one_of_them_with_delayed_ack_off(lab_host: Make) -> None:
    configuration, _, _ = _read(lab_host("esx-a02"))
    initiators = configuration.subjects("initiator")
    assert [configuration.value(subject, "mode") for subject in initiators] == ["isoe", "isoe"]
    assert sorted(str(configuration.value(subject, "delayed_ack")) for subject in initiators) == ["disabled", "enabled"]


def test_lro_off_and_a_dead_uplink(lab_host: Make) -> None:
    configuration, _, _ = _read(lab_host("esx-b08"))
    assert configuration.value(HOST, "net.lro") == "disabled"
    _, paths, _ = _read(lab_host("esx-b07"))
    assert [(paths.healthy(volume.id), sum(path.volume == volume.id for path in paths.paths)) for volume in paths.volumes] == [
        (2, 4),
        (2, 4),
    ]


def test_frames_that_do_not_fit_are_found_by_the_probe(lab_host: Make) -> None:
    host = lab_host("esx-a03")
    host.set("switch.mtu", 1514, cause="test")
    configuration, _, _ = _read(host)
    probes = {configuration.value(subject, "frame_probe") for subject in configuration.subjects("vnic")}
    assert "too_big" in probes


@pytest.mark.parametrize("name", ["esx-a03", "sql-03"])
def test_a_portal_of_ordinary_size_behind_a_jumbo_switch_is_found_by_the_probe(name: str, lab_host: Make) -> None:
    """Only the array's first port is short: the host and the switches carry more, and frames of 1500 come through."""
    host = lab_host(name)
    assert _frame_probes(host) == {"ok"}
    host.set("portal-1.mtu", 1500, cause="test")
    assert int(host.state["switch_mtu"]) > 9014
    assert "too_big" in _frame_probes(host)
    host.set("portal-*.mtu", 9000, cause="test")
    assert _frame_probes(host) == {"ok"}


def _frame_probes(host: LabHost) -> set[object]:
    if host.spec.platform == "windows":
        readings = {section: SectionReading("ok", body) for section, body in windows_sections(host).items()}
        configuration = assemble("windows", readings).configuration
    else:
        configuration = _read(host)[0]
    adapters = [subject for subject in configuration.subjects("adapter") if configuration.value(subject, "role") == "san_iscsi"]
    return {configuration.value(subject, "frame_probe") for subject in adapters}


def test_an_unchanged_host_prints_the_same_bodies(lab_host: Make) -> None:
    host = lab_host("esx-b10")
    first = _collect(host)[1:]
    host.state["counters"]["at"] -= 600
    assert _collect(host)[1:] == first


def test_slow_and_refused_commands_cost_only_their_own_settings(lab_host: Make) -> None:
    host = lab_host("esx-b10")
    machine = EsxiMachine(host)
    words = "Unable to complete Sysinfo operation.  Please see the VMkernel log file for more details.: Not supported"
    machine.refuse("esxcli network nic ring current get -n vmnic2", words)
    machine.slow("esxcli storage core device list", 30)
    # Slow is no failure where the limit allows for it.
    machine.slow("esxcli system hostname get", 0.5)
    line, *bodies = _collect(host, "--command-seconds", "3")
    shown = {name: row for name, row in json.loads(line)["sections"].items() if "sha256" in row}
    readings = {name: SectionReading("ok", body) for name, body in zip(shown, bodies, strict=True)}
    configuration = assemble("esxi", readings).configuration
    (refused,) = [subject for subject in configuration.subjects("adapter") if configuration.value(subject, "name") == "vmnic2"]
    assert configuration.read(refused, "receive_buffers") == NotOffered(
        "driver does not offer it", Source("nic_tuning", "esxcli network nic ring current get -n vmnic2", "", words)
    )
    assert configuration.value(HOST, "name") == "esx-b10"
    volumes = configuration.subjects("volume")
    assert [configuration.value(volume, "paths_total") for volume in volumes] == [4, 4]
    assert all(configuration.value(volume, "size_bytes") is None for volume in volumes)


def test_a_hanging_command_costs_its_own_section_only(lab_host: Make) -> None:
    host = lab_host("esx-b10")
    machine = EsxiMachine(host)
    machine.hang("lspci", is_hanging=True)
    lines = _collect(host, "--command-seconds", "1")
    sections = json.loads(lines[0])["sections"]
    assert [name for name, row in sections.items() if row["status"] != "ok"] == []
    nics = next(json.loads(line) for line in lines[1:] if b"lspci -p" in line)
    assert nics["lspci -p"]["status"] == "failed"
