"""Section `probes`: do-not-fragment pings from SAN interfaces to portals, as the agent's outcomes or as a copied `vmkping`."""

import re
from dataclasses import dataclass

import msgspec

from plumbline.core.facts.configuration import Facts, Source
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.frame_sizes import OUTCOMES

VMKPING = "vmkping"
# Bytes of IP and ICMP headers that `-s` does not count: IPv4 has 20 (RFC 791), IPv6 40 (RFC 8200), an echo request 8 (RFC 792, RFC 4443).
IPV4_AND_ICMP = 28
IPV6_AND_ICMP = 48
# The head of a copied ping: portal and payload, or as BSD's ping6 prints it the whole size, its parts, and source and portal.
_HEAD = re.compile(r"^\s*PING\s+\S+\s+\((?P<portal>[0-9a-fA-F.:]+)(?:%\w+)?\):?\s+(?P<payload>\d+)\b", re.M)
_HEAD_6 = re.compile(r"^\s*PING6\((?P<size>\d+)=40\+8\+\d+ bytes\)\s+\S+\s+-->\s+(?P<portal>[0-9a-fA-F:]+)", re.M)


@dataclass(frozen=True, slots=True)
class Probe:
    """One ping; `size` is the L3 size."""

    vmk: str
    source_address: str
    portal: str
    size: int
    outcome: str
    reason: str
    source: Source


def parse(body: Body) -> Facts:
    """Observations: `probes`, and `probe_unread`, why there are none, or perhaps not all: a list that failed stands in this section too."""
    sink = Sink(body)
    found: list[Probe] = []
    why = next((entry.why_not for entry in body.entries if not entry.is_ok), "")
    for entry in body.each(VMKPING):
        if not entry.is_ok:
            continue
        if entry.output.lstrip().startswith("["):
            found.extend(_outcomes(sink, entry))
        else:
            probe = _copied(sink, entry)
            if probe is not None:
                found.append(probe)
    sink.facts.observations["probes"] = found
    sink.facts.observations["probe_unread"] = why
    return sink.facts


def _outcomes(sink: Sink, entry: Entry) -> list[Probe]:
    try:
        listed = msgspec.json.decode(entry.output)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        sink.problem(f"{entry.line}: the list of outcomes is not JSON")
        return []
    found = []
    for item in listed if isinstance(listed, list) else []:
        if not isinstance(item, dict):
            continue
        size, outcome = item.get("size"), item.get("outcome")
        if not isinstance(size, int) or isinstance(size, bool) or outcome not in OUTCOMES:
            sink.problem(f"{entry.line}: an outcome is not understood")
            continue
        vmk, address, portal, reason = (str(item.get(name) or "") for name in ("vmk", "source", "portal", "reason"))
        place = sink.source(entry, f"{vmk} to {portal}, {size} bytes", f"{outcome} {reason}".strip())
        found.append(Probe(vmk, address, portal, size, outcome, reason, place))
    return found


def _copied(sink: Sink, entry: Entry) -> Probe | None:
    """A copied terminal: the figures decide, never the words: size, address, and sent, received, per cent lost in this order."""
    head = _HEAD.search(entry.output) or _HEAD_6.search(entry.output)
    figures = re.search(r"(\d+)\D+(\d+)\D+?([\d.]+)\s*%", entry.output[head.end() :]) if head else None
    if head is None or figures is None:
        sink.problem(f"{entry.line}: neither size nor figures of a ping in it")
        return None
    portal = head["portal"]
    if head.re is _HEAD_6:
        size = int(head["size"])
    else:
        size = int(head["payload"]) + (IPV6_AND_ICMP if ":" in portal else IPV4_AND_ICMP)
    # The stack's own refusal, in the shell's one language: the interface's MTU is smaller than the frame.
    is_too_big = re.search(r"sendto\(\) failed \(Message too long\)", entry.output) is not None
    outcome = "ok" if int(figures.group(2)) > 0 else "too_big" if is_too_big else "silent"
    vmk = entry.command.options.get("-I", "")
    if not vmk:
        sink.problem(f"{entry.line}: {outcome} at {size} bytes, but it does not say from which interface")
    return Probe(vmk, "", portal, size, outcome, "", sink.source(entry, f"{size} bytes", figures.group(0)))
