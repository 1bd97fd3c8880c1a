"""Section `software`: installed packages, of which EqualLogic's multipathing module matters."""

from plumbline.core.facts.configuration import HOST, Facts
from plumbline.core.facts.esxi.entries import Body, Sink
from plumbline.core.facts.esxi.esxcfg import package_rows
from plumbline.core.facts.esxi.readers import rows

VIBS = "esxcli software vib list"
MEM_STATUS = "esxcli equallogic stat summary"

# The packages of each bundle of MEM that was seen installed. A package's version is its own, not the bundle's.
_BUNDLES = {
    "1.1.2": {
        "dell-eql-host-connection-mgr": "1.1.1-268843",
        "dell-eql-hostprofile": "1.1.0-212190",
        "dell-eql-routed-psp": "1.1.1-262227",
    },
}


def parse(body: Body) -> Facts:
    """`host.mem`: the version of MEM, empty where no package of it is installed."""
    sink = Sink(body)
    entry = body.find(VIBS)
    if entry is None:
        return sink.facts
    listed = [record for record in rows(entry) if record.has("Version") and record.has("Acceptance Level")]
    is_whole = bool(listed) and not entry.is_filtered
    if not listed and entry.is_ok:
        # What a filter left of the list, without its heading.
        listed = package_rows(entry.output)
    packages = {(record.get("Name") or "").lower(): record.get("Version") or "" for record in listed}
    if not packages:
        why = entry.why_not if not entry.is_ok else f"{entry.line}: no package could be read from it"
        sink.unknown(HOST, ("mem",), why, entry)
        return sink.facts
    mem = {name: version for name, version in packages.items() if name.startswith("dell-eql-")}
    said = ", ".join(f"{name} {version}" for name, version in sorted(mem.items()))
    bundle = next((version for version, parts in _BUNDLES.items() if parts == mem), "")
    if bundle or (not mem and is_whole):
        sink.value(HOST, "mem", bundle, entry, "Name, Version", said)
    elif mem:
        sink.unknown(HOST, ("mem",), f"which version of MEM these packages belong to is not known: {said}", entry)
    else:
        sink.unknown(HOST, ("mem",), f"{entry.line}: only a part of the list was printed", entry)
    return sink.facts
