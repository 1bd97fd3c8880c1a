"""Adapters, switches and routes of an ESXi host from a vm-support bundle."""

import json
import re
from typing import Any

from plumbline.core.facts.bundles.esx_conf import teaming
from plumbline.core.facts.bundles.hosts import text_of
from plumbline.core.facts.bundles.nicinfo import read_nicinfo
from plumbline.core.facts.bundles.parts import File
from plumbline.core.facts.bundles.vm_support_files import NOT_RUN, BundleFiles
from plumbline.core.facts.esxi import nic_tuning, nics, vmkernel, vswitch
from plumbline.core.facts.esxi.entries import command_of
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.core.facts.esxi.values import pci_location


def set_nics(files: BundleFiles) -> str:
    """Adapters, their pause flags, rings and PCI ids; returns the table of adapters."""
    table = ""
    file = files.file("nicinfo.sh")
    if file is None:
        if not files.reads.has(nics.NICS_OLD):
            files.reads.missing(nics.NIC_LIST, files.why_missing("nicinfo.sh"))
    else:
        member = files.path(file)
        table, blocks = read_nicinfo(text_of(file.content))
        if table:
            files.reads.text(nics.NIC_LIST, table, member)
        else:
            files.reads.missing(nics.NIC_LIST, f"{member} holds no table of adapters")
        for block in blocks[:-1] if file.is_cut else blocks:
            line = f"{nics.NIC_GET} -n {block.name}"
            if rows_of(block.get) and "Driver" in block.get:
                files.reads.text(nics.NIC_GET, block.get, member, line=line)
            else:
                files.reads.missing(
                    nics.NIC_GET, f"{member}: {(block.get.strip().split(chr(10)) or [''])[0][:120] or 'nothing'}", line=line
                )
            if block.rings:
                files.reads.text(nic_tuning.RING_OLD, block.rings, member, line=f"{nic_tuning.RING_OLD} {block.name}")
            elif block.receive or block.transmit:
                sizes = {"RX": block.receive or "", "TX": block.transmit or ""}
                files.reads.records(nic_tuning.RING_CURRENT, sizes, member, line=f"{nic_tuning.RING_CURRENT} -n {block.name}")
    for command in (nic_tuning.TSO, nic_tuning.CSO, nic_tuning.COALESCE):
        files.reads.missing(command, NOT_RUN)
    files.reads.missing(nic_tuning.RING_CURRENT, NOT_RUN)
    _pci(files)
    return table


def _pci(files: BundleFiles) -> None:
    """PCI ids: by the host's API, else by the two lines that `lspci -v` prints of each device."""
    devices = files.dump.get("vim.host.PciDevice", [])
    listed = [
        {
            "Address": place,
            "Vendor ID": f"0x{int(device['vendorId']) & 0xFFFF:04x}",
            "Device ID": f"0x{int(device['deviceId']) & 0xFFFF:04x}",
        }
        for device in devices
        if isinstance(device.get("vendorId"), int) and isinstance(device.get("deviceId"), int)
        if (place := pci_location(_with_segment(str(device.get("id") or ""))))
    ]
    if listed and files.dump_file:
        files.reads.records(nics.PCI_DEVICES, listed, files.path(files.dump_file))
        return
    file = files.file("lspci_-v")
    if file is None:
        if not any(files.reads.has(command) for command in (nics.PCI_LIST, nics.PCI_LIST_SHORT, nics.PCI_DEVICES)):
            files.reads.missing(nics.PCI_LIST, files.why_missing("lspci_-v"))
        return
    found = re.findall(
        r"^([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])\b([^\n]*)\n\s+Class [0-9a-f]{4}: ([0-9a-f]{4}):([0-9a-f]{4})\b",
        text_of(file.content),
        re.MULTILINE | re.IGNORECASE,
    )
    listed = [{"Address": place, "Vendor ID": f"0x{vendor}", "Device ID": f"0x{device}"} for place, _, vendor, device in found]
    if listed:
        files.reads.records(nics.PCI_DEVICES, listed, files.path(file))
    else:
        files.reads.missing(nics.PCI_LIST, f"{files.path(file)} shows no PCI ids")


