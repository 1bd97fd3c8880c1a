"""Section `qos`: policies and classes as configured, and what each adapter runs (the two layers of data center bridging)."""

import re

from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, Facts, Reading, Subject, Unknown, Value
from plumbline.core.facts.windows.reads import Body, Row, as_bool, as_int, as_text, choice, interface_key, on_off, raw_text, texts

ADAPTER = "Get-NetAdapterQos"
POLICY = "Get-NetQosPolicy"
CLASS = "Get-NetQosTrafficClass"
FLOW = "Get-NetQosFlowControl"
DCBX = "Get-NetQosDcbxSetting"
_ALGORITHM = choice({"ets": "ets", "2": "ets", "strict": "strict", "0": "strict", "3": "strict"})
_PERCENT = re.compile(r"\s*(\d{1,3})\s*%?\s*")
_RANGE = re.compile(r"([0-7])(?:\s*-\s*([0-7]))?")
_CLASS_ROW = re.compile(r"^\s*(\d+)\s+(\S+)\s+(?:(\d{1,3}%?)\s+)?([0-7][0-7,\- ]*)$")
# How the class numbers the algorithms of its classes (IEEE 802.1Q table 8-5).
_TSA = {0: "strict", 1: "cbs", 2: "ets"}
_PRIORITIES = frozenset(range(8))
# What the cmdlet shows where nothing runs.
_NONE = ("not available", "all priorities disabled")
CLASSES_KEY, FLOW_KEY = "qos_operational_classes", "qos_operational_flow_control"
# The same of the switch, as it announced them by DCBX (MSFT_NetAdapterQosSettingData, property RemoteSettings).
REMOTE_CLASSES_KEY, REMOTE_FLOW_KEY = "dcbx_remote_classes", "dcbx_remote_flow_control"


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
        # The active store has names in lower case, whatever case they were made with.
        policy = Subject("qos_policy", name.lower())
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
        alias = as_text(row.get("IfAlias"))
        if alias:
            body.facts.problems.append(f"{CLASS}: class {name} holds on {alias} alone, which is not read")
            continue
        # Windows writes the name of its own class in brackets, in whatever language.
        is_default = name.startswith("[") and name.endswith("]")
        body.facts.set_value(Subject("qos_class", name), "is_default", is_default, body.source(CLASS, "Name", name))
        share = "Bandwidth" if "Bandwidth" in row and "BandwidthPercentage" not in row else "BandwidthPercentage"
        body.set_from_row(
            Subject("qos_class", name),
            {
                "algorithm": ("Algorithm", _ALGORITHM),
                "bandwidth_percent": (share, percent),
                "priorities": ("Priority", priorities),
            },
            CLASS,
            row,
        )


def _host(body: Body) -> None:
    flow = body.read(FLOW)
    source = body.source(FLOW, "Enabled")
    if flow.reason:
        body.facts.set(HOST, "qos.pfc_priorities", Unknown(flow.reason, source))
    else:
        states: dict[int, bool] = {}
        for row in flow.rows:
            is_enabled = as_bool(row.get("Enabled"))
            if is_enabled is not None and not as_text(row.get("IfAlias")):
                states.update(dict.fromkeys(priorities(row.get("Priority")) or (), is_enabled))
        if flow.rows and not states.keys() >= _PRIORITIES:
            shown = ", ".join(map(str, sorted(states))) or "none"
            body.facts.set(HOST, "qos.pfc_priorities", Unknown(f"{FLOW} shows not all of the eight priorities: {shown}", source))
        else:
            body.facts.set_value(HOST, "qos.pfc_priorities", tuple(sorted(each for each in states if states[each])), source)
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
        if "OperationalSettings" in row:
            mine.update(_of_tables(body, row, "OperationalSettings", CLASSES_KEY, FLOW_KEY))
        else:
            mine.update(_shown(body, row, is_off=isinstance(mine["qos"], Value) and mine["qos"].value == "disabled"))
        if "RemoteSettings" in row:
            mine.update(_of_tables(body, row, "RemoteSettings", REMOTE_CLASSES_KEY, REMOTE_FLOW_KEY))
        else:
            mine.update(_shown_of_switch(body, row))
        body.note_name(key, row)


def _of_tables(body: Body, row: Row, field: str, classes_key: str, flow_key: str) -> dict[str, Reading]:
    """Classes and flow control from the tables of `field`, which is null where the adapter runs nothing, or no switch was heard."""
    raw = row[field]
    source = body.source(ADAPTER, field, "null" if raw is None else "")
    if raw is None:
        return {classes_key: Value((), source), flow_key: Value((), source)}
    if not isinstance(raw, dict):
        odd = Unknown(f"{field} has an unrecognised value: {raw_text(raw)!r}", source)
        return {classes_key: odd, flow_key: odd}
    return {classes_key: _classes_of_tables(body, field, raw), flow_key: _flow_of_table(body, field, raw)}


