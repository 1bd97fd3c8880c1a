"""Section `software`: installed packages, of which EqualLogic's multipathing module matters."""

from plumbline.core.facts.configuration import HOST, Facts
from plumbline.core.facts.esxi.entries import Body, Sink
from plumbline.core.facts.esxi.readers import rows

VIBS = "esxcli software vib list"
MEM_STATUS = "esxcli equallogic stat summary"

# Packages of MEM, by the name that carries its version first.
_MEM = ("dell-eql-routing-psp", "dell-eql-host-connection-mgr", "dell-eql-mem", "dell-eql-hostprofile")


def parse(body: Body) -> Facts:
    """`host.mem`: the version of MEM, empty where no package of it is installed."""
    sink = Sink(body)
    entry = body.find(VIBS)
    if entry is None:
        return sink.facts
    packages = {(record.get("Name") or "").lower(): record.get("Version") or "" for record in rows(entry)}
    if not packages:
        why = entry.why_not if not entry.is_ok else f"{entry.line}: no package could be read from it"
        sink.unknown(HOST, ("mem",), why, entry)
        return sink.facts
    named = next((name for name in _MEM if name in packages), next((name for name in sorted(packages) if name.startswith("dell-eql")), ""))
    sink.value(HOST, "mem", packages.get(named, ""), entry, "Version", f"{named} {packages[named]}" if named else "")
    return sink.facts
