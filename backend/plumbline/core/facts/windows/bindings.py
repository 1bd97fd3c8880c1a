"""Section `bindings`: which protocols and services are bound to each adapter, and NetBIOS over TCP/IP."""

from plumbline.core.facts.configuration import Facts, Unknown, Value
from plumbline.core.facts.windows.reads import Body, as_bool, as_text, choice, guid_in, interface_key

BINDING = "Get-NetAdapterBinding"
NETBIOS = "Win32_NetworkAdapterConfiguration"
_NETBIOS = choice({"0": "dhcp", "1": "enabled", "2": "disabled"})


def parse(body: Body) -> Facts:
    """Enabled component ids (lower case, sorted) and the NetBIOS option, by interface."""
    found = body.by_interface()
    bound: dict[str, set[str]] = {}
    for row in body.rows(BINDING):
        key = interface_key(row, "InstanceID", "InterfaceGuid")
        component = (as_text(row.get("ComponentID")) or "").lower()
        if not key or not component:
            body.facts.problems.append(f"{BINDING}: a row without interface or component")
            continue
        body.note_name(key, row)
        components = bound.setdefault(key, set())
        if as_bool(row.get("Enabled")):
            components.add(component)
    reason = body.read(BINDING).reason
    source = body.source(BINDING, "ComponentID")
    for key, components in bound.items():
        # Of a list that broke off, the component in question may be the next.
        found.setdefault(key, {})["bindings"] = Unknown(reason, source) if reason else Value(tuple(sorted(components)), source)
    for row in body.rows(NETBIOS):
        guid = guid_in(row.get("SettingID"))
        if guid and row.get("TcpipNetbiosOptions") is not None:
            found.setdefault(guid, {})["netbios"] = body.reading(NETBIOS, row, "TcpipNetbiosOptions", _NETBIOS)
    return body.facts
