"""Tables as esxcli and the esxcfg tools print them: by the dashes under the heading, by runs of spaces, or word by word."""

import re
from itertools import pairwise

from plumbline.core.facts.esxi.records import Record, plain, record_of

RULE = re.compile(r"^\s*-{2,}(\s+-+)*\s*$")

# Titles of more than one word, longest first: without them a header whose runs of spaces are gone cannot be taken apart.
_KNOWN_TITLES = (
    "PCI Device,Admin Status,Link Status,MAC Address,DPU Id,MAC Address Valid,Pause Params Supported,Pause RX,Pause TX,"
    "Auto Negotiation,Auto Negotiation Resolution Avail,RX Auto Negotiation Resolution,TX Auto Negotiation Resolution,"
    "RX microseconds,RX maximum frames,TX microseconds,TX Maximum frames,Adaptive RX,Adaptive TX,Sample interval seconds,"
    "IPv4 CSO,IPv4 TSO,IPv6 CSO,IPv6 CSO Ext,IPv6 TSO,IPv6 TSO Ext,Scatter Gather,Scatter Gather MP,Offset Based Offload,"
    "VXLAN Encap,Geneve Offload,High DMA,VLAN Tagging,VLAN Untagging,RX Checksum Offload,TX Checksum Offload,"
    "Virtual Switch,Active Clients,VLAN ID,IPv4 Address,IPv4 Netmask,IPv4 Broadcast,Address Type,DHCP DNS,"
    "Default PSP,Install Date,Acceptance Level,HBA Name,Link State,Current Speed,Max Speed,Max Frame Size,"
    "Compliant Status,Path Status,IPv4 Subnet Mask,Port Group,Port Group/DVPort,Port Group/DVPort/Opaque Network,"
    "IP Address,IP Family,TSO MSS,Switch Name,DVS Name,Num Ports,Used Ports,Configured Ports,PortGroup Name,DVPort ID,In Use"
)
_TITLES = sorted((title.lower().split() for title in _KNOWN_TITLES.split(",")), key=len, reverse=True)

# Columns that hold free text, in the order in which they take surplus words of a collapsed row.
_FREE = ("description", "portgroup", "portgroupdvport", "portgroupname", "name", "vendor")


def _titles_of(header: str) -> list[tuple[str, int]]:
    """Titles of a header line and where each begins."""
    words = [(match.group(0), match.start()) for match in re.finditer(r"\S+", header)]
    lower = [word.lower() for word, _ in words]
    is_spaced = bool(re.search(r"\S\s{2,}\S", header))
    found: list[tuple[str, int]] = []
    position = 0
    while position < len(words):
        length = next((len(title) for title in _TITLES if lower[position : position + len(title)] == title), 1)
        start = words[position][1]
        last, last_start = words[position + length - 1]
        if length == 1 and is_spaced and found and not _is_gap(header, start) and _unknown(found[-1][0]):
            # One space between two words that no list has: an unknown title.
            found[-1] = (found[-1][0] + " " + last, found[-1][1])
        else:
            found.append((header[start : last_start + len(last)], start))
        position += length
    return found


def _is_gap(header: str, start: int) -> bool:
    return start < 2 or header[start - 2 : start] == "  "


def _unknown(title: str) -> bool:
    return title.lower() not in (
        "name",
        "link",
        "speed",
        "duplex",
        "driver",
        "pci",
        "mtu",
        "type",
        "value",
        "uplinks",
        "interface",
        "netmask",
        "nic",
    )


def read_table(lines: list[str]) -> list[Record]:
    """Tables with a line of dashes under the header; more than one in a text is read as one after the other."""
    found: list[Record] = []
    rules = [position for position, line in enumerate(lines) if position and RULE.match(line)]
    for number, rule in enumerate(rules):
        header, dashes = lines[rule - 1], lines[rule]
        end = rules[number + 1] - 1 if number + 1 < len(rules) else len(lines)
        spans = [match.span() for match in re.finditer(r"-+", dashes)]
        starts = [start for start, _ in spans]
        stops: list[int | None] = [*starts[1:], None]
        is_aligned = all(header[start - 1 : start] in ("", " ") for start in starts[1:])
        titles = [header[start:stop].strip() for start, stop in zip(starts, stops, strict=True)] if is_aligned else []
        if not titles or not all(titles) or (len(spans) == 1 and re.search(r"\S\s{2,}\S", header)):
            # No column under each run of dashes, or one run under all of them.
            titles = [title for title, _ in _titles_of(header)]
        for line in lines[rule + 1 : end]:
            if not line.strip():
                break
            cells = _aligned(line, titles, spans) or _cells(line, titles, starts)
            if cells:
                found.append(record_of(titles, cells))
    return found


def _aligned(line: str, titles: list[str], spans: list[tuple[int, int]]) -> list[str] | None:
    """The cells of a row that is aligned with its dashes, which are as wide as the column: each cell begins or ends with them. So an empty
    cell stays empty, and two spaces inside a description do not split it."""
    if len(spans) != len(titles) or any(start - end < 2 for (_, end), (start, _) in pairwise(spans)):
        return None
    cells: list[str] = []
    stops: list[int | None] = [*(start for start, _ in spans[1:]), None]
    for title, (start, end), stop in zip(titles, spans, stops, strict=True):
        cell = line[start:stop]
        is_last = stop is None
        if cell.strip() and cell[:1] == " " and start + len(cell.rstrip()) != end:
            return None
        if not is_last and cell.rstrip() and start + len(cell.rstrip()) > (stop or 0) - 2:
            return None
        if not is_last and plain(title) not in _FREE and re.search(r"\S\s{2,}\S", cell):
            # Several columns under one: the row is not where its dashes are.
            return None
        cells.append(cell.strip())
    return cells if not line[: spans[0][0]].strip() else None


def _cells(line: str, titles: list[str], starts: list[int]) -> list[str]:
    """The cells of one row: by runs of spaces, else by column, else by word with the surplus in the column of free text."""
    chunks = re.split(r"\s{2,}", line.strip())
    if len(chunks) == len(titles):
        return chunks
    if len(starts) == len(titles) and all(line[start - 1 : start] in ("", " ") for start in starts[1:]) and "  " in line.strip():
        stops: list[int | None] = [*starts[1:], None]
        return [line[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]
    words = line.split()
    surplus = len(words) - len(titles)
    if surplus < 0:
        # Cells are missing, and it is not known which: the last columns are taken as the empty ones.
        return words + [""] * -surplus if words else []
    keys = [plain(title) for title in titles]
    free = next((keys.index(name) for name in _FREE if name in keys), len(titles) - 1)
    return [*words[:free], " ".join(words[free : free + surplus + 1]), *words[free + surplus + 1 :]]


def read_by_header(lines: list[str]) -> list[Record]:
    """Tables of the esxcfg tools and filtered copies: a header line, no dashes."""
    listed = [line for line in lines if line.strip()]
    if len(listed) < 2:
        return []
    titles = _titles_of(listed[0])
    if len(titles) < 2:
        return []
    names = [title for title, _ in titles]
    starts = [start for _, start in titles]
    return [record_of(names, _cells(line, names, starts)) for line in listed[1:]]
