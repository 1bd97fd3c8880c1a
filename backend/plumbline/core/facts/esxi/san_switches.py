"""How many physical switches the SAN adapters of a host are cabled to."""

from plumbline.core.facts.configuration import HOST, NotOffered, Source, Unknown, Value
from plumbline.core.facts.esxi.iscsi import BINDINGS
from plumbline.core.facts.esxi.network_hints import HINTS
from plumbline.core.facts.esxi.observations import Observations, why_connections_unread
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.join import Join


def set_san_switches(join: Join, observed: Observations) -> None:
    """Counts the ids that the switches announce on the SAN adapters. Nothing where the host was not asked.

    Two ids that one protocol announces are two switches whatever the other ports hear. One id is one switch only where every SAN adapter
    heard it: an adapter that heard nothing may be on the second.
    """
    adapters = sorted(observed.san_adapters(), key=natural)
    subjects = {name: observed.nics[name].subject for name in adapters if name in observed.nics}
    ids = {name: join.reading("nics", subject, "switch_id") for name, subject in subjects.items()}
    if not ids or all(reading is None for reading in ids.values()):
        return
    # A SAN adapter that is missing from these may be the one on the second switch.
    unlisted = join.why_not_whole("iscsi", BINDINGS) or why_connections_unread(join, observed)
    if len(ids) == 1 and not unlisted:
        join.set(HOST, "san_switches", NotOffered("the host has one SAN adapter"))
        return
    heard: dict[str, set[str]] = {}
    for name, reading in ids.items():
        if isinstance(reading, Value):
            protocol = str(join.value("nics", subjects[name], "switch_protocol"))
            heard.setdefault(protocol, set()).add(str(reading.value))
    raw = ", ".join(f"{name}: {reading.value if isinstance(reading, Value) else 'not heard'}" for name, reading in ids.items())
    source = Source("nics", HINTS, "devId, chassisId", raw)
    most = max((len(found) for found in heard.values()), default=0)
    silent = [name for name, reading in ids.items() if not isinstance(reading, Value)]
    if most > 1:
        join.set_value(HOST, "san_switches", most, source)
    elif unlisted:
        join.set(HOST, "san_switches", Unknown(unlisted, source))
    elif silent:
        reading = ids[silent[0]]
        reason = reading.reason if isinstance(reading, Unknown | NotOffered) else "not reported"
        join.set(HOST, "san_switches", Unknown(f"{silent[0]}: {reason}", source))
    elif len(heard) > 1:
        join.set(HOST, "san_switches", Unknown("one port hears CDP, another LLDP, whose ids cannot be compared", source))
    else:
        join.set_value(HOST, "san_switches", 1, source)
