"""Section `advanced`: settings of the TCP/IP stack."""

import re

from plumbline.core.facts.configuration import HOST, Facts
from plumbline.core.facts.esxi.entries import Body, Sink
from plumbline.core.facts.esxi.readers import rows
from plumbline.core.facts.esxi.values import as_int

ADVANCED = "esxcli system settings advanced list"
ADVANCED_OLD = "esxcfg-advcfg -g"

KEYS = {"/Net/TcpipDefLROEnabled": "net.lro", "/Net/UseHwTSO": "net.hw_tso", "/Net/UseHwTSO6": "net.hw_tso6"}


def parse(body: Body) -> Facts:
    """0 is off, 1 is on; a path that the release does not have is not offered."""
    sink = Sink(body)
    for entry in body.each(ADVANCED):
        records = rows(entry)
        if not records:
            key = KEYS.get(entry.command.options.get("-o", ""))
            if key is not None:
                sink.unknown(HOST, (key,), entry.why_not if not entry.is_ok else f"{entry.line}: nothing could be read from it", entry)
            continue
        for record in records:
            path = record.get("Path") or entry.command.options.get("-o", "")
            key = KEYS.get(path)
            value = as_int(record.get("Int Value"))
            if key is None:
                continue
            raw = record.get("Int Value") or ""
            if value in (0, 1):
                sink.value(HOST, key, "enabled" if value else "disabled", entry, record.title("Int Value"), raw)
            else:
                sink.unknown(HOST, (key,), f"{path} reads {raw!r}", entry)
    for entry in body.each(ADVANCED_OLD):
        # `Value of UseHwTSO is 1`: only the last part of the path.
        match = re.search(r"^\s*Value of (\w+) is (-?\d+)\s*$", entry.output, re.MULTILINE) if entry.is_ok else None
        key = next((key for path, key in KEYS.items() if match and path.rpartition("/")[2] == match.group(1)), None)
        if match and key is not None and match.group(2) in ("0", "1"):
            sink.value(HOST, key, "enabled" if match.group(2) == "1" else "disabled", entry, match.group(1), match.group(2))
    return sink.facts
