"""The command in the name of a captured output: `<platform>__<command words joined by ->__<anything>.<ending>`.

The command is the longest known beginning of the middle part, however its words are joined and written; what is left of it is a variant (a
view, a filter, or the adapter it was run for). A name that is not known is listed, never guessed.
"""

import re
from functools import cache
from typing import Literal, get_args

import msgspec

from plumbline.core.facts.configuration import Platform
from plumbline.core.facts.esxi.sources import ALIASES, COMMANDS

Format = Literal["xml", "json", "keyvalue", "csv", "text"]
_FORMATS: dict[str, Format] = {name: name for name in get_args(Format)}
_NAME = re.compile(r"^(windows|esxi)__(.+?)(?:__(.*?))?(?:\.[A-Za-z]{2,4})?$", re.DOTALL | re.IGNORECASE)
_FORMATTER = re.compile(r"^(?:esxcli|localcli)(?:-debug)?-(?:formatter|format|f)-(xml|json|keyvalue|csv)-", re.IGNORECASE)
# What may precede a class or a cmdlet without being a part of its name.
_BEFORE = re.compile(
    r"^(?:(?:powershell|pwsh)(?:-exe)?-(?:(?:noprofile|noninteractive)-)*(?:(?:command|c)-)?)?"
    r"(?:(?:get-ciminstance|get-wmiobject|gwmi|gcim)-(?:namespace-root-\w+-)?(?:(?:classname|class)-)?)?",
    re.IGNORECASE,
)
# There are several commands for the registry's interfaces.
_INTERFACES = re.compile(r"^(?:reg|registry|get-itemproperty|get-childitem|gp|gci)-(?:.*-)?tcpip-(?:.*-)?interfaces(?:-|$)", re.IGNORECASE)
_JOINTS = re.compile(r"[ _+|=,;\\/:-]+")

# Reads of a Windows check-in, by section: the commands whose text is understood.
WINDOWS_COMMANDS: dict[str, tuple[str, ...]] = {
    "system": (
        "Win32_OperatingSystem", "Win32_ComputerSystem", "Get-WindowsFeature", "Get-Cluster", "Get-ClusterNode",
        "Get-ClusterStorageSpacesDirect",
    ),
    "adapters": (
        "Get-NetAdapter", "Get-NetAdapterHardwareInfo", "Get-NetIPAddress", "Get-NetIPInterface", "Get-NetRoute", "Get-NetLbfoTeam",
        "Get-NetLbfoTeamMember", "Win32_SCSIController",
    ),
    "properties": ("Get-NetAdapterAdvancedProperty", "registry-class-key-params"),
    "offload": (
        "Get-NetAdapterRss", "Get-NetAdapterRsc", "Get-NetAdapterLso", "Get-NetAdapterChecksumOffload", "Get-NetAdapterRdma",
        "Get-NetOffloadGlobalSetting", "netsh int tcp show global",
    ),
    "tcp": ("Get-NetTCPSetting", "Get-NetTransportFilter", "Get-NetTCPConnection", "registry:Tcpip/Parameters/Interfaces"),
    "bindings": ("Get-NetAdapterBinding", "Win32_NetworkAdapterConfiguration"),
    "iscsi": (
        "Get-Service", "Get-InitiatorPort", "Get-IscsiTarget", "Get-IscsiTargetPortal", "Get-IscsiSession", "Get-IscsiConnection",
    ),
    "mpio": (
        "Get-MPIOSetting", "Get-MSDSMGlobalDefaultLoadBalancePolicy", "Get-MSDSMAutomaticClaimSettings", "MPIO_DISK_INFO",
        "DSM_QueryLBPolicy_V2", "mpclaim -s -d",
    ),
    "qos": ("Get-NetAdapterQos", "Get-NetQosPolicy", "Get-NetQosTrafficClass", "Get-NetQosFlowControl", "Get-NetQosDcbxSetting"),
    "vswitch": ("Get-VMSwitch", "Get-VMSwitchTeam", "Get-VMNetworkAdapter", "Get-VMNetworkAdapterTeamMapping"),
    "storage": ("Get-Disk", "Get-VirtualDisk", "Get-SmbMultichannelConnection", "Get-StorageJob"),
}  # fmt: skip
# Other words for the same command.
_WINDOWS_ALIASES = {
    "netsh interface tcp show global": "netsh int tcp show global",
    "netsh tcp show global": "netsh int tcp show global",
    "mpclaim.exe -s -d": "mpclaim -s -d",
    "mpclaim -v": "mpclaim -s -d",
    "mpclaim.exe -v": "mpclaim -s -d",
    "Get-MSDSMAutomaticClaimSetting": "Get-MSDSMAutomaticClaimSettings",
    "Get-ClusterS2D": "Get-ClusterStorageSpacesDirect",
}


