"""Windows lab hosts answer as real ones do: raw properties, shared MAC addresses, what each release has, reads that break off."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab import fleet
from lab.host import LabHost
from lab.windows import values
from lab.windows.render import sections
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.configuration import HOST, NotOffered, SectionReading, Subject, Unknown
from plumbline.infra import resources

Make = Callable[[str], LabHost]
Rows = list[dict[str, Any]]
SPECS = {spec.name: spec for spec in fleet.load() if spec.platform == "windows"}
FOLDERS = tuple(Path(__file__).resolve().parents[3].parent / "shared" / name for name in ("captures", "captures-2"))


def _reads(host: LabHost, section: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sections(host)[section])
    return found


def _assembled(host: LabHost) -> Assembled:
    assembled = assemble("windows", {name: SectionReading("ok", body) for name, body in sections(host).items()})
    assert assembled.internal_errors == ()
    return assembled


def _of_release(folder: Path, release: str, **data: Any) -> LabHost:
    """A host with the X520's adapters under any release."""
    system = {"caption": f"Microsoft Windows Server {release}", "version": "10.0.26100", "build": "26100", "ubr": 1, "powershell": "5.1"}
    base = fleet._merge(fleet._base("windows-2022-x520", fleet.FOLDER), {"release": release, "group": "TEST", **data})
    if release == "2025":
        base = fleet._merge(base, {"system": {**system, "display": "24H2"}})
    return LabHost(fleet.HostSpec("any-host", 60, "windows", "TEST", "", base, {}, fleet.Behaviour()), folder)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_virtual_interfaces_show_the_mac_address_of_a_card_and_the_card_keeps_it(name: str, lab_host: Make) -> None:
    host = lab_host(name)
    rows: Rows = _reads(host, "adapters")["Get-NetAdapter"]["rows"]
    cards = {row["PermanentAddress"]: row["Name"] for row in rows if not row["Virtual"]}
    virtual = [row for row in rows if row["Virtual"]]
    assert {row["PermanentAddress"] for row in virtual} <= cards.keys()
    assert bool(virtual) == (bool(host.spec.data.get("team")) or "Hyper-V" in host.spec.data["features"])
    found = _assembled(host).configuration
    for mac, card in cards.items():
        assert found.value(Subject("adapter", mac.lower()), "name") == card
    assert len(found.subjects("vnic")) == len(virtual)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_nothing_is_sent_that_no_host_has(name: str, lab_host: Make) -> None:
    bodies = sections(lab_host(name))
    for section, gone in (
        ("offload", (b'"Operational"', b'"RdmaTechnology":"')),
        ("tcp", (b'Ms"', b'Mss"')),
        ("iscsi", (b"IsMultipathEnabled",)),
        ("qos", (b'"Bandwidth"', b"OperationalTrafficClasses", b'"Capabilities"')),
        ("storage", (b"CurrentChannels",)),
        ("mpio", (b'"argument":"-s -d 0"',)),
    ):
        assert [word for word in gone if word in bodies[section]] == []


def test_templates_are_those_of_the_release(tmp_path: Path) -> None:
    names = {}
    for release in ("2012", "2012r2", "2019", "2025"):
        host = _of_release(tmp_path / release, release)
        rows = {row["SettingName"]: row for row in _reads(host, "tcp")["Get-NetTCPSetting"]["rows"]}
        names[release] = sorted(rows)
        assert {held for field, held in rows["Automatic"].items() if field != "SettingName"} == {None}
        assert ("DelayedAckFrequency" in rows["Internet"]) == (release != "2012")
        shown = [rows["Internet"][field] for field in ("CongestionProvider", "CwndRestart", "DelayedAckTimeout")]
        assert shown == (["CTCP", "False", 50] if release in ("2012", "2012r2") else ["CUBIC", "False", 40])
    assert names["2012"] == ["Automatic", "Compat", "Custom", "Datacenter", "Internet"]
    later = ["Automatic", "Compat", "Datacenter", "DatacenterCustom", "Internet", "InternetCustom"]
    assert names["2012r2"] == names["2019"] == names["2025"] == later


def test_a_runner_cannot_read_what_the_release_does_not_have(tmp_path: Path) -> None:
    host = _of_release(tmp_path, "2012")
    for address in ("tcp_template/InternetCustom/auto_tuning", "tcp_template/Internet/delayed_ack_frequency"):
        with pytest.raises(values.Unreadable):
            values.read(host, address)
    assert values.read(host, "tcp_template/Internet/auto_tuning") == "Normal"


