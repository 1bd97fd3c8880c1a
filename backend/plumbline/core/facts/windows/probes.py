"""Section `probes`: do-not-fragment pings from every SAN address to every portal."""

from collections.abc import Iterable

from plumbline.core.facts.configuration import Facts, Reading, Source, Unknown, Value
from plumbline.core.facts.windows.iscsi import address_text
from plumbline.core.facts.windows.reads import Body, Row, as_int, as_text, guid_in

COMMAND = "ping"
OUTCOMES = ("ok", "not_run", "silent", "too_big")  # from best to worst


def parse(body: Body) -> Facts:
    """The outcomes by interface (GUID, else source address); which size counts depends on the MTU, which is in another section."""
    found: dict[str, list[Row]] = {}
    for row in body.rows(COMMAND):
        key = guid_in(row.get("interface_guid")) or address_text(row.get("source"))
        size = as_int(row.get("size"))
        outcome = (as_text(row.get("outcome")) or "").lower()
        if not key or size is None or outcome not in OUTCOMES:
            body.facts.problems.append(f"{COMMAND}: a probe without source, size or outcome")
            continue
        found.setdefault(key, []).append(
            {"size": size, "outcome": outcome, "portal": as_text(row.get("portal")) or "", "reason": as_text(row.get("reason")) or ""}
        )
    body.facts.observations["pings"] = found
    sources = {address_text(row.get("source")) for row in body.rows(COMMAND)}
    body.facts.observations["sources"] = frozenset(source for source in sources if source)
    return body.facts


def readings(pings: Iterable[Row], mtu: int | None) -> dict[str, Reading]:
    """`frame_probe`: the worst outcome at the adapter's MTU; `frame_probe_size`: the largest size that every portal answered."""
    rows = list(pings)
    sizes = sorted({int(row["size"]) for row in rows})
    if not sizes:
        return {}
    size = mtu if mtu is not None else sizes[-1]
    at_mtu = [row for row in rows if row["size"] == size]
    if at_mtu:
        worst = max(at_mtu, key=lambda row: OUTCOMES.index(row["outcome"]))
        raw = f"{size} bytes to {worst['portal']}: {worst['outcome']}" + (f" ({worst['reason']})" if worst["reason"] else "")
        probe: Reading = Value(worst["outcome"], Source("probes", COMMAND, "outcome", raw))
    else:
        tried = ", ".join(str(one) for one in sizes)
        probe = Unknown(f"no probe at the adapter's MTU of {size}, only at {tried}", Source("probes", COMMAND, "outcome"))
    answered = [one for one in sizes if all(row["outcome"] == "ok" for row in rows if row["size"] == one)]
    largest: Reading
    if answered:
        largest = Value(answered[-1], Source("probes", COMMAND, "size", ", ".join(str(one) for one in answered)))
    else:
        largest = Unknown("no size was answered by every portal", Source("probes", COMMAND, "size"))
    return {"frame_probe": probe, "frame_probe_size": largest}