class Known(msgspec.Struct, frozen=True):
    """The parts of a file's name: platform, section and command, the rest of the command, the format, and the last part."""

    platform: Platform
    section: str
    command: str
    variant: str
    format: Format = "text"
    remark: str = ""


def names_a_platform(name: str) -> bool:
    """Whether a file's name begins as those of captured outputs do."""
    return name.lower().startswith(("windows__", "esxi__"))


def recognise(name: str) -> Known | None:
    """The command that a file's name begins with; None where no known one is its beginning."""
    match = _NAME.match(name)
    if match is None:
        return None
    platform: Platform = "windows" if match.group(1).lower() == "windows" else "esxi"
    return _known(platform, match.group(2), match.group(3) or "")


def recognise_typed(platform: Platform, line: str) -> Known | None:
    """The command of a line typed at a prompt."""
    line = re.sub(r"^\s*(?:\$\w+\s*=\s*|&\s*|\()+", "", line).strip()
    tool = re.match(r'^"?(?:[A-Za-z]:\\[^"|]*?\\)?(\w+)\.exe"?(.*)$', line, re.IGNORECASE)
    return _known(platform, tool.group(1) + tool.group(2) if tool else line, "") if line else None


def _known(platform: Platform, words: str, remark: str) -> Known | None:
    asked: Format = "text"
    if platform == "esxi":
        words = _JOINTS.sub("-", re.sub(r"^localcli\b", "esxcli", words, flags=re.IGNORECASE)) if _is_formatted(words) else words
        formatter = _FORMATTER.match(words)
        if formatter is not None:
            asked = _FORMATS[formatter.group(1).lower()]
            words = "esxcli-" + words[formatter.end() :]
    else:
        folded = _JOINTS.sub("-", words)
        if _INTERFACES.match(folded):
            return Known(platform, "tcp", "registry:Tcpip/Parameters/Interfaces", "", "text", remark)
        before = _BEFORE.match(folded)
        if before is not None and before.end():
            words = folded[before.end() :]
    for pattern, section, command in _patterns(platform):
        match = pattern.match(words)
        if match is not None:
            return Known(platform, section, command, words[match.end() :].lstrip(" -_+|"), asked, remark)
    return None


def _is_formatted(words: str) -> bool:
    return re.match(r"^(?:localcli\b|esxcli[ _=+-]+(?:debug[ _=+-]+)?(?:formatter|format|f)[ _=+-])", words, re.IGNORECASE) is not None


@cache
def _patterns(platform: Platform) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Every known command as a pattern of its words, the longest first."""
    found: list[tuple[str, str, str]] = []
    if platform == "windows":
        section_of = {command: section for section, commands in WINDOWS_COMMANDS.items() for command in commands}
        found.extend((command, section, command) for command, section in section_of.items())
        found.extend((alias, section_of[command], command) for alias, command in _WINDOWS_ALIASES.items())
    else:
        found.extend((command, section, command) for command, section in COMMANDS.items())
        found.extend((alias, COMMANDS[command], command) for alias, command in ALIASES.items())
    found.sort(key=lambda one: -len(one[0]))
    return tuple((_pattern(words), section, command) for words, section, command in found)


def _pattern(command: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in re.split(r"[ _:/.-]+", command) if word]
    return re.compile(r"[ _:/.+=-]+".join(words) + r"(?=[ _+|=.-]|$)", re.IGNORECASE)
