"""Section `qos`: policies and classes as configured, and what each adapter runs (the two layers of data center bridging)."""

import re

from plumbline.core.facts.configuration import HOST, Facts, Subject, Unknown, Value
from plumbline.core.facts.windows.reads import Body, as_bool, as_int, as_text, choice, interface_key, on_off, raw_text, texts

ADAPTER = "Get-NetAdapterQos"
POLICY = "Get-NetQosPolicy"
CLASS = "Get-NetQosTrafficClass"
FLOW = "Get-NetQosFlowControl"
DCBX = "Get-NetQosDcbxSetting"
_ALGORITHM = choice({"ets": "ets", "2": "ets", "strict": "strict", "0": "strict", "3": "strict"})
_PERCENT = re.compile(r"\s*(\d{1,3})\s*%?\s*")
_RANGE = re.compile(r"([0-7])(?:\s*-\s*([0-7]))?")


def parse(body: Body) -> Facts:
    """Policies and classes as subjects of their own; the adapters' share by interface."""
    _policies(body)
    _classes(body)
    _host(body)
    _adapters(body)
    return body.facts


def priorities(raw: object) -> tuple[int, ...] | None:
    """802.1p priorities from `[5]`, `["0-2", "4-7"]`, `"0-2,4-7"` or a number; None where it is none of these."""
    found: set[int] = set()
    for text in texts(raw):
        for part in text.replace("{", "").replace("}", "").split(","):
            match = _RANGE.fullmatch(part.strip())
            if match is None:
                return None
            first = int(match.group(1))
            found.update(range(first, int(match.group(2) or first) + 1))
    return tuple(sorted(found))


def percent(raw: object) -> int | None:
    """A share from `40`, `70%` or a number."""
    match = _PERCENT.fullmatch(as_text(raw) or "")
    return int(match.group(1)) if match else None


def _policies(body: Body) -> None:
    nameless = 0
    for row in body.rows(POLICY):
        name = as_text(row.get("Name"))
        if not name:
            nameless += 1
            continue
        policy = Subject("qos_policy", name)
        # A policy has only the properties that it was made with: what is absent is not set, as -1 and 0 are.
        for key, field, unset in (
            ("priority", "PriorityValue8021Action", -1),
            ("net_direct_port", "NetDirectPortMatchCondition", 0),
            ("dscp", "DSCPAction", -1),
            ("min_bandwidth_weight", "MinBandwidthWeightAction", 0),
        ):
            if row.get(field) is None:
                body.facts.set_value(policy, key, unset, body.source(POLICY, field))
            else:
                body.facts.set(policy, key, body.reading(POLICY, row, field, as_int))
        for key, field in (("template", "Template"), ("owner", "Owner")):
            body.facts.set_value(policy, key, as_text(row.get(field)) or "", body.source(POLICY, field, row.get(field)))
    if nameless:
        body.facts.problems.append(f"{POLICY}: {nameless} rows without a name")


def _classes(body: Body) -> None:
    for row in body.rows(CLASS):
        name = as_text(row.get("Name"))
        if not name:
            body.facts.problems.append(f"{CLASS}: a class without a name")
            continue
        # Windows writes the name of its own class in brackets, in whatever language.
        is_default = name.startswith("[") and name.endswith("]")
        body.facts.set_value(Subject("qos_class", name), "is_default", is_default, body.source(CLASS, "Name", name))
        body.set_from_row(
            Subject("qos_class", name),
            {"algorithm": ("Algorithm", _ALGORITHM), "bandwidth_percent": ("Bandwidth", percent), "priorities": ("Priority", priorities)},
            CLASS,
            row,
        )


def _host(body: Body) -> None:
    flow = body.read(FLOW)
    source = body.source(FLOW, "Enabled")
    if flow.reason:
        body.facts.set(HOST, "qos.pfc_priorities", Unknown(flow.reason, source))
    else:
        enabled: set[int] = set()
        for row in flow.rows:
            if as_bool(row.get("Enabled")) and not as_text(row.get("IfAlias")):
                enabled.update(priorities(row.get("Priority")) or ())
        body.facts.set_value(HOST, "qos.pfc_priorities", tuple(sorted(enabled)), source)
    rows = [row for row in body.rows(DCBX) if not as_text(row.get("IfAlias"))] or list(body.rows(DCBX))
    if rows:
        body.set_from_row(HOST, {"qos.dcbx_willing": ("Willing", as_bool)}, DCBX, rows[0])
    else:
        body.facts.set(HOST, "qos.dcbx_willing", body.missing(DCBX, "Willing"))


def _adapters(body: Body) -> None:
    found = body.by_interface()
    for row in body.rows(ADAPTER):
        key = interface_key(row, "InstanceID", "InterfaceGuid")
        if not key:
            body.facts.problems.append(f"{ADAPTER}: a row without interface")
            continue
        mine = found.setdefault(key, {})
        mine["qos"] = body.reading(ADAPTER, row, "Enabled", on_off)
        is_off = isinstance(mine["qos"], Value) and mine["qos"].value == "disabled"
        for setting, field, read in (
            ("qos_operational_classes", "OperationalTrafficClasses", _operational_classes),
            ("qos_operational_flow_control", "OperationalFlowControl", _operational_flow_control),
        ):
            source = body.source(ADAPTER, field, row.get(field))
            if row.get(field) in (None, "", []) and is_off:
                # Nothing runs where the adapter's switch is off; the cmdlet then leaves the table out.
                mine[setting] = Value((), source)
            else:
                mine[setting] = body.reading(ADAPTER, row, field, read)
        body.note_name(key, row)


def _operational_classes(raw: object) -> tuple[str, ...] | None:
    """`name:algorithm:percent:priorities` of each class that runs."""
    if not isinstance(raw, list):
        return None
    found: list[str] = []
    for row in raw:
        if not isinstance(row, dict):
            return None
        held = priorities(row.get("Priorities"))
        shown = ",".join(str(one) for one in held) if held is not None else raw_text(row.get("Priorities"))
        share = percent(row.get("Bandwidth"))
        algorithm = (as_text(row.get("TSA")) or "").lower()
        found.append(f"{raw_text(row.get('TC'))}:{algorithm}:{'' if share is None else share}:{shown}")
    return tuple(found)


def _operational_flow_control(raw: object) -> tuple[int, ...] | None:
    """Priorities with PFC from `Priority 5 Enabled`, `Priorities 3,5 Enabled` or `All Priorities Disabled`."""
    found: set[int] = set()
    for text in texts(raw):
        numbers = _RANGE.findall(text)
        for first, last in numbers:
            found.update(range(int(first), int(last or first) + 1))
        if not numbers and "enabled" in text.lower():
            found.update(range(8))
    return tuple(sorted(found))
