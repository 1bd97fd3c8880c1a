"""Microsoft's Get-NetView as the reads of a check-in: one file for each cmdlet, the runs of several commands one after another.

    Administrator @ S2D01:
    PS C:\\> Get-NetAdapterRss -Name "SAN1" -IncludeHidden | Format-List -Property *

A run that lists every property is used and the same cmdlet's tables beside it are not: they are the same data.
"""

import re
from collections.abc import Mapping

from plumbline.core.facts.bundles.hosts import BundledHost, text_of
from plumbline.core.facts.bundles.members import CMDLETS
from plumbline.core.facts.bundles.windows_host import drop_copies, host_of, set_registry
from plumbline.core.facts.captures.names import WINDOWS_COMMANDS, Known
from plumbline.core.facts.captures.windows_reads import WindowsReads, add_printed
from plumbline.core.facts.captures.windows_text import Typed, split_typed
from plumbline.core.facts.captures.windows_text.lists import read_records

# `account @ COMPUTER:` above each prompt. The account is a person's and is not kept.
FRAME = re.compile(r"^[^\n@]{0,100} @ ([A-Za-z0-9_.-]{1,64}):\s*$", re.MULTILINE)
_FAILED = re.compile(r"^\s*\[(Failed|Unavailable|NotRun)\]\s*$")
# Each adapter's folder asks for that adapter: together the folders show all of them.
_SCOPE = re.compile(r"""\s-(?:Name|Id|InterfaceDescription|InterfaceIndex|InterfaceAlias)\s+(?:"[^"]*"|'[^']*'|\S+)""")
_WORDS = {
    "Failed": ("failed", "the command failed when the bundle was collected"),
    "Unavailable": ("unavailable", "this host does not have the command"),
    "NotRun": ("failed", "not run when the bundle was collected: it was over the time limit"),
}
SECTION_OF = {command: section for section, commands in WINDOWS_COMMANDS.items() for command in commands}
_NAME_DATE = re.compile(r"msdbg\.[^/!]*-(\d{4})\.(\d\d)\.(\d\d)_")


def is_net_view(files: Mapping[str, bytes]) -> bool:
    """Whether these files are framed as Get-NetView frames them."""
    return any(FRAME.search(text_of(content[:400])) for path, content in files.items() if _cmdlet(path))


def read_net_view(files: Mapping[str, bytes], bundle: str, reads: WindowsReads | None = None) -> BundledHost:
    """The host of one collection. `reads`: what another collector already read of the same host; its reads come after these."""
    gathered = WindowsReads()
    names: list[str] = []
    unread: list[tuple[str, str]] = []
    for path in sorted(files, key=lambda one: (one.count("/"), one)):
        text = text_of(files[path])
        names.extend(FRAME.findall(text))
        command = _cmdlet(path)
        if command:
            gathered.member = path
            problem = _file(gathered, command, text)
            if problem:
                unread.append((path, problem))
        elif path.lower().endswith("get-computerinfo.txt"):
            _computer(gathered, path, text)
        elif re.search(r"/dism[^/]*\.txt$", path, re.IGNORECASE):
            _features(gathered, path, text)
    drop_copies(gathered)
    set_registry(gathered, files)
    if reads is not None:
        for (section, command), member in reads.members.items():
            if gathered.sections.get(section, {}).get(command, {}).get("status") != "ok":
                gathered.sections.setdefault(section, {})[command] = reads.sections[section][command]
                gathered.members[section, command] = member
    date = _NAME_DATE.search("\n".join([bundle, *files]))
    return host_of("get-netview", names[0] if names else "", gathered, "-".join(date.groups()) if date else "", unread)


def _cmdlet(path: str) -> str:
    name = path.rpartition("/")[2].rpartition("!")[2]
    return CMDLETS.get(name[:-4].lower(), "") if name.lower().endswith(".txt") else ""


def _file(reads: WindowsReads, command: str, text: str) -> str:
    """Adds what one file says of its cmdlet; the reason where nothing could be read."""
    runs = [part for part in split_typed(FRAME.sub("", text)) if part.line and _is_of(command, part.line)]
    if not runs:
        return f"no run of {command} is in it"
    # Properties picked out of the objects (`Select-Object -ExpandProperty`) are no rows of the cmdlet.
    usable = [run for run in runs if "-expandproperty" not in run.line.lower()] or runs
    run = next((one for one in usable if one.shows_all and any(line.strip() for line in one.printed)), usable[0])
    section = SECTION_OF[command]
    failed = next((_FAILED.match(line) for line in run.printed if line.strip()), None)
    if failed:
        status, words = _WORDS[failed.group(1)]
        if reads.sections.get(section, {}).get(command, {}).get("status") != "ok":
            reads.fail(section, command, status, words)
            reads.members.setdefault((section, command), reads.member)
        return ""
    if not any(line.strip() for line in run.printed):
        # It ran and listed nothing.
        reads.add(section, command, [])
        return ""
    return add_printed(reads, Known("windows", section, command, ""), Typed(_SCOPE.sub("", run.line), run.printed))


def _is_of(command: str, line: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(command)}(?![\w-])", line, re.IGNORECASE) is not None


# Names of dism -> those of the server's features.
_FEATURES = {"multipathio": "Multipath-IO", "datacenterbridging": "Data-Center-Bridging", "microsoft-hyper-v": "Hyper-V"}
_FEATURE = re.compile(r"^[^:\n]+ : ([\w-]+)[ \t]*\n[^:\n]+ : (Enabled|Disabled|Disabled with Payload Removed)[ \t]*$", re.MULTILINE)


def _features(reads: WindowsReads, path: str, text: str) -> None:
    """`dism /online /get-features`: two lines for each feature; its states are read in English only."""
    rows = [
        {"Name": _FEATURES[name.lower()], "InstallState": "Installed" if state == "Enabled" else "Available"}
        for name, state in _FEATURE.findall(text)
        if name.lower() in _FEATURES
    ]
    if rows:
        reads.member = path
        reads.add("system", "Get-WindowsFeature", rows)
        reads.sections["system"]["Get-WindowsFeature"]["lacks_rows"] = True


def _computer(reads: WindowsReads, path: str, text: str) -> None:
    """`Get-ComputerInfo` tells what the classes of the system tell, under other names."""
    row: dict[str, object] = {}
    for part in split_typed(FRAME.sub("", text)):
        for record in read_records(part.printed):
            row.update(record)
    reads.member = path
    if row.get("OsBuildNumber"):
        reads.add(
            "system",
            "Win32_OperatingSystem",
            [{"Caption": row.get("OsName"), "Version": row.get("OsVersion"), "BuildNumber": row["OsBuildNumber"]}],
        )
    if row.get("CsName"):
        computer = {
            "Name": row["CsName"],
            "Domain": row.get("CsDomain"),
            "Manufacturer": row.get("CsManufacturer"),
            "Model": row.get("CsModel"),
        }
        reads.add("system", "Win32_ComputerSystem", [computer])
