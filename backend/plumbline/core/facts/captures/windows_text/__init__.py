"""Windows command output as text, for folders of captured outputs only: an agent sends projected objects.

Reads `Format-List`, `Format-Table`, exported JSON and CSV, and the console tools, into the rows that `facts/windows/` reads. Values stay
text; the readers turn `True`, `40%` and `{a, b}` into what they mean. Nothing here raises on odd input, and what a view left out or cut off
is never taken for absent.
"""

from dataclasses import dataclass

from plumbline.core.facts.captures.windows_text.console import Typed, error_in, split_typed
from plumbline.core.facts.captures.windows_text.exported import read_csv, read_json
from plumbline.core.facts.captures.windows_text.lists import leaves_out, other_output, read_records
from plumbline.core.facts.captures.windows_text.netsh import read_global
from plumbline.core.facts.captures.windows_text.properties import class_key, class_values, split_properties
from plumbline.core.facts.captures.windows_text.registry import read_interfaces
from plumbline.core.facts.captures.windows_text.tables import read_tables
from plumbline.core.facts.captures.windows_text.values import Row

REGISTRY = "registry:Tcpip/Parameters/Interfaces"
_POLICY = "Get-MSDSMGlobalDefaultLoadBalancePolicy"
_CLAIM = "Get-MSDSMAutomaticClaimSettings"
# Cmdlets whose own view is a list of everything they have; of any other one only `Format-List *` shows all, which prints InstanceID too.
_SHOW_ALL = (
    "Get-NetOffloadGlobalSetting", "Get-NetTCPSetting", "Get-NetTransportFilter", "Get-MPIOSetting", "Get-IscsiSession",
    "Get-IscsiConnection",
    "Get-IscsiTargetPortal", "Get-NetAdapterQos", "Get-NetQosPolicy", "Get-NetLbfoTeam", "Get-NetLbfoTeamMember", "Get-NetQosTrafficClass",
    "Get-NetQosFlowControl", "Get-NetQosDcbxSetting", _CLAIM, REGISTRY,
)  # fmt: skip
_MARKS_OF_ALL = ("InstanceID", "CimClass", "CreationClassName", "CimInstanceProperties", "SystemName", "__CLASS", "PSComputerName")


@dataclass(frozen=True, slots=True)
class Printed:
    """The content of one output. `lacks_fields`: the view may leave out properties; `lacks_rows`: the command may list some objects only.
    `error`: the status and message of an error printed in place of rows."""

    rows: list[Row]
    lacks_fields: bool = False
    lacks_rows: bool = False
    error: tuple[str, str] | None = None
    odd: tuple[str, ...] = ()


def read_printed(command: str, lines: list[str], typed: str = "") -> Printed:
    """One command's output, in any format. Text that is JSON is read as objects. `typed`: the command line above the output."""
    asked = Typed(typed, [])
    filtered, is_all = asked.is_filtered, asked.shows_all
    exported = read_json("\n".join(lines))
    if exported is not None:
        return Printed(exported, _leaves_out(command, exported), filtered)
    listed = read_csv(lines)
    if listed is not None:
        return Printed(listed, True, filtered)
    if command.startswith("netsh"):
        return Printed(read_global(lines), True)
    if command == REGISTRY:
        return Printed(read_interfaces(lines), True, filtered)
    error = error_in(lines)
    if command == _POLICY:
        words = [line.strip() for line in lines if line.strip() and not set(line.strip()) <= {"-"} and line.strip() != "Value"]
        rest = [f"another output follows and is not read: {word}" for word in words[1:]]
        return Printed([] if error else [{"Policy": word} for word in words[:1]], error=error, odd=() if error else tuple(rest))
    table, odd = read_tables(lines) if command != "Get-NetAdapterQos" else ([], [])
    rows = table or ([] if error else read_records(lines))
    if any({"MemberType", "Definition"} <= set(row) for row in rows):
        return Printed([], error=("failed", "it lists the members of an object (Get-Member), not their values"))
    if command == "registry-class-key-params" and not any("NetCfgInstanceId" in row for row in rows):
        rows, odd = class_values(lines), []
    begins = other_output(rows) if not table and command != "Get-NetAdapterQos" else None
    if begins is not None:
        rows, odd = rows[:begins], [f"another output follows and is not read: {', '.join(rows[begins])}"]
    filtered = filtered or leaves_out(lines)
    if command == "Get-NetAdapterQos":
        rows = _whole(rows)
    if command == _CLAIM:
        rows = _named_values(rows)
    computers = sorted({str(row["PSComputerName"]) for row in rows if row.get("PSComputerName")})
    if len(computers) > 1:
        return Printed([], error=("failed", f"it holds rows of several computers ({', '.join(computers)}): one folder is one host"))
    return Printed(rows, not is_all and (bool(table) or _leaves_out(command, rows)), filtered, error if not rows else None, tuple(odd))


def _leaves_out(command: str, rows: list[Row]) -> bool:
    return command not in _SHOW_ALL and not any(mark in row for row in rows for mark in _MARKS_OF_ALL)


def _named_values(rows: list[Row]) -> list[Row]:
    """A hash table prints as rows of Name and Value."""
    if not rows or any(set(row) - {"Name", "Value"} for row in rows):
        return rows
    return [{str(row.get("Name")): row.get("Value") for row in rows}]


def _whole(rows: list[Row]) -> list[Row]:
    """The cmdlet prints blank lines inside a record too: only one that has a name is the next adapter."""
    found: list[Row] = []
    for row in rows:
        if found and "Name" not in row:
            found[-1] = {**row, **found[-1]}
        else:
            found.append(row)
    return found


__all__ = ["REGISTRY", "Printed", "Row", "Typed", "class_key", "read_printed", "split_properties", "split_typed"]