def _classes_of_tables(body: Body, field: str, raw: Row) -> Reading:
    names = ("TsaAssignmentTable", "BandwidthAssignmentTable", "PriorityAssignmentTable")
    source = body.source(ADAPTER, f"{field}.{names[0]}", ", ".join(f"{name} {raw_text(raw.get(name))}" for name in names))
    if as_bool(raw.get("TransmissionSelectionEnabled")) is False:
        return Value((), source)
    algorithms, shares, classes = (_numbers(raw.get(name)) for name in names)
    if algorithms is None or shares is None or classes is None:
        return Unknown("the tables of the traffic classes are not as the class of Windows has them", source)
    found: list[str] = []
    for number in sorted(set(classes)):
        if number >= len(algorithms) or number >= len(shares) or algorithms[number] not in _TSA:
            return Unknown(f"the tables do not show what class {number} is", source)
        algorithm = _TSA[algorithms[number]]
        # Strict priority has no share of its own.
        share = "" if algorithm == "strict" else str(shares[number])
        held = ",".join(str(priority) for priority, owner in enumerate(classes) if owner == number)
        found.append(f"{number}:{algorithm}:{share}:{held}")
    return Value(tuple(found), source)


def _flow_of_table(body: Body, field: str, raw: Row) -> Reading:
    table = raw.get("PriorityFlowControlEnableArray")
    source = body.source(ADAPTER, f"{field}.PriorityFlowControlEnableArray", table)
    if as_bool(raw.get("FlowControlEnabled")) is False:
        return Value((), source)
    flags = [as_bool(flag) for flag in table] if isinstance(table, list) else [None]
    if None in flags:
        return Unknown("the table of flow control is not as the class of Windows has it", source)
    return Value(tuple(priority for priority, flag in enumerate(flags) if flag), source)


def _numbers(raw: object) -> list[int] | None:
    found = [as_int(one) for one in raw] if isinstance(raw, list) else []
    return [one for one in found if one is not None] if found and None not in found else None


def _shown(body: Body, row: Row, *, is_off: bool) -> dict[str, Reading]:
    """The same from the texts that the cmdlet shows, for releases without the tables and for copied outputs."""
    found: dict[str, Reading] = {}
    for setting, field, read in (
        (CLASSES_KEY, "OperationalTrafficClasses", _operational_classes),
        (FLOW_KEY, "OperationalFlowControl", _operational_flow_control),
    ):
        source = body.source(ADAPTER, field, row.get(field))
        if row.get(field) in (None, "", []) and is_off:
            # Nothing runs where the adapter's switch is off; the cmdlet then leaves the table out.
            found[setting] = Value((), source)
        else:
            found[setting] = body.reading(ADAPTER, row, field, read)
    return found


def _shown_of_switch(body: Body, row: Row) -> dict[str, Reading]:
    """The same of the switch, which the cmdlet shows only where it heard one; agents before 1.2.0 did not send it."""
    found: dict[str, Reading] = {}
    for setting, field, read in (
        (REMOTE_CLASSES_KEY, "RemoteTrafficClasses", _operational_classes),
        (REMOTE_FLOW_KEY, "RemoteFlowControl", _operational_flow_control),
    ):
        found[setting] = NOT_COLLECTED if row.get(field) in (None, "", []) else body.reading(ADAPTER, row, field, read)
    return found


def _is_none(raw: object) -> bool:
    return isinstance(raw, str) and raw.strip().lower() in _NONE


def _operational_classes(raw: object) -> tuple[str, ...] | None:
    """`name:algorithm:percent:priorities` of each class that runs, from rows or from the text of a table."""
    if _is_none(raw):
        return ()
    rows = class_rows(raw) if isinstance(raw, str) else raw
    if not isinstance(rows, list) or (isinstance(raw, str) and not rows):
        return None
    found: list[str] = []
    for row in rows:
        if not isinstance(row, dict):
            return None
        held = priorities(row.get("Priorities"))
        if held is None:
            return None
        shown = ",".join(str(one) for one in held)
        share = percent(row.get("Bandwidth"))
        algorithm = (as_text(row.get("TSA")) or "").lower()
        found.append(f"{raw_text(row.get('TC'))}:{algorithm}:{'' if share is None else share}:{shown}")
    return tuple(found)


def class_rows(text: str) -> list[dict[str, str]]:
    """The rows of the table that the cmdlet shows for the traffic classes of an adapter; empty where the text holds none."""
    names = ("TC", "TSA", "Bandwidth", "Priorities")
    found = [match.groups() for match in map(_CLASS_ROW.match, text.split("\n")) if match is not None]
    return [dict(zip(names, (number, algorithm, share or "", held.strip()), strict=True)) for number, algorithm, share, held in found]


def _operational_flow_control(raw: object) -> tuple[int, ...] | None:
    """Priorities with PFC from `Priority 5 Enabled`, `Priorities 3,5 Enabled`, `All Priorities Disabled` or `Not Available`."""
    found: set[int] = set()
    for text in texts(raw):
        numbers = _RANGE.findall(text)
        for first, last in numbers:
            found.update(range(int(first), int(last or first) + 1))
        if not numbers and "enabled" in text.lower():
            found.update(range(8))
        elif not numbers and not _is_none(text):
            return None
    return tuple(sorted(found))
