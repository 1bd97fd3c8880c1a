"""Rows of Get-NetAdapterAdvancedProperty and of the adapter's registry class key as the sections `properties` and `property_catalogue` hold
them."""

import re

from plumbline.core.facts.captures.windows_text.values import Row

_CLASS_VALUE = re.compile(r"^(\*?[A-Za-z]\w*)\s{2,}(\S.*)$")

_OFFERED = (
    "DisplayName", "DisplayParameterType", "DefaultRegistryValue", "NumericParameterBaseValue", "NumericParameterMinValue",
    "NumericParameterMaxValue", "NumericParameterStepValue", "Optional", "RegistryDataType", "ValidRegistryValues", "ValidDisplayValues",
)  # fmt: skip


def split_properties(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """What each adapter is set to, and what its driver offers, both by the instance's GUID, else by the adapter's name. A keyword that was
    cut off marks its adapter as having keywords that are not known (`is_cut`)."""
    properties: dict[str, Row] = {}
    offers: dict[str, Row] = {}
    for row in rows:
        instance = str(row.get("InstanceID") or "").partition("::")[0]
        name = row.get("Name") if isinstance(row.get("Name"), str) else None
        key = instance or str(name or "")
        if not key:
            continue
        keyword = row.get("RegistryKeyword") or row.get("ValueName")
        mine = properties.setdefault(key, {"InterfaceGuid": instance, "Name": name, "properties": {}})
        if not isinstance(keyword, str) or not keyword:
            if keyword:
                mine["is_cut"] = True
            continue
        value = row.get("RegistryValue", row.get("ValueData"))
        if isinstance(value, dict) or not {"RegistryValue", "ValueData"} & row.keys():
            mine["is_cut"] = True
            continue
        mine["properties"][keyword] = value if isinstance(value, list) else [value]
        offered = offers.setdefault(key, {"InterfaceGuid": instance, "Name": name, "keywords": {}})
        offered["keywords"][keyword] = _offered(row)
    return [row for row in properties.values() if row["properties"]], list(offers.values())


def _offered(row: Row) -> Row:
    found = {name: row[name] for name in _OFFERED if row.get(name) not in (None, "")}
    for name in ("ValidRegistryValues", "ValidDisplayValues"):
        cut = found.get(name)
        if isinstance(cut, dict):
            found[name] = cut.get("shown") or []
            found["is_cut"] = True
    return {name: value for name, value in found.items() if not isinstance(value, dict)}


def class_key(row: Row) -> Row:
    """A dump of an adapter's registry class key as a row of `properties`."""
    keywords = {name: [str(value)] for name, value in row.items() if not isinstance(value, dict | list)}
    return {"InterfaceGuid": row.get("NetCfgInstanceId"), "Name": row.get("DriverDesc"), "properties": keywords}


def class_values(lines: list[str]) -> list[Row]:
    """The values of an adapter's registry class key as a script prints them: a name at the margin, spaces, the value.

    What the driver offers for each is indented below it and is left out.
    """
    row = {match.group(1): match.group(2).strip() for line in lines if (match := _CLASS_VALUE.match(line)) is not None}
    return [row] if "NetCfgInstanceId" in row else []
