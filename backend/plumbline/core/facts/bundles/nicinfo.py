"""`nicinfo.sh` of a vm-support bundle: the list of adapters, then for each the answer of `nic get`, its rings and its statistics."""

import re

import msgspec

_NIC = re.compile(r"^NIC:\s+(\S+)\s*$", re.MULTILINE)
_END = re.compile(r"^(?:Ring parameters for|NIC statistics for|NIC Private statistics)\b", re.MULTILINE)
_RINGS = re.compile(r"^Ring parameters for \S+\s*$", re.MULTILINE)
_QUEUE = re.compile(r"\b([rt])xq\d+\b[^\n]*?\bringSize\s*[=:]\s*(\d+)")
_HEADING = re.compile(r"^Name\s+PCI\b.*$", re.MULTILINE)


class NicBlock(msgspec.Struct, frozen=True):
    """One adapter: what `nic get` printed, an old driver's block of rings, and ring sizes of a native driver's queues (0: not told)."""

    name: str
    get: str
    rings: str
    receive: int
    transmit: int


def read_nicinfo(text: str) -> tuple[str, list[NicBlock]]:
    """The table of adapters, and a block for each."""
    marks = list(_NIC.finditer(text))
    head = text[: marks[0].start()] if marks else text
    heading = _HEADING.search(head)
    table = head[heading.start() :].split("\n\n", 1)[0].rstrip() + "\n" if heading else ""
    blocks = []
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        part = text[mark.end() : following.start() if following else len(text)]
        end = _END.search(part)
        rings = _RINGS.search(part)
        stop = re.search(r"^NIC (?:Private )?statistics\b", part, re.MULTILINE)
        sizes = {side: {int(size) for found, size in _QUEUE.findall(part) if found == side} for side in "rt"}
        blocks.append(
            NicBlock(
                mark.group(1),
                (part[: end.start()] if end else part).strip("\n"),
                part[rings.start() : stop.start() if stop and stop.start() > rings.start() else len(part)] if rings else "",
                *(sizes[side].pop() if len(sizes[side]) == 1 else 0 for side in "rt"),
            )
        )
    return table, blocks
