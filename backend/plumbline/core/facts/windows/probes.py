"""Section `probes`: do-not-fragment pings from every SAN address to every portal."""

from collections.abc import Iterable
from typing import NamedTuple

from plumbline.core.facts.configuration import Facts, Reading, Source, Unknown, Value
from plumbline.core.facts.frame_sizes import OUTCOMES, decide
from plumbline.core.facts.windows.iscsi import address_text
from plumbline.core.facts.windows.reads import Body, as_int, as_text, guid_in

COMMAND = "ping"


class Ping(NamedTuple):
    """One ping; `size` is the L3 size, `reason` why it was not run."""

    portal: str
    size: int
    outcome: str
    reason: str


def parse(body: Body) -> Facts:
    """The outcomes by interface (GUID, else source address); which size decides depends on the MTU, which is in another section."""
    found: dict[str, list[Ping]] = {}
    for row in body.rows(COMMAND):
        key = guid_in(row.get("interface_guid")) or address_text(row.get("source"))
        size = as_int(row.get("size"))
        outcome = (as_text(row.get("outcome")) or "").lower()
        if not key or size is None or outcome not in OUTCOMES:
            body.facts.problems.append(f"{COMMAND}: a probe without source, size or outcome")
            continue
        portal, reason = as_text(row.get("portal")) or "", as_text(row.get("reason")) or ""
        found.setdefault(key, []).append(Ping(portal, size, outcome, reason))
    body.facts.observations["pings"] = found
    sources = {address_text(row.get("source")) for row in body.rows(COMMAND)}
    body.facts.observations["sources"] = frozenset(source for source in sources if source)
    return body.facts


def readings(pings: Iterable[Ping], mtu: int | None, unread: str = "") -> dict[str, Reading]:
    """`frame_probe`: the worst outcome of the portals at what the path has to carry; `frame_probe_size`: the largest size that each portal
    answered. Empty where nothing was sent. `unread`: why some pings may be missing, of portals that nothing is known of then."""
    sent = list(pings)
    if not sent:
        return {}
    found = decide(sent, mtu)
    sizes = ", ".join(str(size) for size in sorted({ping.size for ping in sent if ping.outcome == "ok"}))
    outcome, size = Source("probes", COMMAND, "outcome", found.shown), Source("probes", COMMAND, "size", sizes)
    if unread:
        proven = Value(found.outcome, outcome) if found.outcome in ("silent", "too_big") else Unknown(unread, outcome)
        return {"frame_probe": proven, "frame_probe_size": Unknown(unread, size)}
    return {
        "frame_probe": Value(found.outcome, outcome) if found.outcome else Unknown(found.why, outcome),
        "frame_probe_size": Value(found.size, size) if found.size else Unknown("no size was answered by every portal", size),
    }
