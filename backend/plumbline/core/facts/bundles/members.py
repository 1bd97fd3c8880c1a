"""Which members of a bundle are read: an allow-list by the end of their path. Everything else stays unread.

Files that may hold keys, passwords or accounts are not on it (`/etc/shadow`, `snmp.xml`, `ssl/`, event logs, transcripts, process dumps).
"""

import re
from enum import Enum

from plumbline.core.facts.captures.names import WINDOWS_COMMANDS, names_a_platform

_MIB = 1024 * 1024

# --- vm-support -----------------------------------------------------------------------------------------------------------------------

# Names of the files of commands, as vm-support makes them of a command line: base name, `_`, the other words joined by `-`.
_ESXI_NAMES = """
uname_-a vmware_-vl date nicinfo.sh esxcfg-vmknic_-l esxcfg-vswitch_-l esxcfg-route_-l esxcfg-nics_-l esxcfg-info_-a--F-xml
esxcfg-mpath_-b esxcfg-mpath_-l vmware-vimdump_-o----U-dcui vmkiscsid_--dump-db vmkfstools_-P--v-10-bootbank lspci_-v lspci_-p
lspci_-n localcli_iscsi-software-get localcli_iscsi-adapter-list localcli_iscsi-networkportal-list
localcli_iscsi-logicalnetworkportal-list localcli_iscsi-physicalnetworkportal-list localcli_iscsi-session-list
localcli_iscsi-session-connection-list localcli_iscsi-adapter-target-portal-list localcli_iscsi-ibftboot-get
localcli_storage-nmp-device-list localcli_storage-nmp-path-list localcli_storage-core-path-list
localcli_storage-core-device-list localcli_storage-core-adapter-list localcli_storage-nmp-satp-list localcli_software-vib-list
localcli_software-profile-get localcli_system-settings-advanced-list--d localcli_system-settings-kernel-list--d
localcli_network-ip-connection-list localcli_network-ip-interface-list localcli_network-ip-interface-ipv4-get
localcli_network-ip-route-ipv4-list localcli_network-nic-list localcli_network-nic-pauseParams-list
localcli_network-nic-tso-get localcli_network-nic-cso-get localcli_network-nic-coalesce-get
localcli_network-vswitch-standard-list localcli_network-vswitch-dvs-vmware-list
localcli_network-vswitch-standard-portgroup-list localcli_system-version-get localcli_system-hostname-get
localcli_system-maintenanceMode-get localcli_hardware-platform-get localcli_hardware-pci-list
"""
ESXI_COMMANDS = frozenset(_ESXI_NAMES.split())
# Paths of a vm-support bundle below its top folder.
_VM_SUPPORT = re.compile(r"(?:^|/)(?:(commands|json)/([^/]+)|etc/vmware/esx\.conf|bootbank/boot\.cfg|(README|action\.log|error\.log))$")
_PART = re.compile(r"\.FRAG-\d{5}$")
_COPY = re.compile(r"^\d{1,2}\.(?=[A-Za-z])")
# Folders of a vm-support bundle, below which nothing else is read.
_HOST_FOLDERS = re.compile(r"(?:^|/)(?:etc|var|proc|vmfs|usr|bootbank|altbootbank|commands|json|lib64)/")

# --- Windows --------------------------------------------------------------------------------------------------------------------------

# File stem in lower case, with or without the dashes of the cmdlet -> the cmdlet.
CMDLETS: dict[str, str] = {
    written: command
    for commands in WINDOWS_COMMANDS.values()
    for command in commands
    if re.fullmatch(r"(?:Get-|Win32_)\w+", command)
    for written in {command.lower(), command.lower().replace("-", "")}
}
_NET_VIEW_ROOT = frozenset(("environment", "metadata", "get-computerinfo", "get-ciminstance.win32_pnpsigneddriver"))
# What `dism` prints of the features, beside which much else lies that is not read.
_FEATURES = re.compile(r"(?:^|[/!])ServicesDrivers/dism[^/]*\.txt$", re.IGNORECASE)
_SDDC_ROOT = frozenset(("getparameters", "getcluster", "getclusternode", "getdrivers"))
_EXCEL = re.compile(r"(?:^|[/!])xl/(?:workbook\.xml|sharedStrings\.xml|worksheets/sheet\d+\.xml|_rels/workbook\.xml\.rels)$")
_RVTOOLS = re.compile(r"RVTools_tabv\w+\.csv$", re.IGNORECASE)
_GENERIC = re.compile(r"\.(?:txt|log|out|csv|json|xml|checkin)$", re.IGNORECASE)
# Places of a Windows collector that hold transcripts, event logs and people's data.
_WINDOWS_FOLDERS = re.compile(r"(?:^|[/!])(?:_Logs|winevt|WER|Pktmon|Counters|HNS|Netsh|ServicesDrivers)/", re.IGNORECASE)
_NEVER = re.compile(
    r"transcript|netshdump|scheduledtask|eventlog|\.evtx$|\.dmp$|hkcu\.reg$|hku\.reg$|passwd|shadow$|rui\.key$|snmp\.xml$", re.IGNORECASE
)


class Want(Enum):
    """How a member is read: whole and at most so many MiB, or a registry export, of which only some keys are kept."""

    WHOLE = 64
    OUTPUT = 16
    REGISTRY = 8

    @property
    def most_bytes(self) -> int:
        """The most bytes of it that are kept."""
        return self.value * _MIB


def want(path: str) -> Want | None:
    """How the member of this path is read; None where it is not on the list."""
    name = path.rpartition("/")[2].rpartition("!")[2]
    lower = name.lower()
    if lower == "hklm.reg":
        return Want.REGISTRY
    if _NEVER.search(lower):
        return None
    place = _VM_SUPPORT.search(path)
    if place is not None:
        if place.group(1) is None:
            return Want.WHOLE
        return Want.WHOLE if command_of_file(place.group(2)) else None
    if _EXCEL.search(path) or _RVTOOLS.search(name):
        return Want.WHOLE
    if _FEATURES.search(path):
        return Want.OUTPUT
    stem = lower.rpartition(".")[0]
    if stem in CMDLETS or stem in _SDDC_ROOT or stem in _NET_VIEW_ROOT:
        return Want.WHOLE if lower.endswith((".txt", ".xml")) else Want.OUTPUT
    if _HOST_FOLDERS.search(path) or _WINDOWS_FOLDERS.search(path):
        return None
    return Want.OUTPUT if _GENERIC.search(lower) or names_a_platform(name) else None


def command_of_file(name: str) -> str:
    """The name of the command's file without ending, part number and copy number; empty where it is not on the list."""
    bare = _COPY.sub("", _PART.sub("", name))
    bare = re.sub(r"\.(?:txt|json)$", "", bare)
    if bare.startswith("esxcli_"):
        bare = "localcli_" + bare.removeprefix("esxcli_")
    return bare if bare in ESXI_COMMANDS else ""