def test_2012_r2_prints_its_timers_and_the_registry_has_them(tmp_path: Path) -> None:
    host = _of_release(tmp_path, "2012r2")
    assert _reads(host, "mpio")["Get-MPIOSetting"]["status"] == "unavailable"
    found = _assembled(host).configuration
    assert [found.value(HOST, f"mpio.{key}") for key in ("path_verification", "pdo_remove_seconds", "disk_timeout_seconds")] == [
        "disabled",
        20,
        60,
    ]


def test_windows_server_2025_is_read_as_such(tmp_path: Path) -> None:
    host = _of_release(tmp_path, "2025")
    found = _assembled(host).configuration
    assert (found.value(HOST, "os_release"), found.value(HOST, "os_name")) == ("2025", "Windows Server 2025")
    assert isinstance(found.read(HOST, "tcp.chimney"), NotOffered)


def test_default_logins_are_told_apart_by_where_their_connections_leave_from(lab_host: Make) -> None:
    host = lab_host("sql-05")
    rows: Rows = _reads(host, "iscsi")["Get-IscsiSession"]["rows"]
    assert {row["InitiatorPortalAddress"] for row in rows} == {"0.0.0.0"}
    assembled = _assembled(host)
    assert assembled.path_map.problem == ""
    adapters = {path.adapter for path in assembled.path_map.paths}
    assert "" not in adapters
    assert len(adapters) == 2
    assert assembled.configuration.value(HOST, "san_sessions_spread") == 0


def test_a_session_without_connection_shows_no_portal(lab_host: Make) -> None:
    host = lab_host("sql-03")
    host.set("SAN2.link", "down", cause="test")
    rows: Rows = _reads(host, "iscsi")["Get-IscsiSession"]["rows"]
    down = [row for row in rows if not row["IsConnected"]]
    assert down
    assert {(row["TargetPortalAddress"], row["LocalAddress"]) for row in down} == {(None, None)}


def test_the_qos_of_an_adapter_is_its_tables(lab_host: Make) -> None:
    host = lab_host("hv-11")
    (row,) = _reads(host, "qos")["Get-NetAdapterQos"]["rows"]
    assert row["OperationalSettings"]["PriorityAssignmentTable"] == [0, 0, 0, 0, 0, 1, 0, 0]
    host.set("ch_p0.qos", "disabled", cause="test")
    (row,) = _reads(host, "qos")["Get-NetAdapterQos"]["rows"]
    assert row["OperationalSettings"] is None


def test_policies_are_listed_in_lower_case_and_found_in_any(lab_host: Make) -> None:
    host = lab_host("hv-11")
    host.state["qos_policy"] = {"RDMA": host.state["qos_policy"]["rdma"]}
    assert [row["Name"] for row in _reads(host, "qos")["Get-NetQosPolicy"]["rows"]] == ["rdma"]
    assert values.read(host, "qos_policy/rdma/rule") == "445:5"
    values.write(host, "qos_policy/rdma/rule", "445:3")
    assert host.state["qos_policy"] == {"RDMA": {"net_direct_port": 445, "priority": 3}}


def test_a_read_that_breaks_off_keeps_half_of_its_rows(tmp_path: Path) -> None:
    behaviour = fleet.Behaviour(broken_off={"adapters/Get-NetAdapter": "no answer within 8 s"})
    host = LabHost(dataclasses.replace(SPECS["sql-05"], behaviour=behaviour), tmp_path)
    read = _reads(host, "adapters")["Get-NetAdapter"]
    assert (read["status"], read["error"], len(read["rows"])) == ("failed", "no answer within 8 s", 2)
    assembled = _assembled(host)
    assert len(assembled.configuration.subjects("adapter")) == 2
    assert isinstance(assembled.configuration.read(HOST, "san_sessions_spread"), Unknown)


# --- Shapes ---------------------------------------------------------------------------------------------------------------------------