def set_switches(files: BundleFiles) -> None:
    """Virtual switches, VMkernel interfaces, and which uplinks each port group may use."""
    if not files.reads.has(vswitch.STANDARD_OLD) and not files.reads.has(vswitch.STANDARD):
        files.reads.missing(vswitch.STANDARD_OLD, files.why_missing("esxcfg-vswitch_-l"))
    if not files.reads.has(vmkernel.INTERFACES_OLD) and not files.reads.has(vmkernel.INTERFACES):
        files.reads.missing(vmkernel.INTERFACES_OLD, files.why_missing("esxcfg-vmknic_-l"))
    found: dict[str, tuple[tuple[list[str], list[str], list[str]], File]] = {}
    for policies, file in (
        (_dumped_teaming(files.dump), files.dump_file),
        (files.info.teaming, files.info_file),
        (teaming(files.conf), files.conf_file),
    ):
        for group, policy in policies.items():
            if file is not None:
                found.setdefault(group, (policy, file))
    for group, (policy, file) in found.items():
        row = dict(zip(("Active Adapters", "Standby Adapters", "Unused Adapters"), policy, strict=True))
        line = f"{vswitch.FAILOVER} -p {json.dumps(group)}"
        if command_of(line).options.get("-p") == group:
            files.reads.records(vswitch.FAILOVER, row, files.path(file), line=line)


def set_routes(files: BundleFiles) -> None:
    """The table of routes."""
    file = files.file("esxcfg-route_-l")
    if file is None:
        if not files.reads.has(vmkernel.ROUTES):
            files.reads.missing(vmkernel.ROUTES, files.why_missing("esxcfg-route_-l"))
        return
    found = [
        {"Network": network, "Netmask": mask, "Gateway": gateway, "Interface": vmk}
        for network, mask, gateway, vmk in re.findall(
            r"^(default|\d+\.\d+\.\d+\.\d+)\s+(\d+\.\d+\.\d+\.\d+)\s+(Local Subnet|\d+\.\d+\.\d+\.\d+)\s+(vmk\d+)\s*$",
            text_of(file.content),
            re.MULTILINE | re.IGNORECASE,
        )
    ]
    if found:
        files.reads.records(vmkernel.ROUTES, found, files.path(file))
    else:
        files.reads.missing(vmkernel.ROUTES, f"{files.path(file)} holds no route that could be read")


def _with_segment(place: str) -> str:
    return place if place.count(":") > 1 else "0000:" + place


def _dumped_teaming(dump: dict[str, list[dict[str, Any]]]) -> dict[str, tuple[list[str], list[str], list[str]]]:
    """The uplinks of each port group by the host's API: the policy in force where it is told, else the group's or the switch's own."""
    switches: dict[str, tuple[list[str], Any]] = {}
    for switch in dump.get("vim.host.VirtualSwitch", []):
        pnics = [str(one).rpartition("-")[2] for one in switch.get("pnic") or [] if isinstance(one, str)]
        switches[str(switch.get("name"))] = (pnics, _order(switch.get("spec")))
    found: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for group in dump.get("vim.host.PortGroup", []):
        spec: dict[str, Any] = group["spec"] if isinstance(group.get("spec"), dict) else {}
        name, on = str(spec.get("name") or ""), str(spec.get("vswitchName") or "")
        uplinks, inherited = switches.get(on, ([], None))
        order = _order({"policy": group.get("computedPolicy")}) or _order(spec) or inherited
        if name and order is not None:
            found.setdefault(name, (*order, [one for one in uplinks if one not in order[0] and one not in order[1]]))
    return found


def _order(spec: Any) -> tuple[list[str], list[str]] | None:
    for step in ("policy", "nicTeaming", "nicOrder"):
        spec = spec.get(step) if isinstance(spec, dict) else None
    if not isinstance(spec, dict) or not isinstance(spec.get("activeNic"), list):
        return None
    standby = spec.get("standbyNic")
    return [str(one) for one in spec["activeNic"]], [str(one) for one in standby] if isinstance(standby, list) else []
