"""What the commands of an ESXi lab host answer, rendered from its state in the forms of its release."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab import identity
from lab.esxi import devices, iscsi, network, nics, switches
from lab.esxi.common import Answers, driver_of, flag, is_at_least
from lab.esxi.output_formats import no_such_command, records, single, table, text, value
from lab.host import LabHost


def answers(host: LabHost) -> Answers:
    """Every command that the host answers, by command line without the formatter."""
    with host.lock:
        rendered: Answers = {}
        for part in _PARTS:
            rendered.update(part(host))
        # Gone with the native drivers.
        return {command: answer for command, answer in rendered.items() if not (command.startswith("ethtool") and is_at_least(host, "7.0"))}


def write_answers(host: LabHost, folder: Path) -> None:
    """Writes the answers where the stand-in commands read them: `<form>/<command line>`, with `<command line>.exit` where it is not 0.

    The command line is a path on purpose: a slash in an option makes a folder, and the stand-in needs no more than the shell's own
    words to find the file.
    """
    for command, answer in answers(host).items():
        for form, body in (("text", answer.as_text()), ("xml", answer.as_xml()), ("json", answer.as_json())):
            if form != "text" and (not command.startswith("esxcli ") or (form == "json" and not is_at_least(host, "6.7"))):
                continue
            file = folder / form / command
            if not file.parent.is_dir():
                file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists() and file.read_text("utf-8") == body:
                continue
            # Two commands that run at once write the same answers, in threads of one process.
            waiting = file.with_name(f"{file.name}.{os.getpid()}-{threading.get_ident()}.tmp")
            waiting.write_text(body, "utf-8")
            waiting.replace(file)
            if answer.exit:
                (folder / form / f"{command}.exit").write_text(str(answer.exit))


def _system(host: LabHost) -> Answers:
    """Version from 5.5 U3, 6.7 and 9.0, name and platform from 9.0, lockdown from 5.x, the summary from the documentation."""
    spec, system = host.spec, host.spec.data["system"]
    update = system["version"].rsplit(".", 1)[-1]
    version = {"Product": system["product"], "Version": system["version"], "Build": f"Releasebuild-{system['build']}", "Update": update}
    if is_at_least(host, "6.7"):
        version["Patch"] = {"6.7.0": "135", "7.0.3": "105", "8.0.3": "95"}[system["version"]]
    serial = identity.digest("serial", spec.name)[:7].upper()
    return {
        "esxcli system version get": single("VersionGet", version),
        "esxcli system hostname get": single(
            "FullyQualifiedHostName",
            {
                "Domain Name": "corp.example.com",
                "Fully Qualified Domain Name": f"{spec.name}.corp.example.com",
                "Host Name": spec.name,
            },
        ),
        "esxcli hardware platform get": single(
            "PlatformGet",
            {
                "UUID": " ".join(f"0x{identity.digest(spec.name)[at : at + 2]}" for at in range(0, 32, 2)),
                "Product Name": spec.data["machine"]["model"],
                "Vendor Name": spec.data["machine"]["manufacturer"],
                "Serial Number": serial,
                "Enclosure Serial Number": serial,
                "BIOS Asset Tag": "",
                "IPMI Supported": True,
            },
            title="Platform Information",
        ),
        "esxcli system maintenanceMode get": value("Enabled" if host.state["host"]["maintenance_mode"] else "Disabled"),
        "vim-cmd -U dcui vimsvc/auth/lockdown_is_enabled": text(flag(host.state["host"]["lockdown"]) + "\n"),
        **_summary(host),
        "esxcli system settings keyvalue list": no_such_command("esxcli system settings keyvalue list"),
    }


def _summary(host: LabHost) -> Answers:
    """What changes on every read: processor use, uptime, TCP segments."""
    counters, machine = host.state["counters"], host.spec.data["machine"]
    cores, mhz = machine["processors"] // 2, 1999
    uptime = int(counters["at"] - host.state["installed_at"]) + 864000
    used = int(float(counters["cpu_percent"]) / 100 * cores * mhz)
    maintenance = flag(host.state["host"]["maintenance_mode"])
    return {
        "vim-cmd hostsvc/hostsummary": text(
            "Listsummary:\n\n(vim.host.Summary) {\n   hardware = (vim.host.Summary.HardwareSummary) {\n"
            f"      cpuMhz = {mhz},\n      numCpuCores = {cores},\n   }},\n   runtime = (vim.host.RuntimeInfo) {{\n"
            f'      connectionState = "connected",\n      inMaintenanceMode = {maintenance},\n   }},\n'
            "   quickStats = (vim.host.Summary.QuickStats) {\n"
            f"      overallCpuUsage = {used},\n      uptime = {uptime},\n   }},\n   rebootRequired = false,\n}}\n"
        ),
        "esxcli system stats uptime get": value(uptime * 1_000_000),
        "vsish -e get /net/tcpip/instances/defaultTcpipStack/stats/tcp": text(
            f"tcp {{\n   sndtotal:{counters['tcp_segments_sent'] * 6000}\n   sndpack:{counters['tcp_segments_sent']}\n"
            f"   sndrexmitpack:{counters['tcp_segments_retransmitted']}\n   rcvtotal:0\n}}\n"
        ),
    }


def _advanced(host: LabHost) -> Answers:
    """From 6.0."""
    settings = host.state["host"]
    options = {
        "/Net/TcpipDefLROEnabled": (int(settings["net.lro"] == "enabled"), 1, 0, 1, "LRO enabled for TCP/IP"),
        "/Net/UseHwTSO": (int(settings["net.hw_tso"] == "enabled"), 1, 0, 1, "When non-zero, use pNIC HW TSO offload if available"),
        "/Net/UseHwTSO6": (
            int(settings.get("net.hw_tso6", "enabled") == "enabled"),
            1,
            0,
            1,
            "When non-zero, use pNIC HW IPv6 TSO offload if available",
        ),
        "/Net/TcpipDefLROMaxLength": (32768, 32768, 1, 65535, "LRO default max length for TCP/IP"),
    }
    return {
        f"esxcli system settings advanced list -o {path}": records(
            "SettingsEntry",
            "Path",
            [
                {
                    "Path": path,
                    "Type": "integer",
                    "Int Value": now,
                    "Default Int Value": default,
                    "Min Value": low,
                    "Max Value": high,
                    "String Value": "",
                    "Default String Value": "",
                    "Valid Characters": "",
                    "Description": words,
                }
            ],
        )
        for path, (now, default, low, high, words) in options.items()
    }


def _modules(host: LabHost) -> Answers:
    """Parameters from 6.0; of `module get` no output was seen."""
    rendered: Answers = {}
    drivers = {driver_of(host, name): port for name, port in host.state["ports"].items()}
    for driver, port in drivers.items():
        old = driver in ("bnx2x", "ixgbe", "igb")
        rows = [{"Name": "RSS", "Type": "array of int" if not old else "int", "Value": "", "Description": "Number of receive queues"}]
        if driver == "ixgbe":
            rows.append(
                {
                    "Name": "LRO",
                    "Type": "array of int",
                    "Value": "" if port["lro"] == "enabled" else "0,0",
                    "Description": "Large Receive Offload (0,1), default 1 = on",
                }
            )
        rendered[f"esxcli system module parameters list -m {driver}"] = table("Parameter", rows)
        rendered[f"esxcli system module get -m {driver}"] = single(
            "Module",
            {
                "Module": driver,
                "Module File": f"/usr/lib/vmware/vmkmod/{driver}",
                "License": "GPLv2" if old else "ThirdParty:unknown",
                "Version": port["driver_version"],
                "Signed Status": "VMware Signed",
                "Signature Issuer": "VMware, Inc.",
                "Provided Namespaces": [],
                "Required Namespaces": ["com.vmware.vmkapi"],
                "Containing VIB": f"net-{driver}",
            },
        )
    for driver in ("iscsi_vmk", "bnx2i"):
        rendered[f"esxcli system module parameters list -m {driver}"] = table(
            "Parameter", [{"Name": "iscsivmk_LunQDepth", "Type": "int", "Value": "", "Description": "Maximum Outstanding Commands Per LUN"}]
        )
        rendered[f"esxcli system module get -m {driver}"] = single(
            "Module", {"Module": driver, "Module File": f"/usr/lib/vmware/vmkmod/{driver}", "Version": "1.0", "Containing VIB": driver}
        )
    return rendered


def _stat(host: LabHost, name: str, naa: str) -> dict[str, Any]:
    """From 5.0 with MEM 1.1.2."""
    counted = host.state["counters"]["volumes"].get(name, {})
    return {
        "DeviceId": naa.removeprefix("naa.").upper(),
        "VolumeName": name,
        "PathCount": sum(1 for path in iscsi.live_paths(host) if path["volume"] == name and path["alive"]),
        "Reads": int(counted.get("reads", 0)),
        "Writes": int(counted.get("writes", 0)),
        "KBRead": int(counted.get("read_bytes", 0)) // 1024,
        "KBWritten": int(counted.get("write_bytes", 0)) // 1024,
    }


def _software(host: LabHost) -> Answers:
    """Packages from 5.x; of the image profile no output was seen."""
    release, mem = host.spec.data["release"], host.spec.data["mem"]
    build = host.spec.data["system"]["build"]
    vibs = [
        {
            "Name": "esx-base",
            "Version": f"{host.spec.data['system']['version']}-0.0.{build}",
            "Vendor": "VMware",
            "Acceptance Level": "VMwareCertified",
            "Install Date": "2020-02-11",
        }
    ]
    for name in sorted({driver_of(host, name) for name in host.state["ports"]}):
        port = next(port for role, port in host.state["ports"].items() if driver_of(host, role) == name)
        vibs.append(
            {
                "Name": f"net-{name}" if release == "5.5" else name,
                "Version": port["driver_version"],
                "Vendor": "VMW",
                "Acceptance Level": "VMwareCertified",
                "Install Date": "2020-02-11",
            }
        )
    # The names of the packages are those of MEM 1.1.2 on 5.0; later versions of them were not seen, these are ours.
    for name in ("dell-eql-host-connection-mgr", "dell-eql-hostprofile", "dell-eql-routed-psp") if mem else ():
        vibs.append(
            {
                "Name": name,
                "Version": "-".join(mem.rsplit(".", 1)),
                "Vendor": "Dell",
                "Acceptance Level": "VMwareAccepted",
                "Install Date": "2020-02-12",
            }
        )
    if is_at_least(host, "8.0"):
        # From 8.0 U1.
        vibs = [{**vib, "Platforms": "host"} for vib in vibs]
    return {
        "esxcli software vib list": table("VIBSummary", vibs),
        "esxcli software profile get": records(
            "ImageProfile",
            "Name",
            [
                {
                    "Name": f"ESXi-{host.spec.data['system']['version']}-{build}-standard",
                    "Vendor": "VMware, Inc.",
                    "Acceptance Level": "PartnerSupported",
                }
            ],
        ),
        "esxcli equallogic stat summary": table(
            "EqualLogicSummary",
            [_stat(host, name, naa) for name, naa in iscsi.volumes(host)],
        )
        if mem
        else no_such_command("esxcli equallogic stat summary"),
    }


_PARTS: tuple[Callable[[LabHost], Answers], ...] = (
    *(
        _system,
        nics.nics,
        nics.tuning,
        switches.hints,
        network.vswitch,
        network.vmkernel,
        iscsi.initiators,
        iscsi.network,
        iscsi.sessions,
        devices.devices,
    ),
    *(_advanced, _modules, _software, nics.legacy, iscsi.pings),
)
