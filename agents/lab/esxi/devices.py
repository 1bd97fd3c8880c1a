"""Devices, paths and multipathing of an ESXi lab host."""

from typing import Any

from lab import identity
from lab.esxi.common import Answers, is_at_least
from lab.esxi.iscsi import hbas, iqn_of, live_paths, volumes
from lab.esxi.output_formats import Answer, records, single, table, text
from lab.host import LabHost

_ROUND_ROBIN_IOPS = 1000


def path_policy(host: LabHost, naa: str) -> str:
    """The path selection policy of a volume: what was set, else what the toolkit or the array's SATP brings."""
    brought = "DELL_PSP_EQL_ROUTED" if host.spec.data["mem"] else "VMW_PSP_RR"
    return str(host.state.setdefault("policies", {}).get(naa, brought))


def round_robin_limit(host: LabHost, naa: str) -> int:
    """Commands that go down one path before the next one's turn."""
    return int(host.state.setdefault("round_robin_iops", {}).get(naa, _ROUND_ROBIN_IOPS))


def _policy_config(host: LabHost, naa: str, psp: str, working: list[str]) -> str:
    """What each policy shows of itself: round robin from 5.0 and 6.0, most recently used from 6.0, fixed and the vendor's of 2012."""
    path = working[0] if working else ""
    if psp == "VMW_PSP_RR":
        limit = round_robin_limit(host, naa)
        policy = "rr" if limit == _ROUND_ROBIN_IOPS else "iops"
        return f"{{policy={policy},iops={limit},bytes=10485760,useANO=0; lastPathIndex=0: NumIOsPending=0,numBytesPending=0}}"
    if psp == "VMW_PSP_FIXED":
        return f"{{preferred={path};current={path}}}"
    return f"Current Path={path}" if psp == "VMW_PSP_MRU" else f"PSP {psp} does not support device configuration."


