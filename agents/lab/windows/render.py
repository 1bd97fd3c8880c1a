"""What a Windows lab host sends, rendered from its state. Rendered by the lab: no PowerShell ran.

Shapes are those of `agents/schema/windows-sections.yaml`. The JSON is compact, ASCII-escaped and in the order of that file, like the
agent's own writer.
"""

import json
from collections.abc import Callable

from lab import identity
from lab.display_texts import OS_LANGUAGE
from lab.host import LabHost
from lab.windows import adapters, mpio, qos, stack, storage
from lab.windows.common import Reads, at_least, has, missing, ok


def sections(host: LabHost) -> dict[str, bytes]:
    """Every section body of a host, by name, in the order of the wire."""
    with host.lock:
        return {name: encode(_broken_off(host, name, make(host))) for name, make in _SECTIONS.items()}


def _broken_off(host: LabHost, section: str, reads: Reads) -> Reads:
    """Reads whose provider gave half of its rows and then an error."""
    errors = {read: host.spec.behaviour.broken_off.get(f"{section}/{read}") for read in reads}
    return {
        read: answer
        if errors[read] is None
        else {"status": "failed", "error": errors[read], "rows": answer["rows"][: (len(answer["rows"]) + 1) // 2]}
        for read, answer in reads.items()
    }


def encode(reads: Reads) -> bytes:
    """One section body: compact, ASCII only."""
    return json.dumps(reads, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _system(host: LabHost) -> Reads:
    spec, system, machine = host.spec, host.spec.data["system"], host.spec.data["machine"]
    language = spec.data.get("language", "en")
    release = {"2016": "1607", "2019": "1809", "2022": "2009", "2025": "2009"}.get(spec.data["release"])
    installed = [
        {"DisplayName": "Dell EqualLogic Host Integration Tools", "DisplayVersion": spec.data["hit_kit"], "Publisher": "Dell Inc."}
    ]
    clustered = bool(spec.cluster)
    others = sorted(name for name in _cluster_nodes(host))
    return {
        "Win32_OperatingSystem": ok(
            [
                {
                    "Caption": system["caption"],
                    "Version": system["version"],
                    "BuildNumber": system["build"],
                    "ProductType": 3,
                    "OSLanguage": OS_LANGUAGE[language],
                    "OperatingSystemSKU": 8,
                }
            ]
        ),
        "Win32_ComputerSystem": ok(
            [
                {
                    "Name": spec.name.upper(),
                    "Domain": "corp.example.com",
                    "PartOfDomain": True,
                    "Manufacturer": machine["manufacturer"],
                    "Model": machine["model"],
                    "NumberOfLogicalProcessors": machine["processors"],
                    "TotalPhysicalMemory": machine["memory"],
                }
            ]
        ),
        "registry:CurrentVersion": ok(
            [
                {
                    "ProductName": system["caption"].removeprefix("Microsoft "),
                    "CurrentBuild": system["build"],
                    "UBR": system["ubr"],
                    "EditionID": "ServerDatacenter",
                    "InstallationType": "Server",
                    **({"ReleaseId": release} if release else {}),
                    **({"DisplayVersion": system["display"]} if system["display"] else {}),
                }
            ]
        ),
        "registry:KernelDebugger": ok([{"DebuggerEnabled": host.state["host"]["kernel_debugger"]}]),
        "registry:PendingReboot": ok(
            [{"ComponentBasedServicing": False, "WindowsUpdate": host.state["host"]["pending_reboot"], "FileRenames": False}]
        ),
        "registry:Uninstall": ok(installed if spec.data["hit_kit"] else []),
        "Get-WindowsFeature": ok(
            [
                {
                    "Name": name,
                    "InstallState": "Installed" if has(host, name) or (name == "Failover-Clustering" and clustered) else "Available",
                }
                for name in ("Data-Center-Bridging", "Failover-Clustering", "FS-FileServer", "Hyper-V", "Multipath-IO")
            ]
        ),
        "Get-Cluster": ok([{"Name": spec.cluster, "Id": identity.guid("cluster", spec.cluster)[1:-1].lower()}]) if clustered else ok([]),
        "Get-ClusterNode": ok([{"Name": name.upper(), "State": _node_state(host, name)} for name in others]) if clustered else ok([]),
        "Get-ClusterStorageSpacesDirect": _direct(host),
        "WSMan:Listener": ok(
            [
                {
                    "Transport": "HTTPS",
                    "Port": 5986,
                    "CertificateSha256": identity.digest("winrm", spec.name),
                    "NotAfter": "2030-01-01T00:00:00Z",
                }
            ]
        ),
        "PowerShell": ok([{"PSVersion": system["powershell"], "CLRVersion": "4.0.30319", "Is64Bit": True}]),
    }


def _direct(host: LabHost) -> Reads:
    """Asked only on a member of a cluster; the cmdlet came with 2016."""
    if not host.spec.cluster:
        return ok([])
    if not at_least(host, "2016"):
        return missing("Get-ClusterStorageSpacesDirect")
    return ok([{"State": "Enabled" if host.spec.data.get("s2d") else "Disabled"}])


def _cluster_nodes(host: LabHost) -> list[str]:
    from lab.fleet import load

    return [spec.name for spec in load() if spec.cluster == host.spec.cluster and spec.platform == "windows"] if host.spec.cluster else []


def _node_state(host: LabHost, name: str) -> str:
    return str(host.state["host"].get("cluster_node" if name == host.spec.name else "cluster_others", "Up"))


_SECTIONS: dict[str, Callable[[LabHost], Reads]] = {
    "system": _system,
    "adapters": adapters.adapters,
    "properties": adapters.properties,
    "property_catalogue": adapters.property_catalogue,
    "offload": stack.offload,
    "tcp": stack.tcp,
    "bindings": stack.bindings,
    "iscsi": storage.iscsi,
    "mpio": mpio.mpio,
    "qos": qos.qos,
    "vswitch": qos.vswitch,
    "storage": storage.storage,
    "probes": storage.probes,
}
