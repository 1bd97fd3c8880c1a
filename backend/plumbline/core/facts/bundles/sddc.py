"""Get-SDDCDiagnosticInfo: a folder for each node with every cmdlet's objects as CLIXML, and a Get-NetView zip nested in it."""

import re
from collections.abc import Mapping

import msgspec

from plumbline.core.facts.bundles.clixml import Row, is_clixml, read_clixml
from plumbline.core.facts.bundles.hosts import BundledHost, is_secret
from plumbline.core.facts.bundles.members import CMDLETS
from plumbline.core.facts.bundles.net_view import SECTION_OF, is_net_view, read_net_view
from plumbline.core.facts.bundles.windows_host import drop_copies, host_of, set_s2d
from plumbline.core.facts.captures.windows_reads import WindowsReads
from plumbline.core.facts.captures.windows_text import split_properties

_NODE = re.compile(r"^(.*?/)?Node_([^/!]+)/(.*)$")
_PROPERTIES = "Get-NetAdapterAdvancedProperty"


def split_nodes(files: Mapping[str, bytes]) -> tuple[dict[str, dict[str, bytes]], dict[str, bytes]]:
    """Node -> its files, by the folders `Node_<name>`; and the files that are of none."""
    nodes: dict[str, dict[str, bytes]] = {}
    rest: dict[str, bytes] = {}
    for path, content in files.items():
        place = _NODE.match(path)
        if place and (is_clixml(content) or "!" in path or place.group(3).lower().endswith(".txt")):
            nodes.setdefault(place.group(2), {})[path] = content
        else:
            rest[path] = content
    if not any(is_clixml(content) for mine in nodes.values() for content in mine.values()):
        return {}, dict(files)
    return nodes, rest


def collected_at(files: Mapping[str, bytes]) -> str:
    """The time of collection as `GetParameters.XML` tells it: with the zone of the machine."""
    for path, content in files.items():
        if path.lower().endswith("getparameters.xml") and is_clixml(content):
            for row in read_clixml(content)[0]:
                text = str(row.get("TodayDate") or "")
                if re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", text):
                    return text[:19] + (zone.group(0) if (zone := re.search(r"(?:Z|[+-]\d\d:\d\d)$", text)) else "")
    return ""


def cluster_of(files: Mapping[str, bytes]) -> dict[str, tuple[list[Row], str]]:
    """What the root of the collection tells about the cluster: cmdlet -> its objects, and the member."""
    found = {}
    for path, content in files.items():
        command = _cmdlet(path)
        if command in ("Get-Cluster", "Get-ClusterNode") and is_clixml(content):
            found[command] = (read_clixml(content)[0], path)
    return found


def read_node(name: str, files: Mapping[str, bytes], captured_at: str, cluster: Mapping[str, tuple[list[Row], str]]) -> BundledHost:
    """One node: its own objects, and where a Get-NetView lies in its folder, that first."""
    reads = WindowsReads()
    unread = []
    for path in sorted(files):
        command = _cmdlet(path)
        if command and is_clixml(files[path]):
            rows, why = read_clixml(files[path])
            if why:
                unread.append((path, why))
            reads.member = path
            add_rows(reads, command, rows, is_whole=not why)
    for command, (rows, path) in cluster.items():
        reads.member = path
        add_rows(reads, command, rows, is_whole=True)
        if command == "Get-Cluster":
            set_s2d(reads, rows)
    drop_copies(reads)
    nested = {
        path: content for path, content in files.items() if re.search(r"/GetNetView/", path, re.IGNORECASE) and not is_clixml(content)
    }
    if nested and is_net_view(nested):
        host = read_net_view(nested, "", reads)
        return host_of("sddc", name, _reads_of(host), captured_at or host.captured_at, [*unread, *host.unread])
    return host_of("sddc", name, reads, captured_at, unread)


def _reads_of(host: BundledHost) -> WindowsReads:
    reads = WindowsReads()
    reads.sections = {section: msgspec.json.decode(reading.body) for section, reading in host.sections.items()}
    reads.members = dict(host.members)
    return reads


def add_rows(reads: WindowsReads, command: str, rows: list[Row], *, is_whole: bool) -> None:
    """Exported objects of one cmdlet."""
    rows = [{key: value for key, value in row.items() if not is_secret(key)} for row in rows]
    section = SECTION_OF[command]
    if command == _PROPERTIES:
        properties, offers = split_properties(rows)
        reads.add(section, command, properties)
        reads.add("property_catalogue", command, offers)
    else:
        reads.add(section, command, rows)
    if not is_whole:
        reads.sections[section][command] |= {"status": "failed", "error": "the file ends too early"}


def _cmdlet(path: str) -> str:
    name = path.rpartition("/")[2].rpartition("!")[2]
    return CMDLETS.get(name.rpartition(".")[0].lower(), "") if name.lower().endswith(".xml") else ""