# Reads of which no output of a real host is at hand.
WITHOUT_CAPTURE = {
    "DSM_QueryLBPolicy_V2", "Get-Cluster", "Get-ClusterNode", "Get-ClusterStorageSpacesDirect", "Get-IscsiTarget",
    "Get-MSDSMAutomaticClaimSettings", "Get-NetAdapterLso", "Get-NetIPAddress", "Get-NetIPInterface", "Get-NetRoute",
    "Get-NetTransportFilter", "Get-Service", "Get-VMNetworkAdapterTeamMapping", "Get-VMSwitchTeam", "Get-WindowsFeature",
    "MPIO_DISK_INFO", "MPIO_GET_DESCRIPTOR", "MPIO_PATH_INFORMATION", "MSiSCSIInitiator_SessionClass", "PowerShell",
    "WSMan:Listener", "Win32_ComputerSystem", "Win32_NetworkAdapterConfiguration", "Win32_OperatingSystem",
    "Win32_SCSIController", "ping", "registry:CurrentVersion", "registry:KernelDebugger", "registry:MPIO",
    "registry:PendingReboot", "registry:Tcpip/Parameters/Interfaces", "registry:Uninstall",
}  # fmt: skip
# Where a view shows something else than the property holds, or a property that is asked for by another name.
SHOWN_OTHERWISE = {
    ("Get-NetQosTrafficClass", "Bandwidth"): "the view's name of BandwidthPercentage",
    ("Get-NetQosTrafficClass", "Priority"): "ranges in place of a list",
    ("Get-NetAdapterRdma", "Operational"): "a property of a vendor's own view",
    ("Get-NetAdapterQos", "OperationalTrafficClasses"): "a text for the screen; its tables are in OperationalSettings",
    ("Get-NetAdapterQos", "OperationalFlowControl"): "a text for the screen; its table is in OperationalSettings",
    ("Get-NetAdapterQos", "OperationalClassifications"): "a text for the screen; its table is in OperationalSettings",
    ("Get-NetAdapterQos", "Capabilities"): "a text for the screen; HardwareCapabilities and CurrentCapabilities hold it",
    ("Get-Disk", "Size"): "with its unit",
    ("Get-VMSwitch", "NetAdapterInterfaceDescription"): "a list of one in a check-in",
    ("Get-VMSwitch", "SoftwareRscEnabled"): "2019 and later; the lab's Hyper-V hosts are of 2016",
    ("Get-NetLbfoTeam", "TeamNics"): "a list of one in a check-in",
    ("Get-IscsiSession", "IsMultipathEnabled"): "in printed outputs of older releases only",
    ("Get-NetQosPolicy", "ThrottleRateAction"): "with its unit",
}


def _kind(held: object) -> str:
    """flag, figure, list or text; empty where the value does not show its kind."""
    if isinstance(held, list):
        return "list"
    text = str(held).strip().lower()
    if held is None or text == "":
        return ""
    if text in ("true", "false"):
        return "flag"
    return "figure" if text.removeprefix("-").isdigit() else "text"


def _kinds(rows: Rows) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        for field, held in row.items():
            kind = _kind(held) if not isinstance(held, dict) else ""
            found.setdefault(field, set()).update({kind} - {""})
    return found


def _captured_rows() -> dict[str, Rows]:
    """The rows of every captured output, by command; in tables only, since lists of properties are rendered one by one."""
    found: dict[str, Rows] = {}
    for folder in FOLDERS:
        for path in sorted(folder.glob("windows__*")):
            for captured in read_files({path.name: path.read_bytes()}).captured:
                for section in captured.sections.values():
                    for command, read in json.loads(section.body).items():
                        found.setdefault(command, []).extend(read["rows"])
    return {command: rows for command, rows in found.items() if rows}


def test_lab_hosts_show_the_fields_and_kinds_of_captured_outputs(tmp_path: Path) -> None:
    if not all(folder.is_dir() for folder in FOLDERS):
        pytest.skip("the captures are not here")
    agreement = yaml.safe_load((resources.SCHEMA / "windows-sections.yaml").read_text("utf-8"))
    hosts = [LabHost(spec, tmp_path / name) for name, spec in SPECS.items()]
    hosts += [_of_release(tmp_path / "2025", "2025"), _of_release(tmp_path / "2012r2", "2012r2")]
    rendered: dict[str, Rows] = {}
    for host in hosts:
        for section in sections(host).values():
            for command, read in json.loads(section).items():
                rendered.setdefault(command, []).extend(read["rows"])
    captured = _captured_rows()
    wrong = []
    compared = 0
    for command, real in captured.items():
        fields = next((reads[command]["fields"] for reads in agreement.values() if command in reads), [])
        mine, theirs = _kinds(rendered.get(command, [])), _kinds(real)
        if not rendered.get(command):
            continue
        for field, kinds in theirs.items():
            if (command, field) in SHOWN_OTHERWISE or field not in fields:
                continue
            compared += 1
            if field not in mine:
                wrong.append(f"{command}: {field} is missing")
            elif kinds and mine[field] and not kinds & mine[field]:
                wrong.append(f"{command}: {field} is {sorted(mine[field])}, really {sorted(kinds)}")
    assert wrong == []
    assert compared >= 100
    every = {command for reads in agreement.values() for command in reads}
    assert every - captured.keys() - {"Get-NetAdapterAdvancedProperty"} == WITHOUT_CAPTURE