def devices(host: LabHost) -> Answers:
    """Devices, paths and multipathing, with a local disk, so that readers have to check the transport.

    nmp device list from 5.0 and 6.0; paths of 2015 with a Compellent and from 8.0 with HPP; SATPs from 6.0; HBAs from 5.5 U3. Extents from
    5.5 U3 and 6.7. Of device statistics no output was seen.
    """
    answers: Answers = {}
    mem = bool(host.spec.data["mem"])
    live = live_paths(host)
    local = "naa.6003048" + identity.digest("local", host.spec.name)[:25]
    nmp, cores, paths = [], [], []
    for name, naa in volumes(host):
        volume_paths = [path for path in live if path["volume"] == name]
        alive = [path for path in volume_paths if path["alive"]]
        display = f"EQLOGIC iSCSI Disk ({naa})"
        psp = path_policy(host, naa)
        nmp.append(
            {
                "Device": naa,
                "Device Display Name": display,
                "Storage Array Type": "VMW_SATP_EQL",
                "Storage Array Type Device Config": "SATP VMW_SATP_EQL does not support device configuration.",
                "Path Selection Policy": psp,
                "Path Selection Policy Device Config": _policy_config(host, naa, psp, [path["runtime"] for path in alive]),
                "Path Selection Policy Device Custom Config": "",
                "Working Paths": [path["runtime"] for path in alive],
                "Is USB": False,
            }
        )
        if psp == "VMW_PSP_RR":
            is_new = is_at_least(host, "6.7")
            # From 6.0, and from 6.7 what was added.
            row = {
                "Byte Limit": 10485760,
                "Device": naa,
                "IOOperation Limit": round_robin_limit(host, naa),
                **({"Latency Evaluation Interval": "0 milliseconds"} if is_new else {}),
                "Limit Type": "Default" if round_robin_limit(host, naa) == _ROUND_ROBIN_IOPS else "Iops",
                **({"Number Of Sampling IOs Per Path": 0} if is_new else {}),
                "Use Active Unoptimized Paths": False,
            }
            answers[f"esxcli storage nmp psp roundrobin deviceconfig get -d {naa}"] = single("RoundRobinConfig", row)
        cores.append(_core(host, naa, display, identity.volume_size(name) // 1048576, is_local=False))
        # A plug-in of another vendor that lists no path: the sessions and the device are there, its paths are not.
        for path in () if host.is_hidden(name) else volume_paths:
            iqn = iqn_of(host, path["hba"])
            uid = f"{iqn}-{path['isid']},{path['iqn']},t,1-{naa}"
            paths.append(
                {
                    "UID": uid,
                    "Runtime Name": path["runtime"],
                    "Device": naa if path["alive"] else "No associated device",
                    "Device Display Name": display,
                    "Adapter": path["hba"],
                    "Channel": path["channel"],
                    "Target": path["target"],
                    "LUN": 0,
                    "Plugin": "NMP",
                    "State": "standby" if path["standby"] else "active" if path["alive"] else "dead",
                    "Transport": "iscsi",
                    "Adapter Identifier": iqn,
                    "Target Identifier": f"{path['isid']},{path['iqn']},t,1",
                    "Adapter Transport Details": iqn if path["alive"] else "Unavailable or path is unclaimed",
                    "Target Transport Details": f"IQN={path['iqn']} Alias= Session={path['isid']} PortalTag=1"
                    if path["alive"]
                    else "Unavailable or path is unclaimed",
                    "Maximum IO Size": 131072,
                }
            )
            if not path["alive"]:
                paths[-1]["Device"] = naa
    cores.append(_core(host, local, f"Local DELL Disk ({local})", 285568, is_local=True))
    paths.append(
        {
            "UID": f"sas.5b8ca3a0e7e9c000-sas.0-{local}",
            "Runtime Name": "vmhba0:C2:T0:L0",
            "Device": local,
            "Device Display Name": "Local DELL Disk",
            "Adapter": "vmhba0",
            "Channel": 2,
            "Target": 0,
            "LUN": 0,
            "Plugin": "HPP" if is_at_least(host, "7.0") else "NMP",
            "State": "active",
            "Transport": "parallel",
            "Adapter Identifier": "sas.5b8ca3a0e7e9c000",
            "Target Identifier": "sas.0",
            "Adapter Transport Details": "5b8ca3a0e7e9c000",
            "Target Transport Details": "0",
            "Maximum IO Size": 262144,
        }
    )
    if not is_at_least(host, "7.0"):
        nmp.append(
            {
                "Device": local,
                "Device Display Name": "Local DELL Disk",
                "Storage Array Type": "VMW_SATP_LOCAL",
                "Storage Array Type Device Config": "SATP VMW_SATP_LOCAL does not support device configuration.",
                "Path Selection Policy": "VMW_PSP_FIXED",
                "Path Selection Policy Device Config": "{preferred=vmhba0:C2:T0:L0;current=vmhba0:C2:T0:L0}",
                "Path Selection Policy Device Custom Config": "",
                "Working Paths": ["vmhba0:C2:T0:L0"],
                "Is USB": False,
            }
        )
    adapters = [
        {
            "HBA Name": "vmhba0",
            "Driver": "megaraid_sas",
            "Link State": "link-n/a",
            "UID": "sas.5b8ca3a0e7e9c000",
            **_capabilities(host),
            "Description": "(0000:02:00.0) LSI / Symbios Logic MegaRAID SAS Invader Controller",
        }
    ]
    for hba, uplink in hbas(host).items():
        # From 5.5 U3 with bnx2i.
        is_used = hba in host.state["initiators"]
        adapters.append(
            {
                "HBA Name": hba,
                "Driver": "bnx2i" if uplink else "iscsi_vmk",
                "Link State": "online" if is_used else "unbound",
                "UID": iqn_of(host, hba) if is_used else f"iscsi.{hba}",
                **_capabilities(host),
                "Description": "QLogic 57810 10 Gigabit Ethernet Adapter" if uplink else "iSCSI Software Adapter",
            }
        )
    satp = [
        ("VMW_SATP_EQL", "DELL_PSP_EQL_ROUTED" if mem else "VMW_PSP_RR", "Supports EqualLogic arrays"),
        ("VMW_SATP_DEFAULT_AA", "VMW_PSP_FIXED", "Supports non-specific active/active arrays"),
        ("VMW_SATP_LOCAL", "VMW_PSP_FIXED", "Supports direct attached devices"),
    ]
    return {
        **answers,
        "esxcli storage nmp device list": records("NmpDevice", "Device", nmp, hidden=("Device",)),
        "esxcli storage core path list": records("ScsiPath", "UID", paths),
        "esxcli storage core device list": records("ScsiDevice", "Device", cores, hidden=("Device",)),
        "esxcli storage vmfs extent list": table(
            "VMFSExtent",
            [_extent("datastore1", local, host), *(_extent(name, naa, host) for name, naa in volumes(host))],
        ),
        "esxcli storage core adapter list": table("StorageAdapter", adapters),
        "vmkfstools -P /bootbank": _boot_bank(host, local),
        "esxcli storage nmp satp list": table(
            "Satp", [{"Name": name, "Default PSP": psp, "Description": words} for name, psp, words in satp]
        ),
        **_device_statistics(host),
    }


def _boot_bank(host: LabHost, disk: str) -> Answer:
    """From 6.x: the file system of the boot files, on the local disk."""
    mark = identity.digest("bootbank", host.spec.name)
    return text(
        "vfat-0.04 (Raw Major Version: 0) file system spanning 1 partitions.\nFile system label (if any): \nMode: private\n"
        "Capacity 261853184 (63929 file blocks * 4096), 103014400 (25150 blocks) avail, max supported file size 0\n"
        f"Disk Block Size: 512/0/0\nUUID: {mark[:8]}-{mark[8:16]}-{mark[16:20]}-{mark[20:32]}\n"
        f'Partitions spanned (on "disks"):\n\t{disk}:5\nIs Native Snapshot Capable: NO\n'
    )


def _extent(name: str, device: str, host: LabHost) -> dict[str, Any]:
    mark = identity.digest("vmfs", host.spec.group if name in host.state["volumes"] else host.spec.name, name)
    uuid = f"{mark[:8]}-{mark[8:16]}-{mark[16:20]}-{mark[20:32]}"
    return {"Volume Name": name, "VMFS UUID": uuid, "Extent Number": 0, "Device Name": device, "Partition": 1}


def _capabilities(host: LabHost) -> dict[str, Any]:
    """A column that came after 5.5."""
    return {"Capabilities": "Second Level Lun ID"} if is_at_least(host, "6.7") else {}


def _core(host: LabHost, naa: str, display: str, size_mb: int, *, is_local: bool) -> dict[str, Any]:
    """From 5.x, and from 6.5 what was added: the boot device is listed since 5.5 U3, so the release of the paper lacks it."""
    is_new = is_at_least(host, "6.7")
    return {
        "Device": naa,
        "Display Name": display,
        "Has Settable Display Name": True,
        "Size": size_mb,
        "Device Type": "Direct-Access",
        "Multipath Plugin": "HPP" if is_local and is_at_least(host, "7.0") else "NMP",
        "Devfs Path": f"/vmfs/devices/disks/{naa}",
        "Vendor": "DELL" if is_local else "EQLOGIC",
        "Model": "PERC H710" if is_local else "100E-00",
        "Revision": "3.13" if is_local else "8.1",
        "SCSI Level": 5,
        "Is Pseudo": False,
        "Status": "on",
        "Is RDM Capable": not is_local,
        "Is Local": is_local,
        "Is Removable": False,
        "Is SSD": False,
        **({"Is VVOL PE": False} if is_new else {}),
        "Is Offline": False,
        "Is Perennially Reserved": False,
        "Queue Full Sample Size": 0,
        "Queue Full Threshold": 0,
        "Thin Provisioning Status": "unknown" if is_local else "yes",
        "Attached Filters": "",
        "VAAI Status": "unsupported" if is_local else "supported",
        "Other UIDs": f"vml.02000000{naa.removeprefix('naa.')}",
        **({"Is Shared Clusterwide": not is_local} if is_new else {}),
        "Is Local SAS Device": is_local,
        **({"Is SAS": is_local, "Is USB": False} if is_new else {}),
        "Is Boot USB Device": False,
        **({"Is Boot Device": is_local, "Device Max Queue Depth": 128} if is_new else {}),
        "No of outstanding IOs with competing worlds": 32,
    }


def _device_statistics(host: LabHost) -> Answers:
    answers: Answers = {}
    for name, naa in volumes(host):
        counters = host.state["counters"]["volumes"].get(name, {})
        reads, writes = int(counters.get("reads", 0)), int(counters.get("writes", 0))
        answers[f"esxcli storage core device stats get -d {naa}"] = records(
            "DeviceStats",
            "Device",
            [
                {
                    "Device": naa,
                    "Successful Commands": reads + writes,
                    "Blocks Read": int(counters.get("read_bytes", 0)) // 512,
                    "Blocks Written": int(counters.get("write_bytes", 0)) // 512,
                    "Read Operations": reads,
                    "Write Operations": writes,
                    "Reserve Operations": 0,
                    "Reservation Conflicts": 0,
                    "Failed Commands": 0,
                    "Failed Blocks Read": 0,
                    "Failed Blocks Written": 0,
                    "Failed Read Operations": 0,
                    "Failed Write Operations": 0,
                    "Failed Reserve Operations": 0,
                }
            ],
        )
    every = [answer.rows[0] for answer in answers.values()]
    return {**answers, **_device_times(host), "esxcli storage core device stats get": records("DeviceStats", "Device", every)}


def _device_times(host: LabHost) -> Answers:
    """Of the statistics that vsish gives for a device only the lines that are read."""
    answers: Answers = {}
    for name, naa in volumes(host):
        counters = host.state["counters"]["volumes"].get(name, {})
        reads, writes = int(counters.get("read_time_us", 0)), int(counters.get("write_time_us", 0))
        answers[f"vsish -e get /storage/scsifw/devices/{naa}/stats"] = text(
            f"Statistics {{\n   readOps:{int(counters.get('reads', 0))}\n   writeOps:{int(counters.get('writes', 0))}\n"
            "   latency:Latency {\n"
            f"      totalTime:{reads + writes}\n      totalTimeReads:{reads}\n      totalTimeWrites:{writes}\n   }}\n}}\n"
        )
    return answers
